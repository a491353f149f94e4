/**
 * Keeps idempotency keys, schedules changed after the capture, and resources created through the
 * API.
 */
import { MailState } from "../state.ts";
import { Resources } from "./resources.ts";

/** Lifetime of a key. */
const KEY_LIFETIME_MS = 24 * 60 * 60 * 1000;
/** Maximum number of keys, and of changed messages; the oldest are dropped first. */
const CAPACITY = 10_000;
/** Number of entries at which those of events no longer held are removed. */
const SWEEP_FROM = 1000;

/** The response to the first request with a key. */
export interface KeptAnswer {
  readonly body: unknown;
  readonly eventIds: readonly string[];
}

export interface Change {
  readonly scheduled_at?: string;
  readonly canceled?: boolean;
  /** State that was reported to the application. */
  readonly last_event?: string;
}

interface Key {
  readonly digest: string;
  readonly expiresMs: number;
  /** Absent while the first request is being served. */
  readonly answer?: KeptAnswer;
}

export type KeyVerdict =
  | { readonly kind: "first" }
  | { readonly kind: "in_flight" }
  | { readonly kind: "other_payload" }
  | { readonly kind: "replay"; readonly answer: KeptAnswer };

/** One per service. An entry counts only while its event is held, so a reset or clear between two tests forgets it. */
export class Store {
  readonly #keys = new Map<string, Key>();
  readonly #changes = new Map<string, Change>();
  readonly #isHeld: (eventId: string) => boolean;
  #sweepKeysAt = SWEEP_FROM;
  #sweepChangesAt = SWEEP_FROM;

  /** Resources created through the API. */
  readonly resources: Resources;

  constructor(isHeld: (eventId: string) => boolean, state: MailState = new MailState()) {
    this.#isHeld = isHeld;
    this.resources = new Resources(state);
  }

  /** Looks a key up, and claims it for the `first` request until `keep` or `forget`. */
  claim(key: string, digest: string, now: Date): KeyVerdict {
    const known = this.#keys.get(key);
    if (known !== undefined && this.#counts(known, now)) {
      if (known.digest !== digest) return { kind: "other_payload" };
      if (known.answer === undefined) return { kind: "in_flight" };
      return { kind: "replay", answer: known.answer };
    }
    this.#keys.delete(key);
    this.#keys.set(key, { digest, expiresMs: now.getTime() + KEY_LIFETIME_MS });
    if (this.#keys.size > this.#sweepKeysAt) {
      this.#sweepKeysAt = sweep(this.#keys, (_, kept) => this.#counts(kept, now));
    }
    return { kind: "first" };
  }

  /** Keeps the response for a claimed key. */
  keep(key: string, answer: KeptAnswer): void {
    const claimed = this.#keys.get(key);
    if (claimed !== undefined) this.#keys.set(key, { ...claimed, answer });
  }

  /** Frees the key of a failed request. */
  forget(key: string): void {
    this.#keys.delete(key);
  }

  change(eventId: string): Change {
    return this.#changes.get(eventId) ?? {};
  }

  addChange(eventId: string, change: Change): void {
    this.#changes.set(eventId, { ...this.change(eventId), ...change });
    if (this.#changes.size > this.#sweepChangesAt) {
      this.#sweepChangesAt = sweep(this.#changes, this.#isHeld);
    }
  }

  #counts(key: Key, now: Date): boolean {
    if (key.expiresMs <= now.getTime()) return false;
    return key.answer === undefined || key.answer.eventIds.some(this.#isHeld);
  }
}

/** Removes entries that no longer count or exceed the capacity; returns the size for the next, rare, sweep. */
function sweep<V>(entries: Map<string, V>, counts: (key: string, value: V) => boolean): number {
  for (const [key, value] of entries) if (!counts(key, value)) entries.delete(key);
  for (const key of entries.keys()) {
    if (entries.size <= CAPACITY) break;
    entries.delete(key);
  }
  return Math.min(CAPACITY, Math.max(SWEEP_FROM, entries.size * 2));
}

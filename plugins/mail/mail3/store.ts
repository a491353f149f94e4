/** What the provider keeps between calls besides the captured events: idempotency keys, and schedules changed later. */

/** How long a key answers with its first result. */
const KEY_LIFETIME_MS = 24 * 60 * 60 * 1000;
/** Keys kept, and changed messages kept; the oldest go first. */
const CAPACITY = 10_000;
/** Entries from which on those of events no longer held are swept out. */
const SWEEP_FROM = 1000;

/** The answer to the first request with a key. */
export interface KeptAnswer {
  readonly body: unknown;
  readonly eventIds: readonly string[];
}

/** What came after the capture. */
export interface Change {
  readonly scheduled_at?: string;
  readonly canceled?: boolean;
}

interface Key {
  readonly digest: string;
  readonly expiresMs: number;
  /** Absent while the first request is being served. */
  readonly answer?: KeptAnswer;
}

/** What a key means for a request. */
export type KeyVerdict =
  | { readonly kind: "first" }
  | { readonly kind: "in_flight" }
  | { readonly kind: "other_payload" }
  | { readonly kind: "replay"; readonly answer: KeptAnswer };

/**
 * One per service. An entry counts only while its event is held: after a reset or a clear nothing is remembered, so
 * one test never answers for another.
 */
export class Store {
  readonly #keys = new Map<string, Key>();
  readonly #changes = new Map<string, Change>();
  readonly #isHeld: (eventId: string) => boolean;
  #sweepKeysAt = SWEEP_FROM;
  #sweepChangesAt = SWEEP_FROM;

  constructor(isHeld: (eventId: string) => boolean) {
    this.#isHeld = isHeld;
  }

  /** Looks a key up; a `first` one is held until `keep` or `forget`. */
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

  /** The claimed key now answers with this. */
  keep(key: string, answer: KeptAnswer): void {
    const claimed = this.#keys.get(key);
    if (claimed !== undefined) this.#keys.set(key, { ...claimed, answer });
  }

  /** The request failed: the key is free again. */
  forget(key: string): void {
    this.#keys.delete(key);
  }

  /** What came after the capture of a message. */
  change(eventId: string): Change {
    return this.#changes.get(eventId) ?? {};
  }

  /** Adds to what came after the capture. */
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

/** Drops what no longer counts and what is too much; returns the size to sweep at next, so that sweeps stay rare. */
function sweep<V>(entries: Map<string, V>, counts: (key: string, value: V) => boolean): number {
  for (const [key, value] of entries) if (!counts(key, value)) entries.delete(key);
  for (const key of entries.keys()) {
    if (entries.size <= CAPACITY) break;
    entries.delete(key);
  }
  return Math.min(CAPACITY, Math.max(SWEEP_FROM, entries.size * 2));
}

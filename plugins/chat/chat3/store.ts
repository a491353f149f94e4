import type { Memory } from "../../../core/memory/budget.ts";
import { HeldMap } from "../../../core/memory/held_map.ts";
import { Ledger } from "../ledger.ts";

/** Changes that a client made to a webhook. */
export interface Webhook {
  readonly name?: string;
  readonly avatar?: string;
  readonly isDeleted?: boolean;
}

/**
 * Epoch of the vendor's ids, in milliseconds:
 * https://docs.discord.com/developers/reference#snowflakes
 */
const EPOCH_MS = 1_420_070_400_000;
/** Maximum number of changed webhooks; the oldest are dropped. */
const MAX_WEBHOOKS = 1000;

/** Keeps the last id, the messages by their ids, and changed webhooks. */
export class Store {
  readonly messages = new Ledger("chat3");
  readonly #webhooks: HeldMap<Webhook>;
  #last = 0n;

  constructor(memory?: Memory) {
    this.#webhooks = new HeldMap({ maxEntries: MAX_WEBHOOKS }, memory);
  }

  /** Forgets changed webhooks. */
  clear(): void {
    this.#webhooks.clear();
  }

  /** Returns the next id: milliseconds in the upper 42 bits; each greater than the one before. */
  nextId(nowMs: number): string {
    const wanted = BigInt(nowMs - EPOCH_MS) << 22n;
    this.#last = wanted > this.#last ? wanted : this.#last + 1n;
    return String(this.#last);
  }

  webhook(id: string): Webhook {
    return this.#webhooks.get(id) ?? {};
  }

  change(id: string, change: Webhook): Webhook {
    const changed = { ...this.#webhooks.get(id), ...change };
    this.#webhooks.set(id, changed);
    return changed;
  }
}

import type { CapturedEvent } from "./event.ts";
import type { Ring } from "./ring.ts";

/**
 * Finds the `seq` of an event by its id. Events are added at the next look-up: most are never looked up,
 * so their ids need not be hashed.
 */
export class IdIndex {
  readonly #rings: ReadonlyMap<string, Ring>;
  readonly #seqs = new Map<string, number>();
  /** Events up to this `seq` have joined. */
  #joined = 0;

  constructor(rings: ReadonlyMap<string, Ring>) {
    this.#rings = rings;
  }

  /** `newest` is the last `seq` that was given. */
  seqOf(id: string, newest: number): number | undefined {
    if (this.#joined < newest) {
      for (const ring of this.#rings.values()) {
        for (const event of ring.after(this.#joined)) this.#seqs.set(event.id, event.seq);
      }
      this.#joined = newest;
    }
    return this.#seqs.get(id);
  }

  /** The event is no longer held. */
  forget({ id, seq }: CapturedEvent): void {
    if (seq <= this.#joined) this.#seqs.delete(id);
  }

  /** All events are about to get another `seq`. */
  clear(): void {
    this.#seqs.clear();
  }
}

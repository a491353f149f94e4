import type { TrackerRefusal } from "./h1.ts";
import type { RequestHead } from "./head.ts";

/** Pipelined requests that may wait for their turn before no more are read. */
const MAX_AHEAD = 256;

/** What the inner server is to call for next: a request, or one that was refused and needs its answer in turn. */
export type Expected =
  | { readonly head: RequestHead; readonly unread?: Uint8Array }
  | { readonly refusal: TrackerRefusal };

/** Requests of one connection that were passed on and that the inner server has not called for yet, in order. */
export class ExpectedCalls {
  readonly #waiting: Expected[] = [];
  #turns: PromiseWithResolvers<void> | undefined;
  #ended = false;

  get length(): number {
    return this.#waiting.length;
  }

  push(expected: Expected): void {
    this.#waiting.push(expected);
  }

  shift(): Expected | undefined {
    const expected = this.#waiting.shift();
    if (!this.full) this.#turns?.resolve();
    return expected;
  }

  /** Whether so many wait that a client could pile them up. */
  get full(): boolean {
    return this.#waiting.length > MAX_AHEAD;
  }

  /** Resolves when few are left, or nothing matters any more. */
  async turn(): Promise<void> {
    this.#turns = Promise.withResolvers();
    if (this.full && !this.#ended) await this.#turns.promise;
    this.#turns = undefined;
  }

  /** Whoever waits for a turn waits no longer. */
  end(): void {
    this.#ended = true;
    this.#turns?.resolve();
  }
}

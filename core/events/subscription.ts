import type { StreamItem } from "./event.ts";

/** Items a reader may be behind before it misses some. */
export const QUEUE_LIMIT = 256;

/** One reader's queue: bounded, and never in the way of the writer. */
export class Subscription implements AsyncIterableIterator<StreamItem> {
  #queue: StreamItem[];
  #wake: ((result: IteratorResult<StreamItem>) => void) | undefined;
  #done = false;
  readonly #limit: number;
  readonly #wants: (item: StreamItem) => boolean;
  readonly #onEnd: (self: Subscription) => void;

  constructor(options: {
    replay: readonly StreamItem[];
    wants: (item: StreamItem) => boolean;
    onEnd: (self: Subscription) => void;
  }) {
    this.#queue = [...options.replay];
    this.#limit = QUEUE_LIMIT + options.replay.length;
    this.#wants = options.wants;
    this.#onEnd = options.onEnd;
  }

  push(item: StreamItem): void {
    if (this.#done || !this.#wants(item)) return;
    if (this.#wake !== undefined) {
      const wake = this.#wake;
      this.#wake = undefined;
      wake({ value: item, done: false });
      return;
    }
    if (this.#queue.length < this.#limit) {
      this.#queue.push(item);
    } else if (this.#queue.at(-1)?.kind !== "gap") {
      // Told once that it misses something, in the place where that is; it goes on when it has caught up.
      this.#queue.push({ kind: "gap" });
    }
  }

  next(): Promise<IteratorResult<StreamItem>> {
    const item = this.#queue.shift();
    if (item !== undefined) return Promise.resolve({ value: item, done: false });
    if (this.#done) return Promise.resolve({ value: undefined, done: true });
    return new Promise((resolve) => this.#wake = resolve);
  }

  return(): Promise<IteratorResult<StreamItem>> {
    this.end();
    return Promise.resolve({ value: undefined, done: true });
  }

  end(): void {
    if (this.#done) return;
    this.#done = true;
    this.#queue = [];
    this.#wake?.({ value: undefined, done: true });
    this.#wake = undefined;
    this.#onEnd(this);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

import type { StreamItem } from "./event.ts";
import { bytesOfEvent } from "./cost.ts";
import { type Feed, QUEUE_LIMIT } from "./feed.ts";

/** Options of a reader. */
export interface SubscriptionAbout {
  /** Earlier items, which come first. */
  readonly replay: readonly StreamItem[];
  /** Equal for readers that want the same items. */
  readonly key: string;
  wants(item: StreamItem): boolean;
  onEnd(self: Subscription): void;
}

/** Queue of one reader: bounded, and never blocking the writer. It is filled from the feed on access. */
export class Subscription implements AsyncIterableIterator<StreamItem> {
  readonly key: string;
  readonly wants: (item: StreamItem) => boolean;
  readonly #feed: Feed;
  readonly #onEnd: (self: Subscription) => void;
  readonly #limit: number;
  #queue: StreamItem[];
  /** It missed items, and continues once its queue is empty. */
  #behind = false;
  #wake: (() => void) | undefined;
  #done = false;

  constructor(feed: Feed, { replay, key, wants, onEnd }: SubscriptionAbout) {
    this.#feed = feed;
    this.#queue = [...replay];
    this.#limit = QUEUE_LIMIT + replay.length;
    this.key = key;
    this.wants = wants;
    this.#onEnd = onEnd;
    feed.add(this);
  }

  /** Whether it accepts no more items until all of them have been taken. */
  get behind(): boolean {
    return this.#behind;
  }

  /** Whether it waits for an item. */
  get waits(): boolean {
    return this.#wake !== undefined;
  }

  /** Called by the feed with the items that it wants. */
  put(items: readonly StreamItem[]): void {
    for (const item of items) {
      if (this.#behind) return;
      if (this.#queue.length < this.#limit) this.#queue.push(item);
      else {
        // One gap, in place of the missing items.
        this.#queue.push({ kind: "gap" });
        this.#behind = true;
      }
    }
    if (this.#queue.length > 0) this.nudge();
  }

  /** Ends the wait of `ready`, for a reader with other work to do. */
  nudge(): void {
    this.#wake?.();
    this.#wake = undefined;
  }

  /** Resolves when there is an item, or after a nudge; with false at the end. */
  async ready(): Promise<boolean> {
    this.#fill();
    if (this.#queue.length === 0 && !this.#done) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      this.#feed.wait(this);
      await promise;
    }
    return !this.#done;
  }

  /** Takes the queued items in order, up to the one whose raw body brings their total to `bytes`. */
  take(bytes: number): readonly StreamItem[] {
    this.#fill();
    let count = 0;
    for (let left = bytes; count < this.#queue.length && left > 0; count++) {
      const item = this.#queue[count]!;
      if (item.kind === "captured") left -= bytesOfEvent(item.event);
    }
    const taken = this.#queue.splice(0, count);
    this.#rejoin();
    return taken.filter((item, at) => item.kind !== "gap" || taken[at - 1]?.kind !== "gap");
  }

  next(): Promise<IteratorResult<StreamItem>> {
    this.#fill();
    const item = this.#queue.shift();
    if (item === undefined) return this.#waitForNext();
    this.#rejoin();
    return Promise.resolve({ value: item, done: false });
  }

  async #waitForNext(): Promise<IteratorResult<StreamItem>> {
    return await this.ready() ? await this.next() : { value: undefined, done: true };
  }

  return(): Promise<IteratorResult<StreamItem>> {
    this.end();
    return Promise.resolve({ value: undefined, done: true });
  }

  end(): void {
    if (this.#done) return;
    this.#done = true;
    this.#queue = [];
    this.#feed.remove(this);
    this.nudge();
    this.#onEnd(this);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #fill(): void {
    if (!this.#done && !this.#behind) this.#feed.fill(this);
  }

  #rejoin(): void {
    if (!this.#behind || this.#queue.length > 0 || this.#done) return;
    this.#behind = false;
    this.#feed.add(this);
  }
}

import { bytesOfEvent } from "./cost.ts";
import type { CapturedEvent, StreamItem } from "./event.ts";

/** Items a reader may fall behind before it misses some. */
export const QUEUE_LIMIT = 256;

/** Size of an event, in bytes, from which the feed does not keep it longer than the store does. */
const LARGE_BYTES = 16 * 1024;

/** A reader that takes items at its own pace. */
interface Reader {
  /** Equal for readers that want the same items. */
  readonly key: string;
  /** Whether it accepts no more items until all of them have been taken. */
  readonly behind: boolean;
  /** Whether it waits for an item. */
  readonly waits: boolean;
  wants(item: StreamItem): boolean;
  /** Queues the items that it wants. */
  put(items: readonly StreamItem[]): void;
}

/** Waiting readers served per millisecond. */
const READERS_A_MS = 20;

/**
 * Sends items to any number of readers. An item is stored once, however many readers there are, and each reader catches
 * up when it is ready. Waiting readers are served together: the more there are, the less often.
 */
export class Feed {
  /** The latest items, in a ring: item `n` is at `n` modulo `QUEUE_LIMIT`. */
  readonly #latest: StreamItem[] = [];
  /** The items of large events, which the ring and the queues of readers share. */
  readonly #large = new WeakMap<CapturedEvent, StreamItem>();
  #count = 0;
  /** Position of each reader, and the reverse, except for readers that are behind. */
  readonly #places = new Map<Reader, number>();
  readonly #readersAt = new Map<number, Set<Reader>>();
  readonly #waiting = new Set<Reader>();
  /** The last result of `#wantedSince`, for other readers with the same key. */
  #wanted: { key: string; from: number; to: number; items: readonly StreamItem[] } | undefined;
  #lookedMs = -Infinity;
  #looking = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Whether there are readers. */
  get followed(): boolean {
    return this.#places.size > 0;
  }

  push(item: StreamItem): void {
    const overwritten = this.#readersAt.get(this.#count - QUEUE_LIMIT);
    if (overwritten !== undefined) { for (const reader of [...overwritten]) this.fill(reader); }
    const kept = item.kind === "captured" ? this.toItem(item.event) : item;
    this.#latest[this.#count % QUEUE_LIMIT] = kept;
    this.#count++;
    if (this.#waiting.size > 0) this.#schedule();
  }

  /**
   * The store no longer holds the event. If it is large, readers that have not taken it yet get a gap instead: otherwise
   * a slow reader, and the ring itself, would keep hundreds of them in memory.
   */
  forget(event: CapturedEvent): void {
    const item = this.#large.get(event);
    if (item === undefined) return;
    this.#large.delete(event);
    Object.assign(item, { kind: "gap", event: undefined });
  }

  /** Returns the item of a captured event for a reader; `forget` turns that of a large one into a gap. */
  toItem(event: CapturedEvent): StreamItem {
    const known = this.#large.get(event);
    if (known !== undefined) return known;
    const item: StreamItem = { kind: "captured", event };
    if (bytesOfEvent(event) >= LARGE_BYTES) this.#large.set(event, item);
    return item;
  }

  /** Adds a reader at the current position. */
  add(reader: Reader): void {
    this.#place(reader, this.#count);
  }

  remove(reader: Reader): void {
    this.#displace(reader);
    this.#waiting.delete(reader);
    if (this.#waiting.size > 0) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Serves a reader as soon as it can. */
  wait(reader: Reader): void {
    this.#waiting.add(reader);
  }

  /** Gives a reader the items it wants since its position. */
  fill(reader: Reader): void {
    const from = this.#places.get(reader);
    if (from === undefined || from === this.#count) return;
    this.#displace(reader);
    reader.put(this.#wantedSince(reader, from));
    if (!reader.behind) this.#place(reader, this.#count);
  }

  #wantedSince({ key, wants }: Reader, from: number): readonly StreamItem[] {
    const to = this.#count;
    const last = this.#wanted;
    if (last?.key === key && last.from === from && last.to === to) return last.items;
    const items: StreamItem[] = [];
    for (let at = from; at < to; at++) {
      const item = this.#latest[at % QUEUE_LIMIT]!;
      if (wants(item)) items.push(item);
    }
    this.#wanted = { key, from, to, items };
    return items;
  }

  #place(reader: Reader, at: number): void {
    this.#places.set(reader, at);
    const there = this.#readersAt.get(at);
    if (there === undefined) this.#readersAt.set(at, new Set([reader]));
    else there.add(reader);
  }

  #displace(reader: Reader): void {
    const at = this.#places.get(reader);
    if (at === undefined) return;
    this.#places.delete(reader);
    const there = this.#readersAt.get(at)!;
    there.delete(reader);
    if (there.size === 0) this.#readersAt.delete(at);
  }

  #schedule(): void {
    if (this.#looking || this.#timer !== undefined) return;
    const dueMs = this.#lookedMs + this.#waiting.size / READERS_A_MS;
    const leftMs = dueMs - performance.now();
    if (leftMs > 1) {
      this.#timer = setTimeout(() => this.#look(), leftMs);
      return;
    }
    this.#looking = true;
    queueMicrotask(() => this.#look());
  }

  #look(): void {
    this.#timer = undefined;
    this.#looking = false;
    for (const reader of [...this.#waiting]) {
      this.#waiting.delete(reader);
      this.fill(reader);
      if (reader.waits) this.#waiting.add(reader);
    }
    this.#lookedMs = performance.now();
  }
}

import type { StreamItem } from "./event.ts";

/** Items a reader may be behind before it misses some. */
export const QUEUE_LIMIT = 256;

/** A reader that takes items at its own pace. */
interface Reader {
  /** Equal for readers that want the same. */
  readonly key: string;
  /** Whether it accepts no more items until all of them have been taken. */
  readonly behind: boolean;
  /** Whether it waits for something to take. */
  readonly waits: boolean;
  wants(item: StreamItem): boolean;
  /** What it wants of what happened. */
  put(items: readonly StreamItem[]): void;
}

/** Readers that are looked through for each millisecond that goes by. */
const READERS_A_MS = 20;

/**
 * What happens, told to any number of readers: an item is noted once, however many there are, and a reader looks at what
 * it has missed when it wants to go on. Those that wait are looked through together, the less often the more they are.
 */
export class Feed {
  /** The latest items, round the end: item `n` is at `n` modulo their number. */
  readonly #latest: StreamItem[] = [];
  #count = 0;
  /** Up to where each reader has looked, and the other way round; not those that are behind. */
  readonly #places = new Map<Reader, number>();
  readonly #readersAt = new Map<number, Set<Reader>>();
  readonly #waiting = new Set<Reader>();
  /** What readers of one kind wanted last: those that do the same look at the same items. */
  #wanted: { key: string; from: number; to: number; items: readonly StreamItem[] } | undefined;
  #lookedMs = -Infinity;
  #looking = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Whether anybody would see what happens. */
  get followed(): boolean {
    return this.#places.size > 0;
  }

  push(item: StreamItem): void {
    const overwritten = this.#readersAt.get(this.#count - QUEUE_LIMIT);
    if (overwritten !== undefined) { for (const reader of [...overwritten]) this.fill(reader); }
    this.#latest[this.#count % QUEUE_LIMIT] = item;
    this.#count++;
    if (this.#waiting.size > 0) this.#schedule();
  }

  /** A reader goes on with what happens from now on. */
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

  /** A reader is to be given what it wants as soon as there is some. */
  wait(reader: Reader): void {
    this.#waiting.add(reader);
  }

  /** Gives a reader what it wants of all that has happened since it looked. */
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

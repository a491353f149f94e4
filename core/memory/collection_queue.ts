/** Pause between two checks whether garbage was collected, in milliseconds, and the number of checks. */
const COLLECT_MS = 25;
const COLLECT_LOOKS = 80;
/** Checks for a collection after which stored data gives way: about a second, so that there was a collection. */
const COLLECTED_LOOKS = 40;
/** Bytes of garbage that may continue at one check: what they allocate shows only at the next one. */
const MOST_BYTES = 2 * 1024 * 1024;

interface Waiter {
  readonly bytes: number;
  readonly resolve: () => void;
  looks: number;
}

/**
 * Responses and bodies that wait for a garbage collection, first come, first served. One timer checks for all of them,
 * because a check reads the size of the heap and thousands may wait.
 */
export class CollectionQueue {
  readonly #hasRoomAfter: (bytes: number) => boolean;
  readonly #onLongWait: () => void;
  #waiters: Waiter[] = [];
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(options: {
    /** Counts bytes of garbage, and returns whether there is still room. */
    hasRoomAfter(bytes: number): boolean;
    /** Called at each check while a collection does not help. */
    onLongWait(): void;
  }) {
    this.#hasRoomAfter = options.hasRoomAfter;
    this.#onLongWait = options.onLongWait;
  }

  /** Resolves once there is room after this many bytes of garbage, or after two seconds. */
  wait(bytes: number): Promise<void> {
    return new Promise((resolve) => {
      this.#waiters.push({ bytes, resolve, looks: 0 });
      this.#timer ??= setInterval(() => this.#look(), COLLECT_MS);
    });
  }

  #look(): void {
    let hasRoom = true;
    let isLong = false;
    let released = 0;
    this.#waiters = this.#waiters.filter((waiter) => {
      // Counted again: those that waited together continue together.
      hasRoom &&= released < MOST_BYTES && this.#hasRoomAfter(waiter.bytes);
      if (hasRoom) released += waiter.bytes;
      const isOver = hasRoom || ++waiter.looks >= COLLECT_LOOKS;
      if (isOver) waiter.resolve();
      else isLong ||= waiter.looks > COLLECTED_LOOKS;
      return !isOver;
    });
    if (isLong) this.#onLongWait();
    if (this.#waiters.length > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

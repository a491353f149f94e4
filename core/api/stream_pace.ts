/** Average cost of one turn of a stream, in milliseconds, apart from its bytes. */
const TURN_MS = 0.5;
/** Unused turns that may be taken later, in milliseconds: one event reaches a thousand streams without a wait. */
const SAVED_MS = 500;
/** Turns in a row, before other work runs. */
const TURNS_AT_ONCE = 64;
/** Bytes per millisecond of all streams together. */
const BYTES_A_MS = 60_000;

/**
 * Limits the cost of streams. A blocked reader looks like any other until the buffers on the way to it are full,
 * megabytes later; a thousand of those would use all the time.
 */
export class StreamPace {
  readonly #waiting: (() => void)[] = [];
  /** Time until which the turns taken are paid for. */
  #turnsPaidMs = 0;
  /** The same for the bytes sent. */
  #bytesPaidMs = 0;
  #turnsLeft = TURNS_AT_ONCE;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Resolves when the next stream may send; streams take turns. */
  turn(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    if (this.#timer === undefined) this.#release();
    return promise;
  }

  /** Counts sent bytes. */
  spent(bytes: number): void {
    this.#bytesPaidMs = Math.max(this.#bytesPaidMs, performance.now()) + bytes / BYTES_A_MS;
  }

  #release(): void {
    const nowMs = performance.now();
    const paidMs = () => Math.max(this.#turnsPaidMs, this.#bytesPaidMs);
    for (
      ;
      this.#waiting.length > 0 && this.#turnsLeft > 0 && paidMs() <= nowMs;
      this.#turnsLeft--
    ) {
      this.#turnsPaidMs = Math.max(this.#turnsPaidMs, nowMs - SAVED_MS) + TURN_MS;
      this.#waiting.shift()!();
    }
    if (this.#waiting.length === 0) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#turnsLeft = TURNS_AT_ONCE;
      this.#release();
    }, Math.max(1, paidMs() - nowMs));
  }
}

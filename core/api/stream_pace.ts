/** What one turn of a stream takes, in milliseconds, apart from its bytes. */
const TURN_MS = 0.5;
/** Bytes that all streams together may send for each millisecond. */
const BYTES_A_MS = 60_000;

/**
 * Shares out what streams may cost. A reader that takes nothing cannot be told from one that does before the buffers on
 * the way to it are full, megabytes later; a thousand of those would leave no time for anything else.
 */
export class StreamPace {
  readonly #waiting: (() => void)[] = [];
  /** When the turns taken so far are paid for. */
  #freeMs = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Resolves when the next stream may send; they take turns. */
  turn(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    if (this.#timer === undefined) this.#release();
    return promise;
  }

  /** So many bytes were sent. */
  spent(bytes: number): void {
    this.#freeMs = Math.max(this.#freeMs, performance.now()) + bytes / BYTES_A_MS;
  }

  #release(): void {
    this.#timer = undefined;
    const nowMs = performance.now();
    while (this.#waiting.length > 0 && this.#freeMs <= nowMs) {
      this.#freeMs = Math.max(this.#freeMs, nowMs - TURN_MS) + TURN_MS;
      this.#waiting.shift()!();
    }
    if (this.#waiting.length === 0) return;
    this.#timer = setTimeout(() => this.#release(), Math.max(1, this.#freeMs - nowMs));
  }
}

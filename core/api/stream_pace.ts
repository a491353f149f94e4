/** What one turn of a stream takes in the long run, in milliseconds, apart from its bytes. */
const TURN_MS = 0.5;
/** Turns that were not taken and may be later, in milliseconds: one event goes to a thousand streams without a wait. */
const SAVED_MS = 500;
/** Turns at a stretch, before everybody else is served. */
const TURNS_AT_ONCE = 64;
/** Bytes that all streams together may send for each millisecond. */
const BYTES_A_MS = 60_000;

/**
 * Shares out what streams may cost. A reader that takes nothing cannot be told from one that does before the buffers on
 * the way to it are full, megabytes later; a thousand of those would leave no time for anything else.
 */
export class StreamPace {
  readonly #waiting: (() => void)[] = [];
  /** When the turns taken so far are paid for. */
  #turnsPaidMs = 0;
  /** When the bytes sent so far are. */
  #bytesPaidMs = 0;
  #turnsLeft = TURNS_AT_ONCE;
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

/** Keeps the time of the last message. */
export class Store {
  #lastMicros = 0;

  /** Returns the next `ts`: Unix seconds, a dot, six digits; each greater than the one before. */
  nextTs(nowMs: number): string {
    this.#lastMicros = Math.max(nowMs * 1000, this.#lastMicros + 1);
    const seconds = Math.floor(this.#lastMicros / 1_000_000);
    return `${seconds}.${String(this.#lastMicros % 1_000_000).padStart(6, "0")}`;
  }
}

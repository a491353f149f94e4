/** Makes `ts` values: unix seconds, a dot, six digits; each greater than the one before. */
export class Timestamps {
  #lastMicros = 0;

  next(nowMs: number): string {
    this.#lastMicros = Math.max(nowMs * 1000, this.#lastMicros + 1);
    const seconds = Math.floor(this.#lastMicros / 1_000_000);
    return `${seconds}.${String(this.#lastMicros % 1_000_000).padStart(6, "0")}`;
  }
}

/** Large records that may be read at a time although there is no memory. */
const MAX_SPARE = 4;

/** Permits to read a large record without memory. */
export class SpareRecords {
  #left = MAX_SPARE;

  /** Returns a permit, to be disposed of, if one is left. */
  take(): Disposable | undefined {
    if (this.#left === 0) return undefined;
    this.#left--;
    return { [Symbol.dispose]: () => void this.#left++ };
  }
}

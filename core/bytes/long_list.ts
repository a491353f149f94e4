/** A JSON array whose items are created one by one while it is written, so that they are never all in memory. */
export class LongList<T> {
  readonly #items: readonly T[];
  readonly #toValue: (item: T) => unknown;

  constructor(items: readonly T[], toValue: (item: T) => unknown) {
    this.#items = items;
    this.#toValue = toValue;
  }

  /** Number of items. */
  get length(): number {
    return this.#items.length;
  }

  /** Yields the items in order, each created on demand. */
  *values(): Generator<unknown> {
    for (const item of this.#items) yield this.#toValue(item);
  }

  /** Returns all items as one value. */
  toJSON(): unknown[] {
    return [...this.values()];
  }
}

/** A JSON array whose items are created one by one while it is written, so that they are never all in memory. */
export class LongList<T> {
  readonly #items: () => Iterable<T>;
  readonly #toValue: (item: T) => unknown;

  /** `items` may be a function that creates them anew each time. */
  constructor(items: readonly T[] | (() => Iterable<T>), toValue: (item: T) => unknown) {
    this.#items = typeof items === "function" ? items : () => items;
    this.#toValue = toValue;
  }

  /** Whether there are no items. */
  get isEmpty(): boolean {
    return this.#items()[Symbol.iterator]().next().done === true;
  }

  /** Yields the items in order, each created on demand. */
  *values(): Generator<unknown> {
    for (const item of this.#items()) yield this.#toValue(item);
  }

  /** Returns all items as one value. */
  toJSON(): unknown[] {
    return [...this.values()];
  }
}

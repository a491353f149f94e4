/** An array of JSON whose items are made when they are written, one by one, so that they never have to be there together. */
export class LongList<T> {
  readonly #items: readonly T[];
  readonly #toValue: (item: T) => unknown;

  constructor(items: readonly T[], toValue: (item: T) => unknown) {
    this.#items = items;
    this.#toValue = toValue;
  }

  /** How many. */
  get length(): number {
    return this.#items.length;
  }

  /** In order, each made now. */
  *values(): Generator<unknown> {
    for (const item of this.#items) yield this.#toValue(item);
  }

  /** All pieces as one value. */
  toJSON(): unknown[] {
    return [...this.values()];
  }
}

/** Result type of `compact`: every property may be absent, and none is `undefined`. */
export type Compact<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/**
 * Returns the properties that have a value. For optional ones, which `exactOptionalPropertyTypes` wants absent rather
 * than `undefined`: `{ id, ...compact({ name, size }) }`.
 */
export function compact<T extends object>(values: T): Compact<T> {
  const present: Compact<T> = {};
  for (const name in values) {
    const value = values[name];
    if (value !== undefined) present[name] = value as Exclude<T[typeof name], undefined>;
  }
  return present;
}

/**
 * Returns an own property of an object, or `undefined`. Names chosen by a sender must be looked up
 * this way, because every object inherits `constructor` and others.
 */
export function ownValue<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

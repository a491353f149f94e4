/**
 * Returns a value of a table, or `undefined`. Names that a sender chose must be looked up so: `constructor` and others
 * are in every object literal.
 */
export function ownValue<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/**
 * Returns a key for a `Map` or `Set` of names that a peer chooses. V8 derives the hash of a string of digits from its
 * number, without a seed, so names such as `65536` and `131072` collide, and each look-up walks all of them.
 */
export function mapKey(name: string): string {
  return `:${name}`;
}

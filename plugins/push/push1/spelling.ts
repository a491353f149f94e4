/**
 * The two spellings of a field in the JSON form of protocol buffers
 * (https://protobuf.dev/programming-guides/json/#field-names): the name itself and the same in camel case. One official
 * client uses both in one body.
 *
 * @module
 */

/** `collapse_key` gives `collapseKey`. */
export function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** The spelling that counts of a field in an object: camel case wins; `undefined` when it is absent or null. */
export function spellingIn(
  object: Readonly<Record<string, unknown>>,
  name: string,
): string | undefined {
  for (const spelling of [camelCase(name), name]) {
    if (Object.hasOwn(object, spelling) && (object[spelling] ?? null) !== null) return spelling;
  }
  return undefined;
}

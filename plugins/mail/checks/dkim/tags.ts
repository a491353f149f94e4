/** Tag lists of DKIM, RFC 6376 section 3.2: `name=value; name=value`. */

/** Maximum number of parsed characters of a list. */
const MAX_LIST = 16_384;

/** Parses a list. A name that occurs twice makes the list invalid: `undefined`. */
export function parseTags(text: string): ReadonlyMap<string, string> | undefined {
  const tags = new Map<string, string>();
  for (const part of text.slice(0, MAX_LIST).split(";")) {
    if (part.trim() === "") continue;
    const equals = part.indexOf("=");
    const name = part.slice(0, equals).trim();
    if (equals < 0 || !/^[A-Za-z][A-Za-z0-9_]*$/.test(name) || tags.has(name)) return undefined;
    tags.set(name, part.slice(equals + 1).trim());
  }
  return tags;
}

/** Decodes base64 that may contain folding white space. */
export function withoutSpace(value: string): string {
  return value.replaceAll(/\s+/g, "");
}

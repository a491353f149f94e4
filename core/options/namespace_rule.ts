/** Settings that derive the namespace of an event from a text, such as a credential. */

/** Reads a namespace from a text; returns nothing if the text does not match. */
export type NamespaceRule = (text: string) => string | undefined;

const PLACE = "{namespace}";
/** Characters inspected of a credential or recipient. */
const MAX_TEXT = 256;
/** Maximum number of wildcards: more would make a hostile text slow to match. */
const MAX_STARS = 2;

/**
 * Parses `name=pattern`, or a pattern that contains `{namespace}`, such as `*+{namespace}@example.org`; `*` matches any
 * text. Throws `RangeError` with the expected form.
 */
export function parseNamespaceRule(rule: string): NamespaceRule {
  const named = rule.includes(PLACE) ? undefined : /^([\w.:@-]{1,64})=(.+)$/.exec(rule);
  const pattern = named?.[2] ?? rule;
  const places = rule.split(PLACE).length - 1;
  if (named === null || places > 1 || pattern.split("*").length - 1 > MAX_STARS) {
    throw new RangeError(
      `expected name=pattern, or a pattern with one {namespace} in it, and at most ${MAX_STARS} *, not "${rule}"`,
    );
  }
  const source = pattern.split(/(\*|\{namespace\})/).map((part) =>
    part === "*" ? ".*" : part === PLACE ? "([\\w.:-]{1,64}?)" : RegExp.escape(part)
  );
  const fits = new RegExp(`^${source.join("")}$`, "is");
  return (text) => {
    const match = fits.exec(text.slice(0, MAX_TEXT));
    return match === null ? undefined : named?.[1] ?? match[1];
  };
}

/** Longest pattern taken. */
const MAX_PATTERN = 1000;
/** Characters of a text that a pattern is matched with. */
const MAX_TEXT = 262_144;

/** Whether a text has a match. */
export type TestText = (text: string) => boolean;

/**
 * Makes tests of patterns that come over the network: RE2 syntax, whose time grows with the text alone, so that no
 * pattern can keep the service busy. The library is loaded when it is first needed.
 */
export async function loadRegex(): Promise<(pattern: string) => TestText> {
  const { RE2JS } = await import("re2js");
  return (pattern) => {
    if (pattern.length > MAX_PATTERN) {
      throw new RangeError(`it has ${pattern.length} characters, at most ${MAX_PATTERN} are taken`);
    }
    const compiled = RE2JS.compile(pattern);
    return (text) => compiled.matcher(text.slice(0, MAX_TEXT)).find();
  };
}

/** Returns whether a text contains the search text, ignoring case. */
export type TextTest = (text: string) => boolean;

/** Tests kept for reuse: streams and waits repeat the same search for each event. */
const KEPT = 64;

/** Longest search, in characters, that becomes a pattern: one of any length might be too large for the engine. */
const PATTERN_LENGTH = 256;

const tests = new Map<string, TextTest>();

/**
 * Returns the test of a search. It is equivalent to `text.toLowerCase().includes(search.toLowerCase())`, without a copy of
 * the text: a temporary copy would take most of the time, and a kept one memory for each event.
 */
export function textTest(search: string): TextTest {
  let test = tests.get(search);
  if (test === undefined) {
    test = makeTest(search.toLowerCase());
    const [oldest] = tests.keys();
    if (tests.size >= KEPT && oldest !== undefined) tests.delete(oldest);
    tests.set(search, test);
  }
  return test;
}

/**
 * Characters whose lower case a pattern cannot express: that of a sigma depends on its neighbours, `İ` becomes an `i` and
 * a dot above (Unicode, SpecialCasing.txt), and characters beyond 16 bits are surrogate pairs.
 */
const NEEDS_COPY = /[σς\u0307\ud800-\udfff]/;

function makeTest(part: string): TextTest {
  if (part.length > PATTERN_LENGTH || NEEDS_COPY.test(part)) {
    return (text) => text.toLowerCase().includes(part);
  }
  const pattern = toPattern(part);
  return (text) => pattern.test(text);
}

/** Without the `i` flag, which folds more characters than `toLowerCase`. */
function toPattern(part: string): RegExp {
  const others = otherForms();
  const classes = [...part].map((character, at) => {
    // A dot above follows the `i` that `İ` becomes, so a match can end with it only.
    const dotted = character === "i" && at === part.length - 1 ? "İ" : "";
    return `[${escape(character + (others.get(character) ?? "") + dotted)}]`;
  });
  return new RegExp(classes.join(""));
}

function escape(characters: string): string {
  return characters.replace(
    /[^]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

let forms: ReadonlyMap<string, string> | undefined;

/** Characters by their lower case: about 1400 of 16 bits, collected at the first search. */
function otherForms(): ReadonlyMap<string, string> {
  if (forms !== undefined) return forms;
  const found = new Map<string, string>();
  for (let code = 0; code <= 0xffff; code++) {
    const character = String.fromCharCode(code);
    const lower = character.toLowerCase();
    if (lower !== character && lower.length === 1) {
      found.set(lower, (found.get(lower) ?? "") + character);
    }
  }
  return forms = found;
}

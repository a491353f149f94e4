/** Whether a text contains what is searched for, whatever the case of either. */
export type TextTest = (text: string) => boolean;

/** Searches whose tests are kept: whoever follows or waits asks the same again with each event. */
const KEPT = 64;

/** Longest search, in characters, that becomes a pattern: one of any length might be too large for the engine. */
const PATTERN_LENGTH = 256;

const tests = new Map<string, TextTest>();

/**
 * The test for a search. It finds what `text.toLowerCase().includes(search.toLowerCase())` finds, but makes no copy of a
 * text: neither for a moment, which would cost most of the time, nor for later, which would cost memory for each event.
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
 * Characters whose lower case is not for a pattern to tell: a sigma's depends on what is around it, `İ` turns into an `i`
 * and a dot above (Unicode, SpecialCasing.txt), and those beyond 16 bits come in two halves.
 */
const NEEDS_COPY = /[σς\u0307\ud800-\udfff]/;

function makeTest(part: string): TextTest {
  if (part.length > PATTERN_LENGTH || NEEDS_COPY.test(part)) {
    return (text) => text.toLowerCase().includes(part);
  }
  const pattern = toPattern(part);
  return (text) => pattern.test(text);
}

/** No flag for the case: it would also fold what `toLowerCase` does not. */
function toPattern(part: string): RegExp {
  const others = otherForms();
  const classes = [...part].map((character, at) => {
    // A dot above follows the `i` that `İ` turns into, so only as the last one it can be part of a find.
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

/** Characters by their lower case, as the platform has it: about 1400 of 16 bits, gathered at the first search. */
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

/** Returns the candidate that a mistyped word most likely means, if any is close. */
export function suggest(word: string, candidates: readonly string[]): string | undefined {
  const typed = normalise(word);
  let best: string | undefined;
  // A third of the word may be wrong, at most three letters.
  let least = Math.min(3, Math.max(1, Math.floor(typed.length / 3))) + 1;
  for (const candidate of candidates) {
    const cost = distance(typed, normalise(candidate), least);
    if (cost < least) {
      best = candidate;
      least = cost;
    }
  }
  return best;
}

/** Returns `did you mean port? Valid keys are ...`, shared by flags, files and names. */
export function didYouMean(
  word: string,
  candidates: readonly string[],
  options: {
    what: string;
    show?: (name: string) => string;
    /** Where to find the full list; replaces a long one. */
    help?: string | undefined;
  },
): string {
  const show = options.show ?? ((name) => name);
  const near = suggest(word, candidates);
  const valid = candidates.length === 0
    ? `there are no valid ${options.what}`
    : options.help !== undefined && candidates.length > MANY
    ? `all valid ${options.what} are listed by ${options.help}`
    : `valid ${options.what} are ${candidates.map(show).join(", ")}`;
  return near === undefined ? valid : `did you mean ${show(near)}? ${capital(valid)}`;
}

/** Longest name repeated in a message, in characters. */
const SHOWN = 80;

/** Returns a value of JSON as text for a message: an object may have a `toString` that is no function. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value) ?? "";
}

/** Quotes a name, shortened, on one line. */
export function shownName(name: string): string {
  return JSON.stringify(name.length > SHOWN ? `${name.slice(0, SHOWN)}…` : name);
}

/** Returns `unknown parameter "subjct"; did you mean "subject"? known are ...`, for the API and its clients. */
export function unknownName(
  what: string,
  name: string,
  known: readonly string[],
  /** Further words that may be meant, which the list leaves out. */
  others: readonly string[] = [],
): string {
  const near = suggest(name, [...known, ...others]);
  const hint = near === undefined ? "" : ` did you mean "${near}"?`;
  const all = known.length === 0 ? "there are none here" : `known are ${known.join(", ")}`;
  return `unknown ${what} ${shownName(name)};${hint} ${all}`;
}

/** Longest list of names in the middle of a message. */
const MANY = 16;

function capital(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

/** Longest beginning that is compared: input may be of any length. */
const MAX_LETTERS = 64;

function normalise(word: string): string {
  return word.slice(0, MAX_LETTERS).toLowerCase().replaceAll("_", "-");
}

/** Levenshtein distance where a swap of neighbours counts one; stops at `limit`. */
function distance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(
        previous[j]! + 1,
        row[j - 1]! + 1,
        previous[j - 1]! + (same ? 0 : 1),
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, before[j - 2]! + 1);
      }
      row.push(cost);
    }
    before = previous;
    previous = row;
  }
  return previous[b.length]!;
}

/** Throws `RangeError` for an option that is not one of these. */
export function checkOptions(what: string, given: object, valid: readonly string[]): void {
  const unknown = Object.keys(given).find((name) => !valid.includes(name));
  if (unknown !== undefined) {
    throw new RangeError(`${what}: ${unknownName("option", unknown, valid)}`);
  }
}

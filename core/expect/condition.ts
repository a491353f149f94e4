import type { Steps } from "../bytes/steps.ts";
import { reasonOf } from "../errors.ts";
import { didYouMean } from "../options/suggest.ts";
import type { TestText } from "./regex.ts";

/** Conditions on one value; all must hold. */
export interface Operators {
  /** An equal value, compared deeply. */
  readonly equals?: unknown;
  /**
   * A text contains this part; a list contains this value, or an object that contains this one; an object has these
   * properties with such values.
   */
  readonly contains?: unknown;
  /**
   * A text has a match. RE2 syntax: no look-around and no back-references; a leading `(?i)` ignores case. At most 1000
   * characters and 1000 instructions, matched with the first 262 144 characters of a text, or fewer if instructions times
   * characters would exceed 12 million.
   */
  readonly regex?: string | RegExp;
  /** Whether there is a value at all. */
  readonly exists?: boolean;
  /** This must not hold. */
  readonly not?: Condition;
}

/** Expected value at a path: a value that must be equal, or operators. Objects are compared with `equals`. */
export type Condition = string | number | boolean | null | readonly unknown[] | Operators;

/** A compiled condition, checked one value at a time, because matching a long text is slow. */
export type Check = (values: readonly unknown[]) => Steps<boolean>;

/** Maximum number of conditions of one pattern or rule: each looks at the whole event. */
const MAX_CONDITIONS = 200;

/** Returns the conditions of a `match`, by path. Throws `RangeError` that names `place`. */
export function conditionsOf(match: unknown, place: string): (readonly [string, unknown])[] {
  if (match === undefined) return [];
  if (!isObject(match)) {
    throw new RangeError(`Cannot use match of ${place}: expected conditions by path`);
  }
  const conditions = Object.entries(match);
  if (conditions.length <= MAX_CONDITIONS) return conditions;
  throw new RangeError(
    `Cannot use match of ${place}: expected at most ${MAX_CONDITIONS} conditions, ` +
      `not ${conditions.length}`,
  );
}

const OPERATORS = ["equals", "contains", "regex", "exists", "not"];

/** Returns whether a condition contains a regular expression given as text. */
export function hasPattern(condition: unknown): boolean {
  if (!isObject(condition)) return false;
  return typeof condition.regex === "string" || hasPattern(condition.not);
}

/**
 * Compiles a condition; if a path leads to several values, one that meets all of it is enough. `toTest` makes a test of a
 * pattern. Throws `RangeError` that names `place`.
 */
export function compileCondition(
  condition: unknown,
  place: string,
  toTest: (pattern: string) => TestText,
): Check {
  if (condition === undefined) throw new RangeError(`Cannot use ${place}: it is undefined`);
  if (!isObject(condition)) {
    return function* (values) {
      yield;
      return yield* anyOf(values, (value) => isEqual(value, condition));
    };
  }
  const keys = Object.keys(condition);
  const unknown = keys.find((key) => !OPERATORS.includes(key));
  if (unknown !== undefined || keys.length === 0) {
    const hint = didYouMean(unknown ?? "", OPERATORS, { what: "operators" });
    const what = unknown === undefined ? "it is empty" : `unknown operator "${unknown}"`;
    throw new RangeError(
      `Cannot use ${place}: ${what}; ${hint}; an object to compare with goes under equals or contains`,
    );
  }
  const { exists, not } = condition;
  if (exists !== undefined && typeof exists !== "boolean") {
    throw new RangeError(`Cannot use ${place}.exists: expected true or false`);
  }
  const each = valueChecks(condition, place, toTest);
  const unwanted = not === undefined ? undefined : compileCondition(not, `${place}.not`, toTest);
  return function* (values) {
    yield;
    if (exists !== undefined && exists !== values.length > 0) return false;
    if (unwanted !== undefined && (yield* unwanted(values))) return false;
    return each.length === 0 ||
      (yield* anyOf(values, (value) => each.every((fits) => fits(value))));
  };
}

function* anyOf(
  values: readonly unknown[],
  fits: (value: unknown) => boolean,
): Steps<boolean> {
  for (const value of values) {
    if (fits(value)) return true;
    yield;
  }
  return false;
}

function valueChecks(
  condition: Readonly<Record<string, unknown>>,
  place: string,
  toTest: (pattern: string) => TestText,
): ((value: unknown) => boolean)[] {
  const checks: ((value: unknown) => boolean)[] = [];
  const { equals, contains, regex } = condition;
  if (equals !== undefined) checks.push((value) => isEqual(value, equals));
  if (contains !== undefined) checks.push((value) => isIn(value, contains));
  if (regex !== undefined) {
    const test = readRegex(regex, place, toTest);
    checks.push((value) => isPrintable(value) && test(String(value)));
  }
  return checks;
}

function readRegex(
  regex: unknown,
  place: string,
  toTest: (pattern: string) => TestText,
): TestText {
  // A program's own expression is not limited.
  if (regex instanceof RegExp) return (text) => text.search(regex) >= 0;
  if (typeof regex !== "string") {
    throw new RangeError(`Cannot use ${place}.regex: expected text such as "^[0-9]{6}$"`);
  }
  try {
    return toTest(regex);
  } catch (error) {
    const reason = reasonOf(error);
    throw new RangeError(`Cannot use ${place}.regex "${regex.slice(0, 200)}": ${reason}`);
  }
}

function isPrintable(value: unknown): boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Equal as JSON: ignores prototypes and undefined properties. */
function isEqual(value: unknown, wanted: unknown): boolean {
  if (value === wanted || Object.is(value, wanted)) return true;
  if (Array.isArray(value)) {
    return Array.isArray(wanted) && value.length === wanted.length &&
      value.every((item, index) => isEqual(item, wanted[index]));
  }
  if (!isObject(value) || !isObject(wanted)) return false;
  return Object.keys(value).every((key) =>
    value[key] === undefined || Object.hasOwn(wanted, key)
  ) &&
    hasProperties(value, wanted, isEqual);
}

function isIn(value: unknown, wanted: unknown): boolean {
  if (typeof value === "string") return typeof wanted === "string" && value.includes(wanted);
  if (Array.isArray(value)) {
    return value.some((item) => isEqual(item, wanted) || isObject(item) && isIn(item, wanted));
  }
  return isObject(value) && isObject(wanted) &&
    hasProperties(
      value,
      wanted,
      (have, want) => isEqual(have, want) || isObject(want) && isIn(have, want),
    );
}

function hasProperties(
  value: Readonly<Record<string, unknown>>,
  wanted: Readonly<Record<string, unknown>>,
  fits: (have: unknown, want: unknown) => boolean,
): boolean {
  return Object.keys(wanted).every((key) =>
    wanted[key] === undefined || Object.hasOwn(value, key) && fits(value[key], wanted[key])
  );
}

/**
 * Settings of tests and benchmarks, from environment variables. A value that is not understood throws: ignored, it might
 * leave a test without a single round.
 *
 * @module
 */
import { didYouMean } from "../../core/options/suggest.ts";

/** Largest seed of random choices. */
const MAX_SEED = 2 ** 31 - 1;

/** Returns a whole number within a range, or `usual` if the variable is not set. Throws `RangeError`. */
export function numberFrom(
  variable: string,
  usual: number,
  { least = 1, most = 9999 } = {},
): number {
  const text = Deno.env.get(variable);
  if (text === undefined) return usual;
  const value = /^\d{1,10}$/.test(text) ? Number(text) : NaN;
  if (value >= least && value <= most) return value;
  throw new RangeError(
    `Cannot use ${variable}="${text}": expected a whole number from ${least} to ${most}`,
  );
}

/** Returns the seed of random choices; another one each time if the variable is not set. Throws `RangeError`. */
export function seedFrom(variable: string): number {
  const usual = Math.floor(Math.random() * 1e9);
  return numberFrom(variable, usual, { least: 0, most: MAX_SEED });
}

/** Returns names separated by commas; `undefined` if the variable is not set. Throws `TypeError` for an unknown one. */
export function namesFrom(
  variable: string,
  known: readonly string[],
): readonly string[] | undefined {
  const names = Deno.env.get(variable)?.split(",");
  const unknown = names?.find((name) => !known.includes(name));
  if (unknown === undefined) return names;
  const hint = didYouMean(unknown, known, { what: "names" });
  throw new TypeError(`Cannot use ${variable}="${unknown}": ${hint}`);
}

/** Returns whether the variable has the only value it may have. Throws `TypeError` for another one. */
export function isSet(variable: string, value: string): boolean {
  const given = Deno.env.get(variable);
  if (given === undefined || given === value) return given === value;
  throw new TypeError(`Cannot use ${variable}="${given}": expected ${value}`);
}

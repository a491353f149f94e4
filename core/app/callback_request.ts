/** Requests for callbacks, as the API takes them. */
import { reasonOf } from "../errors.ts";
import type { OptionSet, OptionSpec } from "../options/spec.ts";
import { unknownName } from "../options/suggest.ts";

/** Returns the members of an object. Throws `RangeError` for anything else. */
export function toTable(value: unknown, what: string): Record<string, unknown> {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return { ...value } as Record<string, unknown>;
  }
  throw new RangeError(`Cannot read ${what}: expected an object`);
}

/** Splits a request for a callback into its name and its parameters. Throws `RangeError`. */
export function readRequest(body: unknown): { name: string; given: Record<string, unknown> } {
  const { event: name, ...given } = toTable(body, "the request");
  if (typeof name === "string") return { name, given };
  throw new RangeError('Cannot read the request: expected "event" with the name of a callback');
}

/** Checks parameters and adds their defaults. Throws `RangeError`. */
export function readParams(
  params: OptionSet,
  given: Readonly<Record<string, unknown>>,
  name: string,
): Record<string, unknown> {
  for (const key of Object.keys(given)) {
    if (Object.hasOwn(params, key)) continue;
    const unknown = unknownName("parameter", key, Object.keys(params));
    throw new RangeError(`Cannot send "${name}": ${unknown}`);
  }
  const read = ([key, spec]: [string, OptionSpec<unknown>]) => {
    if (given[key] === undefined) return [key, spec.fallback] as const;
    try {
      return [key, spec.check(given[key])] as const;
    } catch (error) {
      throw new RangeError(`Cannot send "${name}" with ${key}: ${reasonOf(error)}`);
    }
  };
  return Object.fromEntries(Object.entries(params).map(read));
}

import { ApiError } from "../errors.ts";
import { unknownName } from "../options/suggest.ts";
import type { ParamSet, ParamValues } from "./route.ts";

/**
 * Reads a query, without its `?`, by the parameters that are declared for it. Throws `ApiError` 400 for a parameter
 * that is not among them, naming the nearest one that is, for one that is given twice, and for a value that cannot be
 * read.
 */
export function readQuery<Q extends ParamSet>(search: string, wanted: Q): ParamValues<Q> {
  const given = new URLSearchParams(search);
  if (search !== "") checkNames(given, Object.keys(wanted));
  // Present but empty is the same as not given.
  const values = Object.entries(wanted).map(([name, param]) =>
    [name, param.read(given.get(name) || null, name)] as const
  );
  return Object.fromEntries(values) as ParamValues<Q>;
}

function checkNames(given: URLSearchParams, known: readonly string[]): void {
  const seen = new Set<string>();
  for (const name of given.keys()) {
    if (!known.includes(name)) throw new ApiError(400, unknownName("parameter", name, known));
    if (seen.has(name)) throw new ApiError(400, `parameter "${name}" is given twice; give it once`);
    seen.add(name);
  }
}

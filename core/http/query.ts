import { ApiError } from "../errors.ts";
import { unknownName } from "../options/suggest.ts";
import { pluginOf, unknownFilter } from "./filters.ts";
import type { ParamSet, ParamValues, Route, RouteContext } from "./route.ts";

/** Returns the message for an unknown name. */
type Unknown = (name: string, known: readonly string[]) => string;

/**
 * Parses a query, without its `?`, by its declared parameters. Throws `ApiError` 400 for an unknown
 * parameter, with the nearest known one, for a repeated one, and for an invalid value.
 */
export function readQuery<Q extends ParamSet>(
  search: string,
  wanted: Q,
  unknown: Unknown = (name, known) => unknownName("parameter", name, known),
): ParamValues<Q> {
  const given = new URLSearchParams(search);
  if (search !== "") checkNames(given, Object.keys(wanted), unknown);
  // An empty value is the same as none.
  const values = Object.entries(wanted).map(([name, param]) =>
    [name, param.read(given.get(name) || null, name)] as const
  );
  return Object.fromEntries(values) as ParamValues<Q>;
}

/** Parses the query of a route, with the filters of the named plugin if the route takes them. */
export function readRouteQuery(
  search: string,
  { query, takesFilters }: Pick<Route<never>, "query" | "takesFilters">,
  { filters }: Pick<RouteContext, "filters">,
): ParamValues<ParamSet> {
  if (takesFilters === undefined || search === "") return readQuery(search, query);
  const given = new URLSearchParams(search);
  const plugin = pluginOf({ plugin: given.get("plugin"), type: given.get("type") });
  const own = plugin === undefined ? undefined : filters.get(plugin)?.query;
  return readQuery(
    search,
    { ...own, ...query },
    (name, known) => unknownFilter(name, { filters, plugin, known, what: "parameter" }),
  );
}

function checkNames(given: URLSearchParams, known: readonly string[], unknown: Unknown): void {
  const seen = new Set<string>();
  for (const name of given.keys()) {
    if (!known.includes(name)) throw new ApiError(400, unknown(name, known));
    if (seen.has(name)) throw new ApiError(400, `parameter "${name}" is given twice`);
    seen.add(name);
  }
}

/** Filters of one plugin in requests that may select events of any plugin. */
import { ApiError } from "../errors.ts";
import type { CapturedEvent } from "../events/event.ts";
import { shownName, suggest, unknownName } from "../options/suggest.ts";
import type { EventFilters, ParamSet, RouteContext, Selection } from "./route.ts";

/** Parameters that name a plugin. */
export interface Named {
  /** Id of the plugin itself. */
  readonly plugin?: unknown;
  /** Event type, which begins with it. */
  readonly type?: unknown;
}

/** Returns the id of the named plugin; `undefined` if none is named. */
export function pluginOf({ plugin, type }: Named): string | undefined {
  if (typeof plugin === "string" && plugin !== "") return plugin;
  return typeof type === "string" && type !== "" ? type.split(".", 1)[0] : undefined;
}

/** Returns the filter names of one plugin; empty without one. */
export function filterNames(
  filters: RouteContext["filters"],
  plugin: string | undefined,
): readonly string[] {
  return Object.keys((plugin === undefined ? undefined : filters.get(plugin))?.query ?? {});
}

/**
 * Returns why a name is unknown, with the nearest known one or, for a filter of a plugin that was
 * not named, how to use it.
 */
export function unknownFilter(
  name: string,
  { filters, plugin, known, what }: {
    readonly filters: RouteContext["filters"];
    readonly plugin: string | undefined;
    readonly known: readonly string[];
    readonly what: string;
  },
): string {
  const others = plugin === undefined ? [...filters] : [];
  const near = suggest(name, [...known, ...others.flatMap(([, { query }]) => Object.keys(query))]);
  const owners = others.filter(([, { query }]) => near !== undefined && Object.hasOwn(query, near))
    .map(([id]) => id);
  if (near === undefined || known.includes(near)) return unknownName(what, name, known);
  const meant = near === name ? "it is" : `did you mean "${near}"? It is`;
  return `unknown ${what} ${shownName(name)}; ${meant} a filter of ${owners.join(", ")}: ` +
    "name it with plugin or type";
}

/** Returns the selection of the filters; nothing if none has a value. Throws `ApiError` 400 as they do. */
export function selectBy(
  filters: EventFilters | undefined,
  values: Readonly<Record<string, unknown>>,
  ctx: RouteContext,
): Selection | undefined {
  if (filters === undefined) return undefined;
  const given = Object.keys(filters.query).some((name) => values[name] !== undefined);
  return given ? filters.select(values, ctx) : undefined;
}

/** Returns whether an event is selected; its plugin may be any. */
export type Fits = (event: CapturedEvent) => boolean;

/**
 * Reads filters given as values of a program or of JSON instead of a query; `undefined` without
 * any. Throws `RangeError` that names an invalid one.
 */
export function selectByValues(
  values: Readonly<Record<string, unknown>>,
  { plugin, ctx }: { readonly plugin: string | undefined; readonly ctx: RouteContext },
): Fits | undefined {
  if (plugin === undefined) return undefined;
  const filters = ctx.filters.get(plugin);
  try {
    const read = readValues(filters?.query ?? {}, values);
    const selection = selectBy(filters, read, { ...ctx, plugin });
    // Only events of its plugin have the properties that a filter inspects.
    return selection && ((event) => event.plugin === plugin && selection.matches(event));
  } catch (error) {
    if (error instanceof ApiError) throw new RangeError(error.message);
    throw error;
  }
}

/** Throws `RangeError` for the first name that is neither one of `known` nor a filter of the plugin. */
export function checkFilterNames(
  names: readonly string[],
  { known, plugin, filters, what, cannot }: {
    readonly known: readonly string[];
    readonly plugin: string | undefined;
    readonly filters: RouteContext["filters"];
    /** Kind of name, for the message: `key`, `option`. */
    readonly what: string;
    /** Beginning of the message: what was attempted. */
    readonly cannot: string;
  },
): void {
  const all = [...known, ...filterNames(filters, plugin)];
  const name = names.find((one) => !all.includes(one));
  if (name === undefined) return;
  throw new RangeError(
    `${cannot}: ${unknownFilter(name, { filters, plugin, known: all, what })}`,
  );
}

function readValues(
  query: ParamSet,
  values: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const read = Object.entries(query).map(([name, param]) => {
    const value = values[name];
    if (value === undefined) return [name, undefined] as const;
    if (!["string", "number", "boolean"].includes(typeof value) || value === "") {
      throw new RangeError(
        `Cannot use ${name}: expected text that is not empty, a number, true or false`,
      );
    }
    return [name, param.read(String(value), name)] as const;
  });
  return Object.fromEntries(read);
}

/** JSON Schemas of arguments, from what the routes of the API declare. */
import type { JsonSchema, Route, RouteContext } from "../http/route.ts";
import { isObject } from "./message.ts";

/** The routes that tools use, with the filters of each plugin. */
export interface ApiTable {
  /** Of the service itself, below `/api/v1`. */
  readonly routes: readonly Route<never>[];
  /** Filters that only events of one plugin have, by plugin. */
  readonly filters: RouteContext["filters"];
}

/** Properties of query parameters. */
export function fromQuery(
  { routes }: ApiTable,
  [method, path]: readonly [method: string, path: string],
  names?: readonly string[],
): Record<string, JsonSchema> {
  const { query } = find(routes, method, path);
  const properties = Object.entries(query)
    .filter(([name]) => names === undefined || names.includes(name))
    .map(([name, { about, schema }]) => {
      const { description, ...plain } = toPlain(schema);
      const format = description === undefined ? "" : `. ${description}`;
      return [name, { ...plain, description: about + format }] as const;
    });
  return Object.fromEntries(properties);
}

/** Properties of a JSON body. */
export function fromBody(properties: unknown): Readonly<Record<string, JsonSchema>> {
  return toPlain(properties) as Record<string, JsonSchema>;
}

/** The body of a route. */
export function bodyOf({ routes }: ApiTable, method: string, path: string): JsonSchema {
  return find(routes, method, path).body ?? {};
}

/** Argument for the filters of one plugin. */
export function filtersArgument({ filters }: ApiTable): JsonSchema {
  const lists = [...filters].map(([id, { query }]) => `${id}: ${Object.keys(query).join(", ")}`);
  return {
    type: "object",
    description: "Filters of the plugin that plugin or type names, such as " +
      `{"subject": "Invoice"} with plugin mail. ${lists.join("; ")}`,
  };
}

function find(routes: readonly Route<never>[], method: string, path: string): Route<never> {
  const route = routes.find((one) => one.method === method && one.path === path);
  if (route === undefined) throw new Error(`Cannot describe ${method} ${path}: no such route`);
  return route;
}

/** Removes ids, which would clash where a schema is used twice, and turns unions of words into lists of them. */
function toPlain(schema: unknown): JsonSchema {
  return plain(schema) as JsonSchema;
}

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (!isObject(value)) return value;
  const { $id: _id, ...rest } = value;
  if (Array.isArray(rest.anyOf) && rest.anyOf.every((one) => isObject(one) && "const" in one)) {
    const { anyOf, ...others } = rest;
    return { ...others, type: "string", enum: anyOf.map((one) => one.const) };
  }
  return Object.fromEntries(Object.entries(rest).map(([name, item]) => [name, plain(item)]));
}

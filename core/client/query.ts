/** Converts options of the client to query parameters, and refuses options that would have no effect. */
import { unknownName } from "../options/suggest.ts";

/** The type as a parameter; an option must not name it, too. */
export function typed(type: string | undefined, options?: object): { readonly type?: string } {
  refuse(options, ["type"], "the type is the first argument");
  if (type === undefined) return {};
  if (typeof type === "string") return { type };
  throw new RangeError("Cannot request events: expected the event type as text, then options");
}

/** Options that are given elsewhere, or have no effect here. */
export function refuse(
  options: object | undefined,
  names: readonly string[],
  reason: string,
): void {
  const given: Readonly<Record<string, unknown>> = { ...options };
  const name = names.find((one) => given[one] !== undefined);
  if (name !== undefined) throw new RangeError(`Cannot use option "${name}": ${reason}`);
}

/** Refuses an option without effect. */
export function checkNames(options: object, known: readonly string[], cannot: string): void {
  const name = Object.keys(options).find((one) => !known.includes(one));
  if (name !== undefined) {
    throw new RangeError(`${cannot}: ${unknownName("option", name, known)}`);
  }
}

/** Converts an option to a query parameter. */
export function toParam(name: string, value: unknown): Query[string] {
  // A parameter without a value would be dropped, and the condition with it.
  if (value === "" && name !== "namespace") {
    throw new RangeError(`Cannot use option "${name}": it is empty; leave it out`);
  }
  if (value instanceof Date) return value.toISOString();
  switch (typeof value) {
    case "string":
    case "number":
    case "boolean":
    case "undefined":
      return value;
  }
  const instead = name === "match" ? "; conditions by path are for expect" : "";
  throw new RangeError(
    `Cannot use option "${name}": expected text, a number, true or false${instead}`,
  );
}

/** Query parameters by name. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** Returns the query with its `?`; empty without parameters. */
export function toQuery(query: Query): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) params.set(name, String(value));
  }
  return params.size === 0 ? "" : `?${params}`;
}

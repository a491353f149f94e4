/**
 * Paths in an event: a subset of JSONPath (RFC 9535) without filters and descents. `payload.to[0].email`, `codes[*]`,
 * `raw.headers['x-api-key'][0]`; a leading `$.` is optional.
 */

/** One step from a value to some of those in it. */
export type Step =
  | { readonly kind: "name"; readonly name: string }
  /** Negative counts from the end. */
  | { readonly kind: "index"; readonly index: number }
  | { readonly kind: "each" };

/** Most values that one path selects; the rest is ignored. */
const MAX_VALUES = 10_000;
const MAX_STEPS = 32;

/** Names may hold anything except the signs of the grammar; in quotes these, too. */
const STEP =
  /\.?(?:([^\s.[\]'"*]+)|\*)|\[(?:(-?\d{1,9})|\*|'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")\]/y;

/** Parses a path. Throws `RangeError` with an example. */
export function parsePath(text: string): Step[] {
  const steps: Step[] = [];
  STEP.lastIndex = /^\$(?=[.[])\.?/.exec(text)?.[0].length ?? 0;
  while (STEP.lastIndex < text.length) {
    const match = STEP.exec(text);
    if (match === null || steps.length === MAX_STEPS) throw badPath(text);
    steps.push(toStep(match));
  }
  if (steps.length === 0) throw badPath(text);
  return steps;
}

function toStep([, name, index, single, double]: RegExpExecArray): Step {
  const quoted = single ?? double;
  if (quoted !== undefined) return { kind: "name", name: quoted.replace(/\\(.)/g, "$1") };
  if (name !== undefined) return { kind: "name", name };
  return index === undefined ? { kind: "each" } : { kind: "index", index: Number(index) };
}

function badPath(text: string): RangeError {
  return new RangeError(
    `Cannot read path "${
      text.slice(0, 200)
    }": expected names and places such as payload.to[0].email, ` +
      "codes[*] or raw.headers['x-api-key'][0]",
  );
}

/** Returns the values of a path, in order. Ignores inherited properties. */
export function selectValues(root: unknown, steps: readonly Step[]): unknown[] {
  let values = [root];
  for (const step of steps) {
    values = values.flatMap((value) => stepInto(value, step)).slice(0, MAX_VALUES);
  }
  return values.filter((value) => value !== undefined);
}

/** Returns the existing names where a path ends early, as suggestions. */
export function namesBefore(root: unknown, steps: readonly Step[]): string[] {
  for (let length = steps.length - 1; length >= 0; length--) {
    const [value] = selectValues(root, steps.slice(0, length));
    if (typeof value !== "object" || value === null) continue;
    return Array.isArray(value)
      ? [`[0] to [${value.length - 1}]`]
      : Object.keys(value).slice(0, 30);
  }
  return [];
}

function stepInto(value: unknown, step: Step): readonly unknown[] {
  if (typeof value !== "object" || value === null) return [];
  switch (step.kind) {
    case "each":
      return Object.values(value);
    case "index":
      return Array.isArray(value) ? [value.at(step.index)] : [];
    case "name":
      return Object.hasOwn(value, step.name) ? [(value as Record<string, unknown>)[step.name]] : [];
  }
}

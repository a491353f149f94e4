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

/** Maximum number of values that one path selects; the rest is ignored. */
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
    const next: unknown[] = [];
    for (const value of values) {
      stepInto(value, step, next);
      if (next.length >= MAX_VALUES) break;
    }
    values = next;
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

/** Adds the values of one step, no more than are selected in all: a list may hold a million. */
function stepInto(value: unknown, step: Step, found: unknown[]): void {
  if (typeof value !== "object" || value === null) return;
  switch (step.kind) {
    case "each":
      addEach(value, found);
      break;
    case "index":
      if (Array.isArray(value)) found.push(value.at(step.index));
      break;
    case "name":
      if (Object.hasOwn(value, step.name)) {
        found.push((value as Record<string, unknown>)[step.name]);
      }
  }
}

function addEach(value: object, found: unknown[]): void {
  const room = MAX_VALUES - found.length;
  const most = Array.isArray(value) ? value.slice(0, room) : Object.values(value).slice(0, room);
  for (const one of most) found.push(one);
}

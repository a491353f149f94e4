/** An object inside structured content, and its path. */
export interface Placed {
  readonly value: Readonly<Record<string, unknown>>;
  readonly path: string;
}

/** Maximum number of objects visited in one content. */
const MAX_OBJECTS = 5000;

/**
 * Yields the objects of a content, outer ones first. Breadth-first with a limit, because senders
 * choose the depth of nesting.
 */
export function* walkObjects(json: unknown, root: string): Generator<Placed> {
  const open: { value: unknown; path: string }[] = [{ value: json, path: root }];
  for (let next = 0; next < open.length; next++) {
    const { value, path } = open[next]!;
    if (typeof value !== "object" || value === null) continue;
    if (!Array.isArray(value)) yield { value: value as Placed["value"], path };
    for (const [key, inner] of Object.entries(value)) {
      if (typeof inner !== "object" || inner === null || open.length >= MAX_OBJECTS) continue;
      open.push({
        value: inner,
        path: Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`,
      });
    }
  }
}

/** Characters of a text, or of a text object. */
export function lengthOf(value: unknown): number {
  const text = typeof value === "object" && value !== null
    ? (value as { text?: unknown }).text
    : value;
  return typeof text === "string" ? [...text].length : 0;
}

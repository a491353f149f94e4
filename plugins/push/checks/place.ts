import type { CheckPlace } from "../../../core/plugin.ts";
import type { PushMessage } from "../model.ts";

/** Maximum number of values searched. */
const MAX_VALUES = 5000;

/** Returns the place of a text, or of a list of texts, in the payload; `undefined` if it was computed. */
export function placeOf(
  { payloads = [] }: Pick<PushMessage, "payloads">,
  sought: unknown,
): CheckPlace | undefined {
  const text = JSON.stringify(sought);
  const open: { readonly value: unknown; readonly path: string }[] = payloads.slice(0, 1)
    .map(({ json }) => ({ value: json, path: "" }));
  // Breadth first: the outermost of several equal values.
  for (let next = 0; next < open.length; next++) {
    const { value, path } = open[next]!;
    if (typeof value === "string" || Array.isArray(value)) {
      if (JSON.stringify(value) === text) return { part: "payload", path };
    }
    if (typeof value !== "object" || value === null) continue;
    for (const [key, inner] of Object.entries(value)) {
      if (open.length >= MAX_VALUES) break;
      const own = Array.isArray(value) ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`;
      open.push({ value: inner, path: own });
    }
  }
  return undefined;
}

/**
 * Makes the captures of two test runs comparable: replaces ids, times and ports by names that are the same in both.
 * Pure.
 *
 * @module
 */

/** Patterns of values that change from run to run, in order of precedence. */
const VARYING: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["uuid", /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi],
  ["id", /(?<![0-9a-f])[0-9a-f]{24}(?![0-9a-f])/g],
];

/** RFC 3339, RFC 5322 (mail and HTTP), and compact forms of the business and health formats. */
const TIMES: readonly RegExp[] = [
  /\b\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:?\d{2})?/g,
  /\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{1,2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} ([+-]\d{4}|GMT|UTC)/g,
];

/** A port after a name or address of this machine. */
const PORTS = /\b(localhost|127\.0\.0\.1|\[::1\]):\d{1,5}\b/g;

/** Properties that hold a time in any format. */
const TIME_NAMES: ReadonlySet<string> = new Set(["received_at", "timestamp", "time"]);

/**
 * Replaces values that change from run to run with names such as `<id 1>`, `<time>` and `localhost:<port>`. Equal ids
 * get equal names, numbered in order of appearance.
 */
export function normalise(value: unknown): unknown {
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  const nameOf = (kind: string, text: string): string => {
    const known = names.get(text);
    if (known !== undefined) return known;
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    const name = `<${kind} ${count}>`;
    names.set(text, name);
    return name;
  };
  const text = (given: string): string => {
    let result = given;
    for (const pattern of TIMES) result = result.replace(pattern, "<time>");
    for (const [kind, pattern] of VARYING) {
      result = result.replace(pattern, (found) => nameOf(kind, found));
    }
    return result.replace(PORTS, "$1:<port>");
  };
  const walk = (given: unknown, key = ""): unknown => {
    if (typeof given === "string") return text(given);
    if (typeof given === "number" && TIME_NAMES.has(key)) return "<time>";
    if (Array.isArray(given)) return given.map((one) => walk(one));
    if (typeof given !== "object" || given === null) return given;
    // No prototype: a captured header may be called `__proto__`.
    const copy: Record<string, unknown> = Object.create(null);
    for (const [name, one] of Object.entries(given)) copy[text(name)] = walk(one, name);
    return copy;
  };
  return walk(value);
}

/**
 * Makes the captures of two test runs comparable: replaces ids, times and ports by names that are the same in both.
 * Pure.
 *
 * @module
 */

/** Patterns of values that change from run to run, in order of precedence. */
const VARYING: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["boundary", /(?<=\bboundary="?)[^"\s;<>]+/gi],
  ["uuid", /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi],
  ["id", /(?<![0-9a-f])[0-9a-f]{24}(?![0-9a-f])/g],
];

/** RFC 3339, RFC 5322 (mail and HTTP), and the compact form of the business and health formats. */
const TIMES: readonly RegExp[] = [
  /\b\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:?\d{2})?/g,
  /\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{1,2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} ([+-]\d{4}|GMT|UTC)/g,
  /\b(19|20)\d{2}(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])([01]\d|2[0-3])[0-5]\d[0-5]\d(\.\d+)?([+-]\d{4})?\b/g,
];

/** A port after a name or address of this machine. */
const PORTS = /\b(localhost|127\.0\.0\.1|\[::1\]):\d{1,5}\b/g;

/** Properties that hold a time in any format. */
const TIME_NAMES: ReadonlySet<string> = new Set(["received_at", "timestamp", "time"]);

/** Properties that hold ids in the form of a vendor or protocol, which differ in every run. */
const ID_NAMES: ReadonlySet<string> = new Set([
  "connection",
  "control_id",
  "edited_ts",
  "message_id",
  "message_ids",
  "request_id",
  "sid",
  "thread_ts",
  "ts",
  "upload_id",
  "version_id",
]);

/** Words of a text that may be such an id. Shorter ones are common words and numbers. */
const WORDS = /[A-Za-z0-9][\w.@-]{6,}[A-Za-z0-9]/g;

/** Length of the shortest of these words. */
const WORD_LENGTH = 8;

/** A name that replaces a value. */
const NAME = /^<\w+ \d+>$/;

/** Returns an id, without the angle brackets of a `Message-ID`. `undefined` for other values, and for a name. */
function idIn(value: unknown, key: string): string | undefined {
  if (!ID_NAMES.has(key) || value === "" || NAME.test(String(value))) return undefined;
  if (typeof value === "number") return String(value);
  return typeof value === "string" ? value.replace(/^<(.+)>$/, "$1") : undefined;
}

/** Adds the ids of all properties. */
function addIds(ids: Set<string>, value: unknown, key = ""): Set<string> {
  if (Array.isArray(value)) { for (const one of value) addIds(ids, one, key); }
  else if (typeof value === "object" && value !== null) {
    for (const [name, one] of Object.entries(value)) addIds(ids, one, name);
  } else {
    const id = idIn(value, key);
    if (id !== undefined) ids.add(id);
  }
  return ids;
}

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
  const ids = addIds(new Set(), value);
  const text = (given: string): string => {
    let result = given.replace(WORDS, (word) => ids.has(word) ? nameOf("id", word) : word);
    for (const pattern of TIMES) result = result.replace(pattern, "<time>");
    for (const [kind, pattern] of VARYING) {
      result = result.replace(pattern, (found) => nameOf(kind, found));
    }
    return result.replace(PORTS, "$1:<port>");
  };
  const walk = (given: unknown, key = ""): unknown => {
    const id = idIn(given, key);
    // Counters, such as those of connections, are equal by chance.
    if (id !== undefined) return nameOf("id", id.length < WORD_LENGTH ? `${key} ${id}` : id);
    if (typeof given === "string") return text(given);
    if (typeof given === "number" && TIME_NAMES.has(key)) return "<time>";
    if (Array.isArray(given)) return given.map((one) => walk(one, key));
    if (typeof given !== "object" || given === null) return given;
    // No prototype: a captured header may be called `__proto__`.
    const copy: Record<string, unknown> = Object.create(null);
    for (const [name, one] of Object.entries(given)) copy[text(name)] = walk(one, name);
    return copy;
  };
  return walk(value);
}

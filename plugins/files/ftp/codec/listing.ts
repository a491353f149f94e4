/**
 * The facts of MLSD and MLST (RFC 3659 section 7), and patterns of names. Times are UTC.
 *
 *   type=file;size=1234;modify=20261121140500;perm=adfrw;unique=1g7; name
 *
 * @module
 */

/** An entry of a listing. */
export interface FactEntry {
  readonly id: number;
  readonly dir: boolean;
  readonly size: number;
  readonly mtimeMs: number;
}

/** Facts that clients may request, in the order of the response. */
export const FACTS = ["type", "size", "modify", "perm", "unique", "unix.mode"] as const;
/** One of them. */
export type Fact = typeof FACTS[number];

/** `unix.mode` only if a client requests it. */
export const DEFAULT_FACTS: readonly Fact[] = ["type", "size", "modify", "perm", "unique"];

/** Returns the facts of an entry, up to the space before its name. */
export function formatFacts(
  entry: FactEntry,
  facts: readonly Fact[],
  type: "file" | "dir" | "cdir" | "pdir" = entry.dir ? "dir" : "file",
): string {
  const values: Record<Fact, string | undefined> = {
    type,
    size: entry.dir ? undefined : String(entry.size),
    modify: formatTime(entry.mtimeMs),
    perm: entry.dir ? "cdeflmp" : "adfrw",
    unique: entry.id.toString(36),
    "unix.mode": entry.dir ? "0777" : "0666",
  };
  return FACTS.filter((fact) => facts.includes(fact) && values[fact] !== undefined)
    .map((fact) => `${fact}=${values[fact]};`).join("");
}

/** Returns the facts that `OPTS MLST` requests, without unknown ones. */
export function parseFacts(argument: string): readonly Fact[] {
  const asked = argument.toLowerCase().split(";");
  return FACTS.filter((fact) => asked.includes(fact));
}

/** Formats a time as `YYYYMMDDHHMMSS` (RFC 3659 section 2.3). */
export function formatTime(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replaceAll(/[-:T]/g, "");
}

/** Parses `YYYYMMDDHHMMSS[.sss]` as Unix milliseconds; `undefined` for anything else. */
export function parseTime(text: string): number | undefined {
  const match = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\.\d{1,3})?\d*$/.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second, fraction = ""] = match;
  const ms = Date.parse(
    `${year}-${month}-${day}T${hour}:${minute}:${second}${fraction.padEnd(fraction ? 4 : 0, "0")}Z`,
  );
  return Number.isNaN(ms) ? undefined : ms;
}

/** Returns a test of names against a pattern of `*` and `?`, as classic clients send with NLST. */
export function toWildcard(pattern: string): (name: string) => boolean {
  const tokens = [...pattern];
  return (name) => matches(tokens, [...name]);
}

/** Returns whether a path contains characters of a pattern. */
export function hasWildcard(path: string): boolean {
  return /[*?]/.test(path);
}

/** Takes at most pattern times name steps: after a failure only the last `*` is retried. */
function matches(pattern: readonly string[], name: readonly string[]): boolean {
  let p = 0;
  let n = 0;
  let star = -1;
  let from = 0;
  while (n < name.length) {
    if (
      p < pattern.length && (pattern[p] === "?" || pattern[p] === name[n]) && pattern[p] !== "*"
    ) {
      p++;
      n++;
    } else if (p < pattern.length && pattern[p] === "*") {
      star = p++;
      from = n;
    } else if (star >= 0) {
      p = star + 1;
      n = ++from;
    } else return false;
  }
  while (pattern[p] === "*") p++;
  return p === pattern.length;
}

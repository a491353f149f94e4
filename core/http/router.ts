/** Properties of an entry. */
export interface Routed {
  /** `ANY` takes every method that no other entry of the path takes. */
  readonly method: string;
  /** `/a/{one}/{rest...}`: a parameter takes one segment, which may be empty, or all that is left. */
  readonly path: string;
}

/** Result of a look-up. */
export type Match<T> =
  | { readonly entry: T; readonly params: Readonly<Record<string, string>> }
  /** The path exists, but not with this method. */
  | { readonly allow: readonly string[] };

/** Finds the entry for a request. */
export interface Router<T> {
  /** `path` is matched as text, still percent-encoded; parameters are decoded once. */
  match(method: string, path: string): Match<T> | undefined;
}

interface Pattern<T> {
  readonly segments: readonly string[];
  readonly rest: boolean;
  readonly entries: Map<string, T>;
}

/**
 * Matches the path as text, because `new URL()` would collapse `..` and `//`. Literal paths take
 * precedence over parameters, and a parameter of one segment over one that takes the rest. `HEAD`
 * is served by `GET`.
 */
export function createRouter<T extends Routed>(entries: readonly T[]): Router<T> {
  const literals = new Map<string, Map<string, T>>();
  const patterns = new Map<string, Pattern<T>>();
  for (const entry of entries) {
    const key = patternKey(entry.path);
    let methods: Map<string, T>;
    if (!entry.path.includes("{")) {
      methods = literals.get(key) ?? new Map();
      literals.set(key, methods);
    } else {
      const pattern = patterns.get(key) ?? toPattern<T>(entry.path);
      patterns.set(key, pattern);
      methods = pattern.entries;
    }
    methods.set(entry.method, entry);
  }
  const ordered = [...patterns.values()].sort(bySpecificity);
  return {
    match(method, path) {
      const literal = literals.get(path);
      if (literal !== undefined) return pick(literal, method, path, undefined);
      const segments = path.split("/");
      const pattern = ordered.find((candidate) => fits(candidate, segments));
      return pattern && pick(pattern.entries, method, path, pattern);
    },
  };
}

/** Returns the path without parameter names: equal for two routes that match the same requests. */
export function patternKey(path: string): string {
  return path.replace(/\{[^}]*?(\.\.\.)?\}/g, (_, rest) => rest === undefined ? "{}" : "{...}");
}

function toPattern<T>(path: string): Pattern<T> {
  const segments = path.split("/");
  const rest = segments.at(-1)!.endsWith("...}");
  return { segments, rest, entries: new Map() };
}

function bySpecificity<T>(a: Pattern<T>, b: Pattern<T>): number {
  if (a.rest !== b.rest) return a.rest ? 1 : -1;
  return literalCount(b) - literalCount(a);
}

function literalCount<T>(pattern: Pattern<T>): number {
  return pattern.segments.filter((segment) => !segment.includes("{")).length;
}

/** A segment such as `{sid}.json`: one parameter with literal text around it. */
const SEGMENT = /^([^{]*)\{([^}]+)\}(.*)$/;

function fits<T>(pattern: Pattern<T>, segments: readonly string[]): boolean {
  const { segments: wanted, rest } = pattern;
  if (rest ? segments.length < wanted.length : segments.length !== wanted.length) return false;
  const fixed = rest ? wanted.length - 1 : wanted.length;
  for (let i = 0; i < fixed; i++) {
    const want = wanted[i]!;
    const have = segments[i]!;
    const match = SEGMENT.exec(want);
    if (match === null) {
      if (want !== have) return false;
    } else if (!have.startsWith(match[1]!) || !have.endsWith(match[3]!)) return false;
    else if (have.length < match[1]!.length + match[3]!.length) return false;
  }
  return true;
}

function pick<T extends Routed>(
  methods: ReadonlyMap<string, T>,
  method: string,
  path: string,
  pattern: Pattern<T> | undefined,
): Match<T> {
  const entry = methods.get(method) ?? (method === "HEAD" ? methods.get("GET") : undefined) ??
    methods.get("ANY");
  if (entry === undefined) {
    const allow = [...methods.keys()];
    if (methods.has("GET")) allow.push("HEAD");
    return { allow };
  }
  return { entry, params: pattern === undefined ? {} : readParams(entry.path, path) };
}

function readParams(template: string, path: string): Readonly<Record<string, string>> {
  const params: Record<string, string> = Object.create(null);
  const wanted = template.split("/");
  const have = path.split("/");
  for (const [i, want] of wanted.entries()) {
    const match = SEGMENT.exec(want);
    if (match === null) continue;
    const [, before, name, after] = match as unknown as [string, string, string, string];
    if (name.endsWith("...")) params[name.slice(0, -3)] = decode(have.slice(i).join("/"));
    else params[name] = decode(have[i]!.slice(before.length, have[i]!.length - after.length));
  }
  return params;
}

/** Malformed percent-encoding stays as is: no entry has such a name, so it is unknown. */
function decode(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

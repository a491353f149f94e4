import { originOf } from "../callbacks/allow.ts";
import { parseDurationMs } from "./duration.ts";

/** One setting: flag, environment variable, TOML key, help, reference and check derive from it. */
export interface OptionSpec<T> {
  /** Placeholder of the value in help (`<port>`). */
  readonly kind: string;
  /** Sentence case, no final period; shown in help, reference and JSON Schema. */
  readonly about: string;
  /** Default value. */
  readonly fallback: T;
  /** `"file"`: neither flag nor environment variable. */
  readonly only?: "file";
  /** Whole flag name without dashes, if not derived from owner and key. */
  readonly flag?: string;
  /** Never printed. */
  readonly secret?: boolean;
  /** Use of a path: `read` a file, or write one `file`; by default a folder to write to. */
  readonly access?: "read" | "file";
  /** Value in the sample file for a setting without a default. */
  readonly example?: unknown;
  /** Scheme of the address that the service connects to; other machines must be allowed by `[callbacks] allow`. */
  readonly dials?: string;
  /** JSON Schema of the value in the file. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** Parses flag or environment text. Throws `TypeError` or `RangeError` with the expected form. */
  parse(text: string): T;
  /** Checks a decoded TOML or API value. Throws the same. */
  check(value: unknown): T;
}

/** Settings of one owner (core section, plugin or provider), by TOML key. */
export type OptionSet = Readonly<Record<string, OptionSpec<unknown>>>;

/** Values of an owner, once all sources are merged. */
export type Values<S extends OptionSet> = {
  readonly [K in keyof S]: S[K] extends OptionSpec<infer T> ? T : never;
};

/** Attributes of an option besides its kind and default. */
export interface OptionExtra {
  readonly only?: "file";
  readonly flag?: string;
  readonly secret?: boolean;
  readonly access?: "read" | "file";
  readonly example?: unknown;
}

/** Keeps the exact type of a set of options. */
export function defineOptions<const S extends OptionSet>(set: S): S {
  return set;
}

function integerOption(
  kind: string,
  about: string,
  fallback: number,
  { min, max, ...extra }: OptionExtra & { min: number; max: number },
): OptionSpec<number> {
  const expected = max === Number.MAX_SAFE_INTEGER
    ? `an integer of at least ${min}`
    : `an integer from ${min} to ${max}`;
  const inRange = (value: number): number => {
    if (!Number.isSafeInteger(value)) throw new TypeError(`expected ${expected}`);
    if (value < min || value > max) throw new RangeError(`expected ${expected}`);
    return value;
  };
  return {
    kind,
    about,
    fallback,
    schema: { type: "integer", minimum: min, maximum: max },
    parse: (text) => inRange(/^-?\d+$/.test(text.trim()) ? Number(text) : NaN),
    check: (value) => inRange(typeof value === "number" ? value : NaN),
    ...extra,
  };
}

/** A TCP or UDP port, 0 to 65535; 0 means any free port. */
export function port(about: string, fallback: number, extra: OptionExtra = {}): OptionSpec<number> {
  return integerOption("port", about, fallback, { min: 0, max: 65_535, ...extra });
}

/** A port that is off by default. */
export function optionalPort(
  about: string,
  extra: OptionExtra = {},
): OptionSpec<number | undefined> {
  return { ...port(about, 0, extra), fallback: undefined } as OptionSpec<number | undefined>;
}

/** A whole number between `min` (default 0) and `max`, both included. */
export function integer(
  about: string,
  fallback: number,
  { min = 0, max = Number.MAX_SAFE_INTEGER, ...extra }: OptionExtra & {
    min?: number;
    max?: number;
  } = {},
): OptionSpec<number> {
  return integerOption("number", about, fallback, { min, max, ...extra });
}

/** A time in whole seconds, at least 1. */
export function seconds(
  about: string,
  fallback: number,
  extra: OptionExtra = {},
): OptionSpec<number> {
  return integerOption("seconds", about, fallback, { min: 1, max: 86_400, ...extra });
}

/** A number of bytes without a default. */
export function optionalBytes(
  about: string,
  extra: OptionExtra = {},
): OptionSpec<number | undefined> {
  return { ...bytes(about, 0, extra), fallback: undefined } as OptionSpec<number | undefined>;
}

const SIZE = /^(\d+(?:\.\d+)?)\s*(B|KB|MB|GB|KiB|MiB|GiB)?$/i;
const UNITS: Readonly<Record<string, number>> = {
  b: 1,
  kb: 1000,
  mb: 1000 ** 2,
  gb: 1000 ** 3,
  kib: 1024,
  mib: 1024 ** 2,
  gib: 1024 ** 3,
};

/** A number of bytes: an integer, or text such as `256MB` (decimal) or `64MiB` (binary). */
export function bytes(
  about: string,
  fallback: number,
  extra: OptionExtra = {},
): OptionSpec<number> {
  const expected = "expected a number of bytes such as 1048576, 256MB or 64MiB";
  const parse = (text: string): number => {
    const match = SIZE.exec(text.trim());
    if (match === null) throw new TypeError(expected);
    const size = Number(match[1]) * (UNITS[(match[2] ?? "b").toLowerCase()] ?? 1);
    if (!Number.isSafeInteger(size)) throw new RangeError(expected);
    return size;
  };
  return {
    kind: "bytes",
    about,
    fallback,
    schema: { type: ["integer", "string"], minimum: 0 },
    parse,
    check(value) {
      if (typeof value === "string") return parse(value);
      if (typeof value !== "number") throw new TypeError(expected);
      if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(expected);
      return value;
    },
    ...extra,
  };
}

/** An optional duration in milliseconds: text such as `90s`, `30m`, `36h` or `7d`. */
export function optionalDuration(
  about: string,
  extra: OptionExtra = {},
): OptionSpec<number | undefined> {
  const expected = "expected a duration such as 90s, 30m, 36h or 7d";
  const parse = (text: string): number | undefined => {
    const [, days = "0", rest = ""] = /^(?:(\d+)d)?(.*)$/.exec(text.trim()) ?? [];
    if (text.trim() === "" || text.trim() === "0") return undefined;
    const restMs = rest === "" ? 0 : parseDurationMs(rest);
    if (restMs === undefined) throw new TypeError(expected);
    const ms = Number(days) * 86_400_000 + restMs;
    if (!(ms >= 1 && ms <= Number.MAX_SAFE_INTEGER)) throw new RangeError(expected);
    return ms;
  };
  return {
    kind: "duration",
    about,
    fallback: undefined,
    schema: { type: ["string", "integer"] },
    parse,
    check(value) {
      if (value === 0) return undefined;
      if (typeof value !== "string") throw new TypeError(`${expected}, in quotes`);
      return parse(value);
    },
    ...extra,
  };
}

/** `true` or `false`; the bare flag means `true`. */
export function boolean(
  about: string,
  fallback: boolean,
  extra: OptionExtra = {},
): OptionSpec<boolean> {
  const expected = "expected true or false";
  return {
    kind: "boolean",
    about,
    fallback,
    schema: { type: "boolean" },
    parse(text) {
      const word = text.trim().toLowerCase();
      if (["", "1", "t", "true"].includes(word)) return true;
      if (["0", "f", "false"].includes(word)) return false;
      throw new TypeError(expected);
    },
    check(value) {
      if (typeof value !== "boolean") throw new TypeError(expected);
      return value;
    },
    ...extra,
  };
}

function textOption<T extends string | undefined>(
  kind: string,
  about: string,
  fallback: T,
  extra: OptionExtra,
): OptionSpec<T> {
  return {
    kind,
    about,
    fallback,
    schema: { type: "string" },
    parse: (text) => text as T,
    check(value) {
      if (typeof value !== "string") throw new TypeError("expected text in quotes");
      return value as T;
    },
    ...extra,
  };
}

/** Any text. */
export function text(about: string, fallback: string, extra: OptionExtra = {}): OptionSpec<string> {
  return textOption("text", about, fallback, extra);
}

/** Empty text means none, as in the sample file's `key = ""`. */
function optionalTextOption(
  kind: string,
  about: string,
  extra: OptionExtra,
): OptionSpec<string | undefined> {
  const given = textOption<string | undefined>(kind, about, undefined, extra);
  return {
    ...given,
    parse: (text) => given.parse(text) || undefined,
    check: (value) => given.check(value) || undefined,
  };
}

/** Any text, or nothing. */
export function optionalText(
  about: string,
  extra: OptionExtra = {},
): OptionSpec<string | undefined> {
  return optionalTextOption("text", about, extra);
}

/** An optional path: relative to its file, or to the working directory; `~` expands. */
export function optionalPath(
  about: string,
  extra: OptionExtra = {},
): OptionSpec<string | undefined> {
  return optionalTextOption("path", about, extra);
}

/** An IP address or host name: no scheme, no port, no brackets. */
export function hostname(
  about: string,
  fallback: string,
  extra: OptionExtra = {},
): OptionSpec<string> {
  const one = (value: unknown): string => {
    if (typeof value === "string" && HOSTNAME.test(value)) return value;
    throw new TypeError(
      "expected an IP address or host name without port, such as 127.0.0.1, localhost or ::",
    );
  };
  return {
    kind: "address",
    about,
    fallback,
    schema: { type: "string", minLength: 1 },
    parse: one,
    check: one,
    ...extra,
  };
}

/** Text with at most a single colon would be `host:port`; an IPv6 address has at least two. */
const HOSTNAME = /^(?:[\w.-]+|[\dA-Fa-f]*:[\dA-Fa-f.]*:[\dA-Fa-f:.]*(?:%[\w.-]+)?)$/;

/** A host name with another setting as its default. */
export function optionalHostname(
  about: string,
  extra: OptionExtra = {},
): OptionSpec<string | undefined> {
  return { ...hostname(about, "", extra), fallback: undefined } as OptionSpec<string | undefined>;
}

/** Another program's `host:port` that the service connects to, or nothing; without a port, that of the scheme. */
export function optionalServer(
  about: string,
  { scheme, ...extra }: OptionExtra & { readonly scheme: string },
): OptionSpec<string | undefined> {
  const one = (value: unknown): string | undefined => {
    if (value === "") return undefined;
    if (typeof value === "string" && SERVER.test(value)) {
      const origin = originOf(`${scheme}://${value}`);
      if (origin !== undefined && origin.port !== 0) return value;
    }
    throw new TypeError("expected host:port, such as localhost:783 or [::1]:783");
  };
  return {
    kind: "host:port",
    about,
    fallback: undefined,
    dials: scheme,
    schema: { type: "string" },
    parse: (text) => one(text.trim()),
    check: one,
    ...extra,
  };
}

const SERVER = /^(?:[\w-]+(?:\.[\w-]+)*|\[[\dA-Fa-f:.]+\])(?::\d{1,5})?$/;

/** Texts by name: a table in the file. */
export function textTable(
  about: string,
  { entry, ...extra }: Omit<OptionExtra, "only" | "flag"> & {
    /** Throws `TypeError` or `RangeError` for an entry that cannot be used. */
    readonly entry: (name: string, text: string) => void;
  },
): OptionSpec<Readonly<Record<string, string>>> {
  const expected = 'expected a table of strings, such as { name = "text" }';
  return {
    kind: "table",
    about,
    fallback: {},
    only: "file",
    schema: { type: "object", additionalProperties: { type: "string" } },
    parse() {
      throw new TypeError(expected);
    },
    check(value) {
      if (typeof value !== "object" || value === null || Array.isArray(value)) {
        throw new TypeError(expected);
      }
      const entries = Object.entries(value);
      for (const [name, text] of entries) {
        if (typeof text !== "string") throw new TypeError(`"${name}": expected text in quotes`);
        entry(name, text);
      }
      return Object.fromEntries(entries);
    },
    ...extra,
  };
}

/** One of a few words. */
export function choice<const W extends readonly string[]>(
  about: string,
  words: W,
  fallback: W[number],
  extra: OptionExtra = {},
): OptionSpec<W[number]> {
  const one = (value: unknown): W[number] => {
    if (typeof value === "string" && words.includes(value)) return value;
    throw new RangeError(`expected one of ${words.join(", ")}`);
  };
  return {
    kind: words.join("|"),
    about,
    fallback,
    schema: { type: "string", enum: words },
    parse: one,
    check: one,
    ...extra,
  };
}

/** Several texts: an array in the file, comma-separated on the command line. */
export function list(
  about: string,
  fallback: readonly string[] = [],
  extra: OptionExtra = {},
): OptionSpec<readonly string[]> {
  return {
    kind: "a,b,c",
    about,
    fallback,
    schema: { type: "array", items: { type: "string" } },
    parse: (value) => value.split(",").map((item) => item.trim()).filter((item) => item !== ""),
    check(value) {
      if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value;
      throw new TypeError('expected a list of strings such as ["a", "b"]');
    },
    ...extra,
  };
}

/**
 * Free-form tables, in the file only. `written` is their header, such as `[[faults]]`; `read`
 * throws `TypeError` or `RangeError` for an invalid table.
 */
export function tables<T>(
  about: string,
  { written, read, example, secret = false }: {
    readonly written: string;
    /** Whether the tables hold secrets. */
    readonly secret?: boolean;
    read(table: Readonly<Record<string, unknown>>): T;
    /** One table. */
    readonly example: Readonly<Record<string, unknown>>;
  },
): OptionSpec<readonly T[]> {
  const expected = `expected tables, written ${written}`;
  const isTable = (value: unknown): value is Readonly<Record<string, unknown>> =>
    typeof value === "object" && value !== null && !Array.isArray(value);
  return {
    kind: "tables",
    about,
    fallback: [],
    only: "file",
    example: [example],
    ...(secret && { secret }),
    schema: { type: "array", items: { type: "object" } },
    parse() {
      throw new TypeError(expected);
    },
    check(value) {
      if (Array.isArray(value) && value.every(isTable)) return value.map((table) => read(table));
      throw new TypeError(expected);
    },
  };
}

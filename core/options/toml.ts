import { parse, TomlError } from "smol-toml";
import { ConfigError } from "../errors.ts";

/**
 * Parses a configuration file in TOML 1.1. A date-time with offset becomes a `Date`. Throws `ConfigError` with file, line
 * and column, but without the text, which may hold passwords.
 */
export function parseToml(text: string, file: string): Readonly<Record<string, unknown>> {
  try {
    // A number that is too large is refused later by the option, which names the setting.
    const read = parse(text, { useLegacyDate: false, integersAsBigInt: "asNeeded" });
    return withDates(read) as Readonly<Record<string, unknown>>;
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    // After its first line, the library quotes the lines around the fault.
    const reason = error.message.split("\n", 1)[0]!.replace(/^Invalid TOML document: /, "");
    throw new ConfigError(
      `Cannot read "${file}", line ${error.line}, column ${error.column}: ${reason}`,
    );
  }
}

/** Deno 2.5, the oldest runtime of a compiled program, has no `Temporal`; without dates, a file needs none. */
function isZoned(value: unknown): value is Temporal.ZonedDateTime {
  return typeof Temporal !== "undefined" && value instanceof Temporal.ZonedDateTime;
}

/** Dates and times without an offset stay as they are: no setting takes them. */
function withDates(value: unknown): unknown {
  if (isZoned(value)) return new Date(value.epochMilliseconds);
  if (Array.isArray(value)) return value.map(withDates);
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== null) {
    return value;
  }
  for (const [key, inner] of Object.entries(value)) {
    Object.defineProperty(value, key, {
      value: withDates(inner),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return value;
}

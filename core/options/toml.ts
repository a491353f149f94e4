import { parse, TomlError } from "smol-toml";
import { ConfigError } from "../errors.ts";

/**
 * Decodes a configuration file: TOML 1.1, of which 1.0 is a part. A moment with its offset becomes a `Date`. Throws
 * `ConfigError` naming file, line and column; the text itself is not repeated, because it may hold passwords.
 */
export function parseToml(text: string, file: string): Readonly<Record<string, unknown>> {
  try {
    // A number too large for what takes it is refused there, by name.
    const read = parse(text, { useLegacyDate: false, integersAsBigInt: "asNeeded" });
    return withDates(read) as Readonly<Record<string, unknown>>;
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    // Behind the first line, the library shows those around the fault.
    const reason = error.message.split("\n", 1)[0]!.replace(/^Invalid TOML document: /, "");
    throw new ConfigError(
      `Cannot read "${file}", line ${error.line}, column ${error.column}: ${reason}`,
    );
  }
}

/** Dates and times of nowhere in particular stay what they are: no setting takes them. */
function withDates(value: unknown): unknown {
  if (value instanceof Temporal.ZonedDateTime) return new Date(value.epochMilliseconds);
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

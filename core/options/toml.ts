import { parse, TomlError } from "smol-toml";
import { ConfigError } from "../errors.ts";

/** Decodes a configuration file. Throws `ConfigError` naming file, line and column; the text itself is not repeated. */
export function parseToml(text: string, file: string): Readonly<Record<string, unknown>> {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    // What follows the first line shows the lines around, which may hold a password.
    const reason = error.message.split("\n", 1)[0]!.replace(/^Invalid TOML document: /, "");
    throw new ConfigError(
      `Cannot read "${file}", line ${error.line}, column ${error.column}: ${reason}`,
    );
  }
}

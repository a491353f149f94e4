import { parse } from "@std/toml";
import { ConfigError } from "../errors.ts";

const PLACE = /^Parse error on line (\d+), column \d+: ([^]*)$/;

/** Decodes a configuration file. Throws `ConfigError` naming file and line; the text itself is not repeated. */
export function parseToml(text: string, file: string): Readonly<Record<string, unknown>> {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const [, line, detail = error.message] = PLACE.exec(error.message) ?? [];
    // The library quotes what it could not read, which may be a password.
    const reason = detail.split(/\n| on line '/, 1)[0]!.replace(/:$/, "");
    const place = line === undefined ? "" : `, line ${line}`;
    throw new ConfigError(`Cannot read "${file}"${place}: ${reason}`);
  }
}

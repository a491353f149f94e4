import { join } from "@std/path/join";
import { ConfigError, reasonOf } from "../../errors.ts";
import type { SettingSources } from "../../options/resolve.ts";

/** Largest configuration file, in bytes. */
const MAX_BYTES = 1_048_576;

/** Reads a configuration file. Throws `ConfigError` with the file name and the fault. */
export async function readConfigFile(
  path: string,
): Promise<Pick<SettingSources, "file" | "configFolder">> {
  const text = await readText(path);
  // Most starts have no file, and need no parser.
  const { parseToml } = await import("../../options/toml.ts");
  return {
    file: { path, tree: parseToml(text, path) },
    configFolder: join(path, ".."),
  };
}

async function readText(path: string): Promise<string> {
  try {
    const { size, isDirectory } = await Deno.stat(path);
    if (isDirectory) {
      throw new ConfigError(`Cannot read configuration file "${path}": it is a folder`);
    }
    if (size > MAX_BYTES) {
      throw new ConfigError(
        `Cannot read configuration file "${path}": expected at most ${MAX_BYTES} bytes, found ${size}`,
      );
    }
    return new TextDecoder("utf-8", { fatal: true }).decode(await Deno.readFile(path));
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(`Cannot read configuration file "${path}": ${readFault(error)}`);
  }
}

function readFault(error: unknown): string {
  if (error instanceof Deno.errors.NotFound) return "the file does not exist";
  if (error instanceof TypeError) return "it is not UTF-8 text";
  if (error instanceof Deno.errors.PermissionDenied || error instanceof Deno.errors.NotCapable) {
    return "this user may not read it";
  }
  return reasonOf(error);
}

import { VERSION } from "../version.ts";
import { PROGRAM } from "./base/command.ts";

/** Whether these arguments ask for the version and nothing else. */
export function isVersionCall(args: readonly string[]): boolean {
  return args.length === 1 && (args[0] === "version" || args[0] === "--version");
}

/** Name and version of the program, on one line. */
export function versionLine(): string {
  return `${PROGRAM} ${VERSION}`;
}

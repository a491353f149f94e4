import type { AssetMap } from "../../http/assets.ts";
import type { CommandLine } from "../../options/flags.ts";
import type { HelpGroup } from "../../options/help.ts";
import type { AnyPlugin } from "../../plugin.ts";
import { VERSION } from "../../version.ts";
import type { CliIo } from "./io.ts";

/** Name of the program on the command line. */
export const PROGRAM = "standin";

/** Returns whether these arguments only ask for the version. */
export function isVersionCall(args: readonly string[]): boolean {
  return args.length === 1 && (args[0] === "version" || args[0] === "--version");
}

/** Returns name and version of the program on one line. */
export function versionLine(): string {
  return `${PROGRAM} ${VERSION}`;
}

/** Shells with completions. */
export const SHELL_NAMES = ["bash", "zsh", "fish", "powershell"] as const;

/** The user interface. */
export interface UiFiles {
  /** Files by name. */
  readonly assets: AssetMap;
  /** Prepares a file read from disk for serving; `assets` are prepared already. */
  readonly toServed?: (name: string, text: string) => string;
}

/** Parts of the program. */
export interface Program {
  readonly plugins: readonly AnyPlugin[];
  /** Loads the user interface, which a service needs once it is opened. */
  loadUi(): Promise<UiFiles>;
}

/** Context of a command. */
export interface CommandContext extends Program {
  readonly io: CliIo;
}

/** One command of the program. */
export interface Command {
  readonly name: string;
  /** Arguments after the name: `[plugin] [flags]`. */
  readonly usage: string;
  /** One sentence for the list of commands. */
  readonly about: string;
  /** Further paragraphs of the help page. */
  readonly details: readonly string[];
  readonly groups: readonly HelpGroup[];
  /** Paragraphs after the flags. */
  readonly notes: readonly string[];
  readonly maxWords: number;
  /** Present if it runs a service, which writes a log. */
  readonly logs?: true;
  /** Words that completions offer after the name. */
  readonly completes?: readonly string[];
  /** Explains a flag that only other commands take. */
  explain?(flag: string): string | undefined;
  /** Returns the exit status. Throws `ConfigError` for faults that the user can fix. */
  run(line: CommandLine, context: CommandContext): number | Promise<number>;
}

import type { AssetMap } from "../../http/assets.ts";
import type { CommandLine } from "../../options/flags.ts";
import type { HelpGroup } from "../../options/help.ts";
import type { AnyPlugin } from "../../plugin.ts";
import { VERSION } from "../../version.ts";
import type { CliIo } from "./io.ts";

/** Name of the program, as it is typed. */
export const PROGRAM = "standin";

/** Whether these arguments ask for the version and nothing else. */
export function isVersionCall(args: readonly string[]): boolean {
  return args.length === 1 && (args[0] === "version" || args[0] === "--version");
}

/** Name and version of the program, on one line. */
export function versionLine(): string {
  return `${PROGRAM} ${VERSION}`;
}

/** Shells there are completions for. */
export const SHELL_NAMES = ["bash", "zsh", "fish", "powershell"] as const;

/** The user interface. */
export interface UiFiles {
  /** Files by name. */
  readonly assets: AssetMap;
  /** Makes a file as it stands in its folder ready to be served; files of `assets` are. */
  readonly toServed?: (name: string, text: string) => string;
}

/** What the program is made of. */
export interface Program {
  readonly plugins: readonly AnyPlugin[];
  /** Loads the user interface, which only a service needs. */
  loadUi(): Promise<UiFiles>;
}

/** What a command works with. */
export interface CommandContext extends Program {
  readonly io: CliIo;
}

/** One command of the program. */
export interface Command {
  readonly name: string;
  /** What follows the name: `[plugin] [flags]`. */
  readonly usage: string;
  /** One sentence for the list of commands. */
  readonly about: string;
  /** Further paragraphs for the command's own page. */
  readonly details: readonly string[];
  readonly groups: readonly HelpGroup[];
  /** Paragraphs after the flags. */
  readonly notes: readonly string[];
  readonly maxWords: number;
  /** Whether it runs a service, which writes a log. */
  readonly logs?: true;
  /** Words that may stand behind the name, for completions. */
  readonly completes?: readonly string[];
  /** What to say of a flag that other commands take. */
  explain?(flag: string): string | undefined;
  /** Returns the exit status. Throws `ConfigError` for what the user can fix. */
  run(line: CommandLine, context: CommandContext): number | Promise<number>;
}

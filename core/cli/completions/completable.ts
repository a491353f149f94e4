import { compact } from "../../compact.ts";
import type { HelpFlag } from "../../options/help.ts";
import { type Command, PROGRAM } from "../base/command.ts";

/** The program as a shell sees it. */
export interface Completable {
  readonly program: string;
  readonly commands: readonly CompletableCommand[];
}

/** One command. */
export interface CompletableCommand {
  readonly name: string;
  readonly about: string;
  /** Words that may follow its name, apart from flags. */
  readonly words: readonly string[];
  readonly flags: readonly CompletableFlag[];
}

/** One flag. */
export interface CompletableFlag {
  /** Without dashes. */
  readonly name: string;
  readonly short?: string;
  readonly about: string;
  /** Kind of its value; absent for a switch. */
  readonly value?: FlagValue;
}

/** Values of a flag. */
export type FlagValue =
  | { readonly kind: "words"; readonly words: readonly string[] }
  | { readonly kind: "file" }
  | { readonly kind: "other"; readonly name: string };

/** Describes the program with these commands, and `help`. */
export function toCompletable(commands: readonly Command[]): Completable {
  const names = commands.map(({ name }) => name);
  return {
    program: PROGRAM,
    commands: [
      ...commands.map(({ name, about, groups, completes }) => ({
        name,
        about,
        words: completes ?? [],
        flags: groups.flatMap(({ flags }) => flags).map(toFlag),
      })),
      { name: "help", about: "Show help for a command", words: names, flags: [] },
    ],
  };
}

function toFlag({ name, short, about, value }: HelpFlag): CompletableFlag {
  return {
    name,
    about,
    ...compact({ short, value: value === undefined ? undefined : toValue(value) }),
  };
}

/** Reads the placeholder of the help: `debug|info|warn|error`, `file`, `port`. */
function toValue(word: string): FlagValue {
  if (word.includes("|")) return { kind: "words", words: word.split("|") };
  return word === "file" || word === "path" ? { kind: "file" } : { kind: "other", name: word };
}

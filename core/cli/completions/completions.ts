import { compact } from "../../compact.ts";
import { ConfigError } from "../../errors.ts";
import { quote } from "../../options/given.ts";
import type { HelpFlag } from "../../options/help.ts";
import { type Command, PROGRAM, SHELL_NAMES } from "../base/command.ts";
import { toBash } from "./bash.ts";
import { toFish } from "./fish.ts";
import { toPowerShell } from "./powershell.ts";
import { toZsh } from "./zsh.ts";

/** What is completed: the program as a shell sees it. */
export interface Completable {
  readonly program: string;
  readonly commands: readonly CompletableCommand[];
}

/** One command. */
export interface CompletableCommand {
  readonly name: string;
  readonly about: string;
  /** What may stand behind its name, besides flags. */
  readonly words: readonly string[];
  readonly flags: readonly CompletableFlag[];
}

/** One flag. */
export interface CompletableFlag {
  /** Without dashes. */
  readonly name: string;
  readonly short?: string;
  readonly about: string;
  /** What its value is; absent where it needs none. */
  readonly value?: FlagValue;
}

/** What may stand behind a flag. */
export type FlagValue =
  | { readonly kind: "words"; readonly words: readonly string[] }
  | { readonly kind: "file" }
  | { readonly kind: "other"; readonly name: string };

const SHELLS: Readonly<Record<typeof SHELL_NAMES[number], (program: Completable) => string>> = {
  bash: toBash,
  zsh: toZsh,
  fish: toFish,
  powershell: toPowerShell,
};

/** The script for a shell. Throws `ConfigError` for one that is not among `SHELL_NAMES`. */
export function completionsFor(shell: string | undefined, commands: readonly Command[]): string {
  const known = SHELL_NAMES.find((name) => name === shell);
  if (known === undefined) {
    const valid = SHELL_NAMES.join(", ");
    throw new ConfigError(
      shell === undefined
        ? `Cannot write completions for no shell: name one of ${valid}`
        : `unknown shell ${quote(shell)}: valid shells are ${valid}`,
    );
  }
  return SHELLS[known](toCompletable(commands));
}

function toCompletable(commands: readonly Command[]): Completable {
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
      { name: "help", about: "Show the page of a command", words: names, flags: [] },
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

/** By the word that help shows for it: `debug|info|warn|error`, `file`, `port`. */
function toValue(word: string): FlagValue {
  if (word.includes("|")) return { kind: "words", words: word.split("|") };
  return word === "file" || word === "path" ? { kind: "file" } : { kind: "other", name: word };
}

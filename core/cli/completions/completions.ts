import { ConfigError } from "../../errors.ts";
import { quote } from "../../options/given.ts";
import { type Command, SHELL_NAMES } from "../base/command.ts";
import { toBash } from "./bash.ts";
import { type Completable, toCompletable } from "./completable.ts";
import { toFish } from "./fish.ts";
import { toPowerShell } from "./powershell.ts";
import { toZsh } from "./zsh.ts";

const SHELLS: Readonly<Record<typeof SHELL_NAMES[number], (program: Completable) => string>> = {
  bash: toBash,
  zsh: toZsh,
  fish: toFish,
  powershell: toPowerShell,
};

/** Returns the script for a shell. Throws `ConfigError` for a name that is not in `SHELL_NAMES`. */
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

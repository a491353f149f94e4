import { ConfigError } from "../../errors.ts";
import type { CommandLine } from "../../options/flags.ts";
import { type HelpFlag, settingGroups } from "../../options/help.ts";
import type { Settings } from "../../options/settings.ts";
import type { OptionTree } from "../../options/tree.ts";
import type { Command, CommandContext } from "../base/command.ts";
import { CONFIG, HELP, plain, settingsOf, URL_FLAG } from "../base/settings.ts";
import type { Instance } from "./instance.ts";

/** Last paragraph of a command that needs the settings of the instance, not only its address. */
export const SAME_FLAGS =
  "Give it the file and the flags that the instance was started with, or name it with --url.";

/** What a command for a running instance works with. */
export interface InstanceCall {
  readonly line: CommandLine;
  readonly context: CommandContext;
  readonly settings: Settings;
  /** The instance; throws `ConfigError` where the settings do not say where it would be. */
  find(): Instance;
}

/** A command for a running instance, which `--url`, the file or the flags of all settings name. */
export interface InstanceCommand extends Pick<Command, "name" | "about" | "usage" | "details"> {
  /** Words that may stand behind the name, for completions. */
  readonly completes?: readonly string[];
  /** Flags of its own. */
  readonly flags?: readonly HelpFlag[];
  /** None unless given. */
  readonly maxWords?: number;
  /** What is wrong where the word is missing that the command cannot do without. */
  readonly wordless?: string;
  run(call: InstanceCall): Promise<number>;
}

/** The command as the command line knows it. */
export function instanceCommand(
  tree: OptionTree,
  { flags = [], wordless, run, ...command }: InstanceCommand,
): Command {
  return {
    ...plain(command.name, command.about),
    ...command,
    groups: [
      { title: "Flags", flags: [...flags, URL_FLAG, CONFIG, HELP] },
      ...settingGroups(tree),
    ],
    async run(line, context) {
      if (wordless !== undefined && line.words.length === 0) throw new ConfigError(wordless);
      const settings = await settingsOf(line, context);
      const { findInstance } = await import("./instance.ts");
      return await run({ line, context, settings, find: () => findInstance(line, settings) });
    },
  };
}

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
  "Use the file and the flags that the instance was started with, or --url.";

/** Call of a command for a running instance. */
export interface InstanceCall {
  readonly line: CommandLine;
  readonly context: CommandContext;
  readonly settings: Settings;
  /** Returns the instance; throws `ConfigError` if the settings do not locate it. */
  find(): Instance;
}

/** A command for a running instance, selected by `--url`, the file or the flags of all settings. */
export interface InstanceCommand extends Pick<Command, "name" | "about" | "usage" | "details"> {
  /** Words that completions offer after the name. */
  readonly completes?: readonly string[];
  /** Its own flags. */
  readonly flags?: readonly HelpFlag[];
  /** None by default. */
  readonly maxWords?: number;
  /** Error for a missing required word. */
  readonly wordless?: string;
  run(call: InstanceCall): Promise<number>;
}

/** Returns the command in the form of the command line. */
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

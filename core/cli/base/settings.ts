import { ConfigError } from "../../errors.ts";
import type { CommandLine, Flag } from "../../options/flags.ts";
import { type FlagTexts, quote } from "../../options/given.ts";
import type { HelpFlag } from "../../options/help.ts";
import { resolveSettings, type SettingSources } from "../../options/resolve.ts";
import type { Settings } from "../../options/settings.ts";
import { boolean } from "../../options/spec.ts";
import { COMMAND_FLAGS } from "../../options/tree.ts";
import type { Command, CommandContext } from "./command.ts";
import { readConfigFile } from "./config_file.ts";

/** Flag of every command. */
export const HELP: HelpFlag = { name: "help", short: "h", about: "Show this help" };

/** Flag of every command that reads settings. */
export const CONFIG: HelpFlag = {
  name: "config",
  short: "c",
  value: "file",
  about: "Read settings from this TOML file",
};

/** Flag that names a running instance. */
export const URL_FLAG: HelpFlag = {
  name: "url",
  value: "url",
  about: "Address of the read-back API (default from the settings, as http://localhost:8811)",
};

/** Creates a command without its own words and flags. */
export function plain(name: string, about: string): Omit<Command, "run"> {
  return {
    name,
    usage: "",
    about,
    details: [],
    groups: [{ title: "Flags", flags: [HELP] }],
    notes: [],
    maxWords: 0,
  };
}

/** Resolves the settings from file, environment and flags. */
export async function settingsOf(
  line: CommandLine,
  { io, plugins }: CommandContext,
  sources: SettingSources = {},
): Promise<Settings> {
  const paths = line.texts[CONFIG.name] ?? [];
  if (paths.length > 1) throw new ConfigError("Cannot use --config more than once: give one file");
  const path = paths[0];
  if (path === "") throw new ConfigError("Cannot use --config: expected the path of a file");
  return resolveSettings(plugins, {
    ...sources,
    ...(path === undefined ? {} : await readConfigFile(path)),
    env: io.env,
    flags: settingTexts(line.texts),
  });
}

/** Leaves out the flags that belong to the command. */
function settingTexts(texts: FlagTexts): FlagTexts {
  return Object.fromEntries(
    Object.entries(texts).filter(([name]) => !COMMAND_FLAGS.includes(name)),
  );
}

/** Reads a boolean flag. Throws `ConfigError` for a value other than true and false. */
export function switchOf(line: CommandLine, flag: Flag): boolean {
  const text = line.texts[flag.name]?.at(-1);
  if (text === undefined) return false;
  try {
    return boolean("", false).parse(text);
  } catch {
    throw new ConfigError(`Cannot read --${flag.name} ${quote(text)}: expected true or false`);
  }
}

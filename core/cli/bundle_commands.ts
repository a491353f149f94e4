/** Commands that hand over what an instance captured as a file. What they do is loaded when one of them is run. */
import { ConfigError } from "../errors.ts";
import { type HelpFlag, settingGroups } from "../options/help.ts";
import type { OptionTree } from "../options/tree.ts";
import { type Command, PROGRAM } from "./command.ts";
import { CONFIG, HELP, plain, settingsOf, URL_FLAG } from "./settings.ts";

const FORMAT: HelpFlag = {
  name: "format",
  value: "bundle|har|mbox",
  about: "Told by the end of the file's name unless given: .har, .mbox, bundle for any other",
};
const PLUGIN: HelpFlag = { name: "plugin", value: "id", about: "Only what this plugin captured" };
const NAMESPACE: HelpFlag = {
  name: "namespace",
  value: "name",
  about: "Only what belongs to this namespace",
};

/** `standin export` */
export function exportCommand(tree: OptionTree): Command {
  return {
    ...plain("export", "Write what a running instance has captured to a file"),
    usage: "<file> [flags]",
    details: [
      `As a bundle, which ${PROGRAM} import takes in again: a ZIP archive of events, raw requests and attachments. ` +
      "As HTTP Archive 1.2: the HTTP requests, for browsers and API tools. As mbox: the mails, for mail programs. " +
      "Trees of files and buckets are no part of it, only the events about them with their bytes.",
    ],
    groups: [
      { title: "Flags", flags: [FORMAT, PLUGIN, NAMESPACE, URL_FLAG, CONFIG, HELP] },
      ...settingGroups(tree),
    ],
    maxWords: 1,
    async run(line, context) {
      const [file] = line.words;
      if (file === undefined) {
        throw new ConfigError(`Cannot export without a file: as ${PROGRAM} export run.zip`);
      }
      const settings = await settingsOf(line, context);
      const { exportTo } = await import("./bundle.ts");
      const { findInstance } = await import("./instance.ts");
      return await exportTo(findInstance(line, settings), context.io, {
        file,
        format: line.texts[FORMAT.name]?.at(-1),
        plugin: line.texts[PLUGIN.name]?.at(-1),
        namespace: line.texts[NAMESPACE.name]?.at(-1),
      });
    },
  };
}

/** `standin import` */
export function importCommand(tree: OptionTree): Command {
  return {
    ...plain("import", "Take a bundle into a running instance, to be looked at there"),
    usage: "<file> [flags]",
    details: [
      "Its events appear like captured ones, with their ids, times, namespaces and attachments; `imported` in their " +
      "meta says since when. All or none are taken in; those that are held already stay as they are.",
    ],
    groups: [{ title: "Flags", flags: [URL_FLAG, CONFIG, HELP] }, ...settingGroups(tree)],
    maxWords: 1,
    async run(line, context) {
      const [file] = line.words;
      if (file === undefined) {
        throw new ConfigError(`Cannot import without a file: as ${PROGRAM} import run.zip`);
      }
      const settings = await settingsOf(line, context);
      const { importFrom } = await import("./bundle.ts");
      const { findInstance } = await import("./instance.ts");
      return await importFrom(findInstance(line, settings), context.io, file);
    },
  };
}

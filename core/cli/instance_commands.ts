/** Commands that speak to an instance that runs already. What they do is loaded when one of them is run. */
import { ConfigError } from "../errors.ts";
import type { CommandLine } from "../options/flags.ts";
import { quote } from "../options/given.ts";
import { type HelpFlag, settingGroups } from "../options/help.ts";
import type { OptionTree } from "../options/tree.ts";
import type { AnyPlugin } from "../plugin.ts";
import type { Command } from "./command.ts";
import { CONFIG, HELP, plain, settingsOf, switchOf, URL_FLAG } from "./settings.ts";

const SAME_FLAGS =
  "Give it the file and the flags that the instance was started with, or name it with --url.";

/** `standin demo` */
export function demoCommand(plugins: readonly AnyPlugin[], tree: OptionTree): Command {
  return {
    ...plain("demo", "Fill a running instance with samples, over the real protocols"),
    usage: "[plugin] [flags]",
    completes: plugins.filter(({ demo }) => demo !== undefined).map(({ id }) => id),
    details: [
      "Sends mail, text messages, chat posts, files, pushes, business documents, traps and HL7 messages to the " +
      "instance, as clients of the real services would, and says where to look at them. Nothing leaves this machine " +
      "unless the instance runs on another one.",
      SAME_FLAGS,
    ],
    groups: [{ title: "Flags", flags: [URL_FLAG, CONFIG, HELP] }, ...settingGroups(tree)],
    maxWords: 1,
    async run(line, context) {
      const settings = await settingsOf(line, context);
      const { sendDemo } = await import("./demo.ts");
      const { findInstance } = await import("./instance.ts");
      return await sendDemo(findInstance(line, settings), context, {
        settings,
        only: line.words[0],
      });
    },
  };
}

/** `standin doctor` */
export function doctorCommand(tree: OptionTree): Command {
  return {
    ...plain("doctor", "Look for what keeps clients from reaching an instance, and say what to do"),
    usage: "[flags]",
    details: [
      "Looks at the ports of the settings and who has them, at the listeners of the running instance, at its " +
      "certificate and at the variables by which clients trust it and find it, and lists what each client of the " +
      "real services has to be told. Ends with 1 when something has to be mended. It starts nothing, and sends " +
      "nothing that is captured.",
      SAME_FLAGS,
    ],
    groups: [{ title: "Flags", flags: [URL_FLAG, CONFIG, HELP] }, ...settingGroups(tree)],
    async run(line, context) {
      const settings = await settingsOf(line, context);
      const { examine } = await import("./doctor.ts");
      const { findInstance } = await import("./instance.ts");
      return await examine(context, { settings, tree, find: () => findInstance(line, settings) });
    },
  };
}

const WAIT: HelpFlag = { name: "wait", about: "Wait until it is, or --timeout is over" };
const TIMEOUT: HelpFlag = {
  name: "timeout",
  value: "seconds",
  about: "Longest wait (default 30)",
};
const TIMEOUT_SECONDS = 30;

/** `standin ready` */
export function readyCommand(tree: OptionTree): Command {
  return {
    ...plain(
      "ready",
      "Say whether a running instance takes connections: for scripts and health checks",
    ),
    usage: "[--wait] [flags]",
    details: ["Ends with 0 when every listener of it does, and with 1 when not.", SAME_FLAGS],
    groups: [
      { title: "Flags", flags: [WAIT, TIMEOUT, URL_FLAG, CONFIG, HELP] },
      ...settingGroups(tree),
    ],
    async run(line, context) {
      const waitMs = switchOf(line, WAIT) ? secondsOf(line) * 1000 : 0;
      const settings = await settingsOf(line, context);
      const { reportReady } = await import("./ready.ts");
      const { findInstance } = await import("./instance.ts");
      return await reportReady(findInstance(line, settings), context.io, { waitMs });
    },
  };
}

function secondsOf(line: CommandLine): number {
  const text = line.texts[TIMEOUT.name]?.at(-1);
  if (text === undefined) return TIMEOUT_SECONDS;
  const seconds = Number(text);
  if (text.trim() !== "" && seconds > 0 && seconds <= 86_400) return seconds;
  throw new ConfigError(`Cannot read --timeout ${quote(text)}: expected seconds, up to 86400`);
}

const TAKES_ALL =
  "Ids, times and ports get names that are the same in every run, so that the same tests give the same text.";

/** `standin snapshot` */
export function snapshotCommand(tree: OptionTree): Command {
  return {
    ...plain("snapshot", "Write what a running instance has captured, comparable with another run"),
    usage: "[file] [flags]",
    details: [`To standard output without a file. ${TAKES_ALL}`, SAME_FLAGS],
    groups: [{ title: "Flags", flags: [URL_FLAG, CONFIG, HELP] }, ...settingGroups(tree)],
    maxWords: 1,
    async run(line, context) {
      const settings = await settingsOf(line, context);
      const { takeSnapshot } = await import("./snapshot.ts");
      const { findInstance } = await import("./instance.ts");
      return await takeSnapshot(findInstance(line, settings), context.io, line.words[0]);
    },
  };
}

/** `standin diff` */
export function diffCommand(tree: OptionTree): Command {
  return {
    ...plain("diff", "Compare what a running instance has captured with a snapshot"),
    usage: "file [flags]",
    details: [
      `Shows the lines that differ, and ends with 1 if there are any. ${TAKES_ALL}`,
      SAME_FLAGS,
    ],
    groups: [{ title: "Flags", flags: [URL_FLAG, CONFIG, HELP] }, ...settingGroups(tree)],
    maxWords: 1,
    async run(line, context) {
      const [file] = line.words;
      if (file === undefined) {
        throw new ConfigError(
          "Cannot compare without a snapshot: expected its file, as standin diff golden.json",
        );
      }
      const settings = await settingsOf(line, context);
      const { compareSnapshot } = await import("./snapshot.ts");
      const { findInstance } = await import("./instance.ts");
      return await compareSnapshot(findInstance(line, settings), context.io, file);
    },
  };
}

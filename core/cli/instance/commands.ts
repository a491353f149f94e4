/** Commands for a running instance. Their code is loaded on use. */
import { ConfigError } from "../../errors.ts";
import type { CommandLine } from "../../options/flags.ts";
import { quote } from "../../options/given.ts";
import type { HelpFlag } from "../../options/help.ts";
import type { OptionTree } from "../../options/tree.ts";
import type { AnyPlugin } from "../../plugin.ts";
import { type Command, PROGRAM } from "../base/command.ts";
import { switchOf } from "../base/settings.ts";
import { instanceCommand, SAME_FLAGS } from "./command.ts";
import { FAULT_FLAGS } from "./fault_flags.ts";

/** `standin demo` */
export function demoCommand(plugins: readonly AnyPlugin[], tree: OptionTree): Command {
  return instanceCommand(tree, {
    name: "demo",
    about: "Fill a running instance with samples, over the real protocols",
    usage: "[plugin] [flags]",
    completes: plugins.filter(({ demo }) => demo !== undefined).map(({ id }) => id),
    details: [
      "Sends mail, text messages, chat posts, files, pushes, business documents, traps and HL7 messages to the " +
      "instance, as clients of the real services would, and says where to look at them. Nothing leaves this machine " +
      "unless the instance runs on another one.",
      SAME_FLAGS,
    ],
    maxWords: 1,
    async run({ line, context, settings, find }) {
      const { sendDemo } = await import("./demo.ts");
      return await sendDemo(find(), context, { settings, only: line.words[0] });
    },
  });
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
  return instanceCommand(tree, {
    name: "ready",
    about: "Say whether a running instance takes connections: for scripts and health checks",
    usage: "[--wait] [flags]",
    details: ["Ends with 0 when every listener of it does, and with 1 when not.", SAME_FLAGS],
    flags: [WAIT, TIMEOUT],
    async run({ line, context, find }) {
      const waitMs = switchOf(line, WAIT) ? secondsOf(line) * 1000 : 0;
      const { reportReady } = await import("./ready.ts");
      return await reportReady(find(), context.io, { waitMs });
    },
  });
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
  return instanceCommand(tree, {
    name: "snapshot",
    about: "Write what a running instance has captured, comparable with another run",
    usage: "[file] [flags]",
    details: [`To standard output without a file. ${TAKES_ALL}`, SAME_FLAGS],
    maxWords: 1,
    async run({ line, context, find }) {
      const { takeSnapshot } = await import("./snapshot.ts");
      return await takeSnapshot(find(), context.io, line.words[0]);
    },
  });
}

/** `standin diff` */
export function diffCommand(tree: OptionTree): Command {
  return instanceCommand(tree, {
    name: "diff",
    about: "Compare what a running instance has captured with a snapshot",
    usage: "file [flags]",
    details: [
      `Shows the lines that differ, and ends with 1 if there are any. ${TAKES_ALL}`,
      SAME_FLAGS,
    ],
    maxWords: 1,
    wordless: "Cannot compare without a snapshot: expected its file, as standin diff golden.json",
    async run({ line, context, find }) {
      const { compareSnapshot } = await import("./snapshot.ts");
      return await compareSnapshot(find(), context.io, line.words[0]!);
    },
  });
}

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
  return instanceCommand(tree, {
    name: "export",
    about: "Write what a running instance has captured to a file",
    usage: "<file> [flags]",
    details: [
      `As a bundle, which ${PROGRAM} import takes in again: a ZIP archive of events, raw requests and attachments. ` +
      "As HTTP Archive 1.2: the HTTP requests, for browsers and API tools. As mbox: the mails, for mail programs. " +
      "Trees of files and buckets are no part of it, only the events about them with their bytes.",
    ],
    flags: [FORMAT, PLUGIN, NAMESPACE],
    maxWords: 1,
    wordless: `Cannot export without a file: as ${PROGRAM} export run.zip`,
    async run({ line, context, find }) {
      const { exportTo } = await import("./bundle.ts");
      return await exportTo(find(), context.io, {
        file: line.words[0]!,
        format: line.texts[FORMAT.name]?.at(-1),
        plugin: line.texts[PLUGIN.name]?.at(-1),
        namespace: line.texts[NAMESPACE.name]?.at(-1),
      });
    },
  });
}

/** `standin import` */
export function importCommand(tree: OptionTree): Command {
  return instanceCommand(tree, {
    name: "import",
    about: "Take a bundle into a running instance, to be looked at there",
    usage: "<file> [flags]",
    details: [
      "Its events appear like captured ones, with their ids, times, namespaces and attachments; `imported` in their " +
      "meta says since when. All or none are taken in; those that are held already stay as they are.",
    ],
    maxWords: 1,
    wordless: `Cannot import without a file: as ${PROGRAM} import run.zip`,
    async run({ line, context, find }) {
      const { importFrom } = await import("./bundle.ts");
      return await importFrom(find(), context.io, line.words[0]!);
    },
  });
}

/** `standin fault` */
export function faultCommand(tree: OptionTree): Command {
  return instanceCommand(tree, {
    name: "fault",
    about: "Make providers of a running instance fail on demand, in the vendor's own words",
    usage: "add|list|clear [words] [flags]",
    completes: ["add", "list", "clear"],
    details: [
      `${PROGRAM} fault add PROVIDER [OUTCOME] adds a rule. Of several outcomes, separated by commas, each is used ` +
      `for one hit; then the provider works as usual. ${PROGRAM} fault list shows the rules and their hits, and ` +
      `${PROGRAM} fault clear [ID] removes them. /api/v1/faults/outcomes lists what can go wrong with each provider.`,
    ],
    flags: FAULT_FLAGS,
    maxWords: 3,
    wordless: `Cannot tell what to do: expected add, list or clear, as ${PROGRAM} fault list`,
    async run({ line, context, find }) {
      const { runFault } = await import("./fault.ts");
      return await runFault(find(), context.io, line);
    },
  });
}

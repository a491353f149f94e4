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
import { CHECK_FLAGS, CHECKS, FAULT_FLAGS, NAMESPACE, PLUGIN, REPORT_FLAGS } from "./flags.ts";

/** `standin demo` */
export function demoCommand(plugins: readonly AnyPlugin[], tree: OptionTree): Command {
  return instanceCommand(tree, {
    name: "demo",
    about: "Send sample data to a running instance over the real protocols",
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

const WAIT: HelpFlag = { name: "wait", about: "Wait until it does, for at most --timeout seconds" };
const TIMEOUT: HelpFlag = {
  name: "timeout",
  value: "seconds",
  about: "Maximum wait in seconds (default 30)",
};
const TIMEOUT_SECONDS = 30;

/** `standin ready` */
export function readyCommand(tree: OptionTree): Command {
  return instanceCommand(tree, {
    name: "ready",
    about: "Check whether a running instance accepts connections, for scripts and health checks",
    usage: "[--wait] [flags]",
    details: [
      "Exits with 0 if all its listeners accept connections, otherwise with 1.",
      SAME_FLAGS,
    ],
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
  "Ids, times and ports are replaced by names that are the same in every run, so the same tests produce the same text.";

/** `standin snapshot` */
export function snapshotCommand(tree: OptionTree): Command {
  return instanceCommand(tree, {
    name: "snapshot",
    about: "Write what a running instance has captured as text to compare with other runs",
    usage: "[file] [flags]",
    details: [`Without a file, it is written to standard output. ${TAKES_ALL}`, SAME_FLAGS],
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
    usage: "<file> [flags]",
    details: [
      `Shows the lines that differ, and exits with 1 if there are any. ${TAKES_ALL}`,
      SAME_FLAGS,
    ],
    maxWords: 1,
    wordless: "Cannot compare without a snapshot: expected its file, as in standin diff run.txt",
    async run({ line, context, find }) {
      const { compareSnapshot } = await import("./snapshot.ts");
      return await compareSnapshot(find(), context.io, line.words[0]!);
    },
  });
}

const FORMAT: HelpFlag = {
  name: "format",
  value: "bundle|har|mbox",
  about: "Format (default by file extension: .har, .mbox; any other is a bundle)",
};

/** `standin export` */
export function exportCommand(tree: OptionTree): Command {
  return instanceCommand(tree, {
    name: "export",
    about: "Write what a running instance has captured to a file",
    usage: "<file> [flags]",
    details: [
      `Bundle: a ZIP archive of events, raw requests and attachments, for ${PROGRAM} import. ` +
      "HTTP Archive 1.2: the HTTP requests, for browsers and API tools. mbox: the emails, for email clients. " +
      "Files and buckets are not included, only the events about them with their bytes.",
    ],
    flags: [FORMAT, PLUGIN, NAMESPACE, CHECKS],
    maxWords: 1,
    wordless: `Cannot export without a file: expected its name, as in ${PROGRAM} export run.zip`,
    async run({ line, context, find }) {
      const { exportTo } = await import("./bundle.ts");
      return await exportTo(find(), context.io, {
        file: line.words[0]!,
        format: line.texts[FORMAT.name]?.at(-1),
        plugin: line.texts[PLUGIN.name]?.at(-1),
        namespace: line.texts[NAMESPACE.name]?.at(-1),
        checks: line.texts[CHECKS.name]?.at(-1),
      });
    },
  });
}

/** `standin import` */
export function importCommand(tree: OptionTree): Command {
  return instanceCommand(tree, {
    name: "import",
    about: "Load a bundle into a running instance",
    usage: "<file> [flags]",
    details: [
      "Its events appear like captured ones, with their ids, times, namespaces and attachments; their `imported` " +
      "meta says when they were loaded. Either all are loaded or none. Events that are already held stay unchanged.",
    ],
    maxWords: 1,
    wordless: `Cannot import without a file: expected its name, as in ${PROGRAM} import run.zip`,
    async run({ line, context, find }) {
      const { importFrom } = await import("./bundle.ts");
      return await importFrom(find(), context.io, line.words[0]!);
    },
  });
}

const MAX_FILTERS = 50;

/** `standin check` */
export function checkCommand(tree: OptionTree): Command {
  return instanceCommand(tree, {
    name: "check",
    about: "Report what a vendor or a reader would not accept",
    usage: "[filter=value ...] [flags]",
    details: [
      "Checks every event of a running instance, or those that the filters select, such as " +
      `${PROGRAM} check type=mail.message subject=Invoice. Exits with 1 if there is a finding.`,
    ],
    flags: CHECK_FLAGS,
    maxWords: MAX_FILTERS,
    async run({ line, context, find }) {
      const { runCheck } = await import("./check.ts");
      return await runCheck(find(), context.io, line);
    },
  });
}

/** `standin report` */
export function reportCommand(tree: OptionTree): Command {
  return instanceCommand(tree, {
    name: "report",
    about: "Report on a run: JUnit XML, Markdown, or one HTML file with every item",
    usage: "[file] [flags]",
    details: [
      `Reads a running instance, or a file that ${PROGRAM} export wrote, and reports what was captured, which ` +
      "expectations were met, and what the checks found. Can write several files at once. Without any, prints the " +
      `Markdown, for example for the summary of a job: ${PROGRAM} report >> "$GITHUB_STEP_SUMMARY". Exits with 0 ` +
      "whatever the report says.",
    ],
    flags: REPORT_FLAGS,
    maxWords: 1,
    async run({ line, context, find }) {
      const { runReport } = await import("./report.ts");
      return await runReport(find, context, line);
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
      `${PROGRAM} fault clear [ID] removes them. /api/v1/faults/outcomes lists the outcomes of each provider.`,
    ],
    flags: FAULT_FLAGS,
    maxWords: 3,
    wordless:
      `Cannot run ${PROGRAM} fault without a verb: expected add, list or clear, as in ${PROGRAM} fault list`,
    async run({ line, context, find }) {
      const { runFault } = await import("./fault.ts");
      return await runFault(find(), context, line);
    },
  });
}

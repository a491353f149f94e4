/** Flags of the commands that ask a running instance. */
import type { HelpFlag } from "../../options/help.ts";

const flag = (name: string, value: string, about: string): HelpFlag => ({ name, value, about });
const LEVELS = "error|warning|info";

/** Lowest level that counts. */
export const LEVEL = flag(
  "level",
  LEVELS,
  "Report findings of this level or worse (default warning)",
);
/** What an export holds. */
export const CHECKS = flag("checks", LEVELS, "Only events with a finding of this level or worse");
export const PLUGIN = flag("plugin", "id", "Only what this plugin captured");
export const NAMESPACE = flag("namespace", "name", "Only events of this namespace");
/** Output for programs. */
export const CHECK_JSON: HelpFlag = { name: "json", about: "Print JSON" };

/** Flags of `standin check`. */
export const CHECK_FLAGS: readonly HelpFlag[] = [LEVEL, PLUGIN, NAMESPACE, CHECK_JSON];

export const JUNIT = flag(
  "junit",
  "file",
  "Write JUnit XML: a case for each expectation that ran and for each finding",
);
export const MARKDOWN = flag("markdown", "file", "Write Markdown, for the summary of a job");
export const HTML = flag(
  "html",
  "file",
  "Write one HTML file with every item, which opens from disk",
);

/** Flags of `standin report`. */
export const REPORT_FLAGS: readonly HelpFlag[] = [JUNIT, MARKDOWN, HTML, LEVEL, PLUGIN, NAMESPACE];

/** Flags of `standin fault add` that are keys of the rule, with text. */
export const TEXTS: readonly HelpFlag[] = [
  flag("name", "text", "Name shown with every hit (default the outcome)"),
  flag("phase", "name", "Phase in which the rule applies (default the one that captures)"),
  flag("namespace", "name", "Apply only to requests of this namespace"),
  flag("seed", "text", "Text that makes --chance select the same matches in every run"),
  flag("delay", "time", "Wait before the outcome, or on its own: 250ms, at most 10m"),
  flag("ttl", "time", "Time after which the rule is removed, such as 5m"),
];
/** Those that are numbers. */
export const NUMBERS: readonly HelpFlag[] = [
  flag("skip", "count", "Matches that pass before the first hit"),
  flag("times", "count", "Hits after which the rule no longer applies"),
  flag("chance", "number", "Probability that a match is a hit: above 0, up to 1"),
];
/** Conditions by path. */
export const MATCH = flag(
  "match",
  "path=value",
  "Condition, such as to[*].email=ada@example.org; repeat for more",
);
/** Parameters by name. */
export const WITH = flag("with", "name=value", "Parameter of the outcome; repeat for more");
/** Whether the fault comes after a capture. */
export const AFTER: HelpFlag = { name: "after", about: "Capture the request first, then fail" };
/** For `fault list`. */
export const JSON_FLAG: HelpFlag = { name: "json", about: "With list: print JSON" };

/** Flags of `standin fault`. */
export const FAULT_FLAGS: readonly HelpFlag[] = [
  ...TEXTS,
  ...NUMBERS,
  MATCH,
  WITH,
  AFTER,
  JSON_FLAG,
];

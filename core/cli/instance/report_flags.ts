/** Flags of `standin report`. */
import type { HelpFlag } from "../../options/help.ts";
import { LEVEL, NAMESPACE, PLUGIN } from "./check_flags.ts";

export const JUNIT: HelpFlag = {
  name: "junit",
  value: "file",
  about: "Write JUnit XML: a case for each expectation that ran and for each finding",
};
export const MARKDOWN: HelpFlag = {
  name: "markdown",
  value: "file",
  about: "Write markdown, for the summary of a job",
};
export const HTML: HelpFlag = {
  name: "html",
  value: "file",
  about: "Write one HTML file with every item, which opens from the disk",
};

/** Flags of the command. */
export const REPORT_FLAGS: readonly HelpFlag[] = [
  ...[JUNIT, MARKDOWN, HTML],
  ...[LEVEL, PLUGIN, NAMESPACE],
];

/** Flags of `standin check`. */
import type { HelpFlag } from "../../options/help.ts";

/** Lowest level that counts. */
export const LEVEL: HelpFlag = {
  name: "level",
  value: "error|warning|info",
  about: "Report findings of this level or worse (default warning)",
};
/** What an export holds. */
export const CHECKS: HelpFlag = {
  name: "checks",
  value: "error|warning|info",
  about: "Only events with a finding of this level or worse",
};
export const PLUGIN: HelpFlag = {
  name: "plugin",
  value: "id",
  about: "Only what this plugin captured",
};
export const NAMESPACE: HelpFlag = {
  name: "namespace",
  value: "name",
  about: "Only events of this namespace",
};
/** Output for programs. */
export const CHECK_JSON: HelpFlag = { name: "json", about: "Print JSON" };

/** Flags of the command. */
export const CHECK_FLAGS: readonly HelpFlag[] = [LEVEL, PLUGIN, NAMESPACE, CHECK_JSON];

import { type PluginChecks, pluginChecks } from "../../../core/plugin.ts";
import { ediTopic } from "./edi.ts";
import { securityTopic } from "./security.ts";
import { type As2Subject, readSubject } from "./subject.ts";

/** Checks of business documents. */
export const CHECKS: PluginChecks = pluginChecks<As2Subject>({
  read: readSubject,
  topics: [ediTopic, securityTopic],
});

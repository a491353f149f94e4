import { definePlugin, type Plugin } from "../../core/plugin.ts";
import { trap } from "./trap/mod.ts";

/** SNMP: a receiver of traps and informs, read through the generic events API and view. */
export const snmp: Plugin = definePlugin({
  id: "snmp",
  title: "SNMP",
  about: "Captures SNMP traps and informs, and decodes every value by its type on the wire.",
  eventTypes: ["snmp.trap"],
  providers: [trap],
  routes: [],
  checks: async () => (await import("./checks/mod.ts")).CHECKS,
  report: async () => (await import("./report.ts")).REPORT,
  demo: async () => (await import("./demo.ts")).SAMPLES,
  open: () => ({}),
});

import { type AnyPlugin, definePlugin } from "../../core/plugin.ts";
import type { As2State } from "./capture.ts";
import { filters } from "./filters.ts";
import { http } from "./http/mod.ts";
import { As2MessageShape } from "./schema.ts";
import { routes } from "./routes.ts";
import { storyKeysOfAs2 } from "./story_keys.ts";

/** AS2: business documents between trading partners, unwrapped, each answered with its receipt. */
export const as2: AnyPlugin = definePlugin<As2State>({
  id: "as2",
  title: "AS2",
  about: "Captures AS2 messages, opens every layer, and answers with the requested receipt.",
  eventTypes: ["as2.message"],
  payload: As2MessageShape,
  tab: "tabs/as2.js",
  providers: [http],
  routes,
  filters,
  storyKeys: storyKeysOfAs2,
  demo: async () => (await import("./demo.ts")).SAMPLES,
  checks: async () => (await import("./checks/mod.ts")).CHECKS,
  report: async () => (await import("./report.ts")).REPORT,
  open: () => ({}),
});

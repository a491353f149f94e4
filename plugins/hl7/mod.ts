import { type AnyPlugin, definePlugin } from "../../core/plugin.ts";
import { createState, type Hl7State } from "./capture.ts";
import { filters } from "./filters.ts";
import { mllp } from "./mllp/mod.ts";
import { OPTIONS } from "./options.ts";
import { Hl7MessageShape } from "./schema.ts";
import { routes } from "./routes.ts";
import { storyKeysOfHl7 } from "./story_keys.ts";

/** HL7 v2: messages of hospital systems, parsed and acknowledged. */
export const hl7: AnyPlugin = definePlugin<Hl7State>({
  id: "hl7",
  title: "HL7",
  about: "Captures HL7 v2 messages, acknowledges them, and parses them with their own separators.",
  eventTypes: ["hl7.message"],
  payload: Hl7MessageShape,
  providers: [mllp],
  routes,
  filters,
  storyKeys: storyKeysOfHl7,
  tab: "tabs/hl7.js",
  checks: async () => (await import("./checks/mod.ts")).CHECKS,
  report: async () => (await import("./report.ts")).REPORT,
  demo: async () => (await import("./demo.ts")).SAMPLES,
  options: OPTIONS,
  async open({ values: { profile } }): Promise<Hl7State> {
    const state = createState();
    if (typeof profile !== "string") return state;
    const { readProfile } = await import("./checks/profile.ts");
    return { ...state, profile: await readProfile(profile) } as Hl7State;
  },
});

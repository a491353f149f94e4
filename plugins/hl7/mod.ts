import { type AnyPlugin, definePlugin } from "../../core/plugin.ts";
import { createState, type Hl7State } from "./capture.ts";
import { filters } from "./filters.ts";
import { mllp } from "./mllp/mod.ts";
import { Hl7MessageShape } from "./schema.ts";
import { routes } from "./routes.ts";

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
  tab: "tabs/hl7.js",
  demo: async () => (await import("./demo.ts")).SAMPLES,
  open: createState,
});

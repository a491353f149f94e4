import { type CapturedEvent, definePlugin, type Plugin } from "../../core/plugin.ts";
import type { SmsState } from "./capture.ts";
import { filters } from "./filters.ts";
import type { SmsMessage } from "./model.ts";
import { SmsMessageShape } from "./schema.ts";
import { routes } from "./routes.ts";
import { sms1 } from "./sms1/mod.ts";
import { sms2 } from "./sms2/mod.ts";
import { storyKeysOfSms } from "./story_keys.ts";
import { sms3 } from "./sms3/mod.ts";

/** SMS: text and media messages through a REST messaging API. */
export const sms: Plugin<SmsState> = definePlugin<SmsState>({
  id: "sms",
  title: "SMS",
  about: "Captures text and media messages, and counts their segments in the encoding they need.",
  eventTypes: ["sms.message"],
  payload: SmsMessageShape,
  providers: [sms1, sms2, sms3],
  routes,
  filters,
  texts: (event) => [
    { kind: "plain", text: (event as CapturedEvent<SmsMessage>).payload.body },
  ],
  storyKeys: storyKeysOfSms,
  tab: "tabs/sms.js",
  demo: async () => (await import("./demo.ts")).SAMPLES,
  clients: async () => (await import("./clients.ts")).CLIENTS,
  checks: async () => (await import("./checks/mod.ts")).CHECKS,
  report: async () => (await import("./report.ts")).REPORT,
  open: () => ({}),
});

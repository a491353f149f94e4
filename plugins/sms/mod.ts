import { type CapturedEvent, definePlugin, type Plugin } from "../../core/plugin.ts";
import type { SmsState } from "./capture.ts";
import { filters } from "./filters.ts";
import type { SmsMessage } from "./model.ts";
import { SmsMessageShape } from "./schema.ts";
import { routes } from "./routes.ts";
import { sms1 } from "./sms1/mod.ts";

/** SMS: text and media messages through a REST messaging API. */
export const sms: Plugin<SmsState> = definePlugin<SmsState>({
  id: "sms",
  title: "SMS",
  about: "Captures text and media messages, with the segments and the alphabet they would cost.",
  eventTypes: ["sms.message"],
  payload: SmsMessageShape,
  providers: [sms1],
  routes,
  filters,
  texts: (event) => [
    { kind: "plain", text: (event as CapturedEvent<SmsMessage>).payload.body },
  ],
  tab: "tabs/sms.js",
  demo: async () => (await import("./demo.ts")).SAMPLES,
  clients: async () => (await import("./clients.ts")).CLIENTS,
  open: () => ({}),
});

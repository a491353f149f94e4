/** sms3: Vonage, formerly Nexmo: its SMS API and its Messages API, https://developer.vonage.com/en/api/sms */
import { onDemand } from "../../../core/on_demand.ts";
import { ingressProvider } from "../../../core/plugin.ts";
import type { SmsState } from "../capture.ts";
import { FAULTS } from "./faults.ts";
import { OPTIONS } from "./options.ts";
import { refuse, toVendorRefusal } from "./reply.ts";
import { snippets } from "./snippets.ts";

const handler = onDemand(() => import("./handlers.ts"));

/** The Vonage provider. */
export const sms3 = ingressProvider<SmsState, typeof OPTIONS>({
  id: "sms3",
  title: "Vonage SMS and Messages",
  shortTitle: "Vonage",
  aliases: ["nexmo"],
  about: "Messages sent through the SMS API or the Messages API of Vonage",
  vendorHosts: ["rest.nexmo.com", "api.nexmo.com", "api-us.nexmo.com", "api-eu.nexmo.com"],
  options: OPTIONS,
  routes: [
    {
      method: "POST",
      path: "/sms/json",
      about: "Send a message with the SMS API",
      handle: handler("send"),
    },
    {
      method: "POST",
      path: "/v1/messages",
      about: "Send a message with the Messages API",
      handle: handler("send"),
    },
  ],
  refuse: (call, refusal, { ctx }) =>
    refuse(toVendorRefusal(refusal), { call, requestId: ctx.uuid() }),
  snippets,
  faults: FAULTS,
});

/** sms2: publishing with Amazon SNS: https://docs.aws.amazon.com/sns/latest/api/welcome.html */
import { matchesSecret } from "../../../core/http/auth.ts";
import { regionalHosts, signingScope } from "../../../core/http/aws.ts";
import { onDemand } from "../../../core/on_demand.ts";
import { type IngressCall, ingressProvider } from "../../../core/plugin.ts";
import type { SmsState } from "../capture.ts";
import { FAULTS } from "./faults.ts";
import { type Env, OPTIONS } from "./options.ts";
import { REFUSALS, refuse, toVendorRefusal } from "./reply.ts";
import { snippets } from "./snippets.ts";

const handler = onDemand(() => import("./handlers.ts"));

/** The Amazon SNS provider. */
export const sms2 = ingressProvider<SmsState, typeof OPTIONS>({
  id: "sms2",
  title: "Amazon SNS",
  shortTitle: "Amazon SNS",
  aliases: ["sns"],
  about: "Messages published to numbers and topics through Amazon SNS",
  vendorHosts: regionalHosts("sns"),
  options: OPTIONS,
  routes: [{
    method: "POST",
    path: "/",
    about: "Publish, PublishBatch, CreateTopic or CheckIfPhoneNumberIsOptedOut",
    handle: handler("act"),
  }],
  claims: ({ headers }) => signingScope(headers)?.service === "sns",
  authorize,
  refuse: (_call, refusal, { ctx }) => refuse(toVendorRefusal(refusal), ctx.uuid()),
  snippets,
  faults: FAULTS,
});

function authorize(call: IngressCall, { values, ctx }: Env): Response | undefined {
  if (values.access_key === undefined) return undefined;
  const accessKey = signingScope(call.headers)?.accessKey;
  if (matchesSecret(accessKey, values.access_key)) return undefined;
  return refuse(accessKey === undefined ? REFUSALS.unsigned : REFUSALS.wrongKey, ctx.uuid());
}

/** mail3: the Resend email API, https://resend.com/docs/api-reference/emails */
import { matchesSecret, readBearer } from "../../../core/http/auth.ts";
import { type IngressCall, ingressProvider } from "../../../core/plugin.ts";
import type { MailState } from "../capture.ts";
import {
  cancelEmail,
  getAttachment,
  getContent,
  getEmail,
  listAttachments,
  listEmails,
  updateEmail,
} from "./fetch.ts";
import { FAULTS } from "./faults.ts";
import { type Env, OPTIONS } from "./options.ts";
import { REFUSALS, refuse, toVendorRefusal } from "./reply.ts";
import { sendBatch, sendEmail } from "./send.ts";
import { snippets } from "./snippets.ts";
import { Store } from "./store.ts";

/** The provider that stands in for the Resend email API. */
export const mail3 = ingressProvider<MailState, typeof OPTIONS, Store>({
  id: "mail3",
  title: "Resend email API",
  shortTitle: "Resend",
  about: "Emails sent through the Resend API, one by one or in batches",
  vendorHosts: ["api.resend.com"],
  options: OPTIONS,
  routes: [
    { method: "POST", path: "/emails", about: "Send an email", handle: sendEmail },
    {
      method: "POST",
      path: "/emails/batch",
      about: "Send up to 100 emails",
      handle: sendBatch,
    },
    { method: "GET", path: "/emails", about: "List sent emails", handle: listEmails },
    { method: "GET", path: "/emails/{id}", about: "Fetch an email", handle: getEmail },
    {
      method: "PATCH",
      path: "/emails/{id}",
      about: "Reschedule an email",
      handle: updateEmail,
    },
    {
      method: "POST",
      path: "/emails/{id}/cancel",
      about: "Cancel a scheduled email",
      handle: cancelEmail,
    },
    {
      method: "GET",
      path: "/emails/{id}/attachments",
      about: "List an email's attachments",
      handle: listAttachments,
    },
    {
      method: "GET",
      path: "/emails/{id}/attachments/{aid}",
      about: "Describe an attachment",
      handle: getAttachment,
    },
    {
      method: "GET",
      path: "/emails/{id}/attachments/{aid}/content",
      about: "Download an attachment",
      public: true,
      handle: getContent,
    },
  ],
  open: ({ ctx: { events } }) => new Store((id) => events.get(id) !== undefined),
  authorize,
  refuse: (_call, refusal) => refuse(toVendorRefusal(refusal)),
  snippets,
  faults: FAULTS,
});

function authorize({ headers }: IngressCall, { values }: Env): Response | undefined {
  if (values.api_key === undefined) return undefined;
  const authorization = headers.get("authorization");
  if (authorization === null) return refuse(REFUSALS.missingKey);
  return matchesSecret(readBearer(authorization), values.api_key)
    ? undefined
    : refuse(REFUSALS.wrongKey);
}

/** mail3: the Resend email API, https://resend.com/docs/api-reference/emails */
import { ingressProvider } from "../../../core/plugin.ts";
import type { MailState } from "../capture.ts";
import { OPTIONS, PROVIDER, refusal, withKey } from "./env.ts";
import {
  cancelEmail,
  getAttachment,
  getContent,
  getEmail,
  listAttachments,
  listEmails,
  updateEmail,
} from "./fetch.ts";
import { refusalError } from "./reply.ts";
import { sendBatch, sendEmail } from "./send.ts";
import { snippets } from "./snippets.ts";

/** The provider that stands in for the Resend email API. */
export const mail3 = ingressProvider<MailState, typeof OPTIONS>({
  id: PROVIDER,
  title: "Resend email API",
  shortTitle: "Resend",
  about: "Emails sent through the Resend API, one by one or in batches",
  vendorHosts: ["api.resend.com"],
  options: OPTIONS,
  routes: [
    { method: "POST", path: "/emails", about: "Send an email", handle: withKey(sendEmail) },
    {
      method: "POST",
      path: "/emails/batch",
      about: "Send up to 100 emails",
      handle: withKey(sendBatch),
    },
    { method: "GET", path: "/emails", about: "List sent emails", handle: withKey(listEmails) },
    { method: "GET", path: "/emails/{id}", about: "Fetch an email", handle: withKey(getEmail) },
    {
      method: "PATCH",
      path: "/emails/{id}",
      about: "Reschedule an email",
      handle: withKey(updateEmail),
    },
    {
      method: "POST",
      path: "/emails/{id}/cancel",
      about: "Cancel a scheduled email",
      handle: withKey(cancelEmail),
    },
    {
      method: "GET",
      path: "/emails/{id}/attachments",
      about: "List an email's attachments",
      handle: withKey(listAttachments),
    },
    {
      method: "GET",
      path: "/emails/{id}/attachments/{aid}",
      about: "Describe an attachment",
      handle: withKey(getAttachment),
    },
    {
      method: "GET",
      path: "/emails/{id}/attachments/{aid}/content",
      about: "Download an attachment",
      handle: getContent,
    },
  ],
  snippets,
  refuse(_call, reason) {
    const allow: HeadersInit = reason.allow ? { allow: reason.allow.join(", ") } : {};
    return refusal(refusalError(reason), allow);
  },
});

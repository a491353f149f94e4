/** mail3: the Resend email API, https://resend.com/docs/api-reference/emails */
import { matchesSecret, readBearer } from "../../../core/http/auth.ts";
import { type IngressCall, ingressProvider } from "../../../core/plugin.ts";
import type { MailState } from "../capture.ts";
import {
  cancelBroadcast,
  createBroadcast,
  deleteBroadcast,
  duplicateBroadcast,
  getBroadcast,
  listBroadcasts,
  sendBroadcast,
  updateBroadcast,
} from "./broadcasts.ts";
import {
  createContact,
  createSegment,
  deleteContact,
  deleteSegment,
  getContact,
  getSegment,
  joinSegment,
  leaveSegment,
  listContacts,
  listMembers,
  listMemberships,
  listSegments,
  updateContact,
} from "./contacts.ts";
import {
  createDomain,
  createKey,
  deleteDomain,
  deleteKey,
  getDomain,
  listDomains,
  listKeys,
  updateDomain,
  verifyDomain,
} from "./domains.ts";
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
import { RECEIVING_ROUTES } from "./receiving.ts";
import { REFUSALS, refuse, toVendorRefusal } from "./reply.ts";
import { sendBatch, sendEmail } from "./send.ts";
import { snippets } from "./snippets.ts";
import { Store } from "./store.ts";
import {
  createTemplate,
  deleteTemplate,
  duplicateTemplate,
  getTemplate,
  listTemplates,
  publishTemplate,
  updateTemplate,
} from "./templates.ts";

/** The Resend provider. */
export const mail3 = ingressProvider<MailState, typeof OPTIONS, Store>({
  id: "mail3",
  title: "Resend email API",
  shortTitle: "Resend",
  about: "Emails sent through the Resend API, one by one, in batches or with templates",
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
    ...RECEIVING_ROUTES,
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
    { method: "POST", path: "/templates", about: "Create a template", handle: createTemplate },
    { method: "GET", path: "/templates", about: "List templates", handle: listTemplates },
    { method: "GET", path: "/templates/{id}", about: "Fetch a template", handle: getTemplate },
    {
      method: "PATCH",
      path: "/templates/{id}",
      about: "Change a template",
      handle: updateTemplate,
    },
    {
      method: "DELETE",
      path: "/templates/{id}",
      about: "Delete a template",
      handle: deleteTemplate,
    },
    {
      method: "POST",
      path: "/templates/{id}/publish",
      about: "Publish a template",
      handle: publishTemplate,
    },
    {
      method: "POST",
      path: "/templates/{id}/duplicate",
      about: "Duplicate a template",
      handle: duplicateTemplate,
    },
    { method: "POST", path: "/domains", about: "Add a domain", handle: createDomain },
    { method: "GET", path: "/domains", about: "List domains", handle: listDomains },
    { method: "GET", path: "/domains/{id}", about: "Fetch a domain", handle: getDomain },
    { method: "PATCH", path: "/domains/{id}", about: "Change a domain", handle: updateDomain },
    {
      method: "POST",
      path: "/domains/{id}/verify",
      about: "Verify a domain",
      handle: verifyDomain,
    },
    { method: "DELETE", path: "/domains/{id}", about: "Delete a domain", handle: deleteDomain },
    { method: "POST", path: "/api-keys", about: "Create an API key", handle: createKey },
    { method: "GET", path: "/api-keys", about: "List API keys", handle: listKeys },
    { method: "DELETE", path: "/api-keys/{id}", about: "Delete an API key", handle: deleteKey },
    { method: "POST", path: "/contacts", about: "Add a contact", handle: createContact },
    { method: "GET", path: "/contacts", about: "List contacts", handle: listContacts },
    { method: "GET", path: "/contacts/{contact}", about: "Fetch a contact", handle: getContact },
    {
      method: "PATCH",
      path: "/contacts/{contact}",
      about: "Change a contact",
      handle: updateContact,
    },
    {
      method: "DELETE",
      path: "/contacts/{contact}",
      about: "Delete a contact",
      handle: deleteContact,
    },
    {
      method: "GET",
      path: "/contacts/{contact}/segments",
      about: "List the segments of a contact",
      handle: listMemberships,
    },
    {
      method: "POST",
      path: "/contacts/{contact}/segments/{id}",
      about: "Add a contact to a segment",
      handle: joinSegment,
    },
    {
      method: "DELETE",
      path: "/contacts/{contact}/segments/{id}",
      about: "Remove a contact from a segment",
      handle: leaveSegment,
    },
    { method: "POST", path: "/broadcasts", about: "Create a broadcast", handle: createBroadcast },
    { method: "GET", path: "/broadcasts", about: "List broadcasts", handle: listBroadcasts },
    { method: "GET", path: "/broadcasts/{id}", about: "Fetch a broadcast", handle: getBroadcast },
    {
      method: "PATCH",
      path: "/broadcasts/{id}",
      about: "Change a draft",
      handle: updateBroadcast,
    },
    {
      method: "DELETE",
      path: "/broadcasts/{id}",
      about: "Delete a draft",
      handle: deleteBroadcast,
    },
    {
      method: "POST",
      path: "/broadcasts/{id}/send",
      about: "Send a broadcast to the contacts of its segment",
      handle: sendBroadcast,
    },
    {
      method: "POST",
      path: "/broadcasts/{id}/cancel",
      about: "Cancel a scheduled broadcast",
      handle: cancelBroadcast,
    },
    {
      method: "POST",
      path: "/broadcasts/{id}/duplicate",
      about: "Duplicate a broadcast",
      handle: duplicateBroadcast,
    },
    ...["/segments", "/audiences"].flatMap((path) => [
      { method: "POST" as const, path, about: "Create a segment", handle: createSegment },
      { method: "GET" as const, path, about: "List segments", handle: listSegments },
      {
        method: "GET" as const,
        path: `${path}/{id}`,
        about: "Fetch a segment",
        handle: getSegment,
      },
      {
        method: "DELETE" as const,
        path: `${path}/{id}`,
        about: "Delete a segment",
        handle: deleteSegment,
      },
      {
        method: "GET" as const,
        path: `${path}/{id}/contacts`,
        about: "List the contacts of a segment",
        handle: listMembers,
      },
      {
        method: "POST" as const,
        path: `${path}/{id}/contacts`,
        about: "Add a contact to a segment",
        handle: createContact,
      },
      {
        method: "GET" as const,
        path: `${path}/{id}/contacts/{contact}`,
        about: "Fetch a contact of a segment",
        handle: getContact,
      },
      {
        method: "PATCH" as const,
        path: `${path}/{id}/contacts/{contact}`,
        about: "Change a contact of a segment",
        handle: updateContact,
      },
      {
        method: "DELETE" as const,
        path: `${path}/{id}/contacts/{contact}`,
        about: "Delete a contact of a segment",
        handle: deleteContact,
      },
    ]),
  ],
  open: ({ ctx: { events }, state }) => new Store((id) => events.get(id) !== undefined, state),
  authorize,
  refuse: (_call, refusal) => refuse(toVendorRefusal(refusal)),
  snippets,
  faults: FAULTS,
  callbacks: {
    webhook: "Webhook of Resend: reports about emails",
    inbound: "Webhook of Resend for email.received: inbound emails",
    load: async () => (await import("./callbacks.ts")).CALLBACKS,
  },
});

function authorize({ headers }: IngressCall, { values }: Env): Response | undefined {
  if (values.api_key === undefined) return undefined;
  const authorization = headers.get("authorization");
  if (authorization === null) return refuse(REFUSALS.missingKey);
  return matchesSecret(readBearer(authorization), values.api_key)
    ? undefined
    : refuse(REFUSALS.wrongKey);
}

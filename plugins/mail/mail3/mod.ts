/** mail3: the Resend email API, https://resend.com/docs/api-reference/emails */
import { matchesSecret, readBearer } from "../../../core/http/auth.ts";
import { onDemand } from "../../../core/on_demand.ts";
import { type IngressCall, ingressProvider } from "../../../core/plugin.ts";
import type { MailState } from "../capture.ts";
import { FAULTS } from "./faults.ts";
import { type Env, OPTIONS } from "./options.ts";
import { RECEIVING_ROUTES } from "./receiving_routes.ts";
import { REFUSALS, refuse, toVendorRefusal } from "./reply.ts";
import { snippets } from "./snippets.ts";
import { Store } from "./store.ts";

const handler = onDemand(() => import("./handlers.ts"));

/** The Resend provider. */
export const mail3 = ingressProvider<MailState, typeof OPTIONS, Store>({
  id: "mail3",
  title: "Resend email API",
  shortTitle: "Resend",
  about: "Emails sent through the Resend API, one by one, in batches or with templates",
  vendorHosts: ["api.resend.com"],
  options: OPTIONS,
  routes: [
    { method: "POST", path: "/emails", about: "Send an email", handle: handler("sendEmail") },
    {
      method: "POST",
      path: "/emails/batch",
      about: "Send up to 100 emails",
      handle: handler("sendBatch"),
    },
    { method: "GET", path: "/emails", about: "List sent emails", handle: handler("listEmails") },
    ...RECEIVING_ROUTES,
    { method: "GET", path: "/emails/{id}", about: "Fetch an email", handle: handler("getEmail") },
    {
      method: "PATCH",
      path: "/emails/{id}",
      about: "Reschedule an email",
      handle: handler("updateEmail"),
    },
    {
      method: "POST",
      path: "/emails/{id}/cancel",
      about: "Cancel a scheduled email",
      handle: handler("cancelEmail"),
    },
    {
      method: "GET",
      path: "/emails/{id}/attachments",
      about: "List an email's attachments",
      handle: handler("listAttachments"),
    },
    {
      method: "GET",
      path: "/emails/{id}/attachments/{aid}",
      about: "Describe an attachment",
      handle: handler("getAttachment"),
    },
    {
      method: "GET",
      path: "/emails/{id}/attachments/{aid}/content",
      about: "Download an attachment",
      public: true,
      handle: handler("getContent"),
    },
    {
      method: "POST",
      path: "/templates",
      about: "Create a template",
      handle: handler("createTemplate"),
    },
    {
      method: "GET",
      path: "/templates",
      about: "List templates",
      handle: handler("listTemplates"),
    },
    {
      method: "GET",
      path: "/templates/{id}",
      about: "Fetch a template",
      handle: handler("getTemplate"),
    },
    {
      method: "PATCH",
      path: "/templates/{id}",
      about: "Change a template",
      handle: handler("updateTemplate"),
    },
    {
      method: "DELETE",
      path: "/templates/{id}",
      about: "Delete a template",
      handle: handler("deleteTemplate"),
    },
    {
      method: "POST",
      path: "/templates/{id}/publish",
      about: "Publish a template",
      handle: handler("publishTemplate"),
    },
    {
      method: "POST",
      path: "/templates/{id}/duplicate",
      about: "Duplicate a template",
      handle: handler("duplicateTemplate"),
    },
    { method: "POST", path: "/domains", about: "Add a domain", handle: handler("createDomain") },
    { method: "GET", path: "/domains", about: "List domains", handle: handler("listDomains") },
    { method: "GET", path: "/domains/{id}", about: "Fetch a domain", handle: handler("getDomain") },
    {
      method: "PATCH",
      path: "/domains/{id}",
      about: "Change a domain",
      handle: handler("updateDomain"),
    },
    {
      method: "POST",
      path: "/domains/{id}/verify",
      about: "Verify a domain",
      handle: handler("verifyDomain"),
    },
    {
      method: "DELETE",
      path: "/domains/{id}",
      about: "Delete a domain",
      handle: handler("deleteDomain"),
    },
    { method: "POST", path: "/api-keys", about: "Create an API key", handle: handler("createKey") },
    { method: "GET", path: "/api-keys", about: "List API keys", handle: handler("listKeys") },
    {
      method: "DELETE",
      path: "/api-keys/{id}",
      about: "Delete an API key",
      handle: handler("deleteKey"),
    },
    { method: "POST", path: "/contacts", about: "Add a contact", handle: handler("createContact") },
    { method: "GET", path: "/contacts", about: "List contacts", handle: handler("listContacts") },
    {
      method: "GET",
      path: "/contacts/{contact}",
      about: "Fetch a contact",
      handle: handler("getContact"),
    },
    {
      method: "PATCH",
      path: "/contacts/{contact}",
      about: "Change a contact",
      handle: handler("updateContact"),
    },
    {
      method: "DELETE",
      path: "/contacts/{contact}",
      about: "Delete a contact",
      handle: handler("deleteContact"),
    },
    {
      method: "GET",
      path: "/contacts/{contact}/segments",
      about: "List the segments of a contact",
      handle: handler("listMemberships"),
    },
    {
      method: "POST",
      path: "/contacts/{contact}/segments/{id}",
      about: "Add a contact to a segment",
      handle: handler("joinSegment"),
    },
    {
      method: "DELETE",
      path: "/contacts/{contact}/segments/{id}",
      about: "Remove a contact from a segment",
      handle: handler("leaveSegment"),
    },
    {
      method: "POST",
      path: "/broadcasts",
      about: "Create a broadcast",
      handle: handler("createBroadcast"),
    },
    {
      method: "GET",
      path: "/broadcasts",
      about: "List broadcasts",
      handle: handler("listBroadcasts"),
    },
    {
      method: "GET",
      path: "/broadcasts/{id}",
      about: "Fetch a broadcast",
      handle: handler("getBroadcast"),
    },
    {
      method: "PATCH",
      path: "/broadcasts/{id}",
      about: "Change a draft",
      handle: handler("updateBroadcast"),
    },
    {
      method: "DELETE",
      path: "/broadcasts/{id}",
      about: "Delete a draft",
      handle: handler("deleteBroadcast"),
    },
    {
      method: "POST",
      path: "/broadcasts/{id}/send",
      about: "Send a broadcast to the contacts of its segment",
      handle: handler("sendBroadcast"),
    },
    {
      method: "POST",
      path: "/broadcasts/{id}/cancel",
      about: "Cancel a scheduled broadcast",
      handle: handler("cancelBroadcast"),
    },
    {
      method: "POST",
      path: "/broadcasts/{id}/duplicate",
      about: "Duplicate a broadcast",
      handle: handler("duplicateBroadcast"),
    },
    ...["/segments", "/audiences"].flatMap((path) => [
      {
        method: "POST" as const,
        path,
        about: "Create a segment",
        handle: handler("createSegment"),
      },
      { method: "GET" as const, path, about: "List segments", handle: handler("listSegments") },
      {
        method: "GET" as const,
        path: `${path}/{id}`,
        about: "Fetch a segment",
        handle: handler("getSegment"),
      },
      {
        method: "DELETE" as const,
        path: `${path}/{id}`,
        about: "Delete a segment",
        handle: handler("deleteSegment"),
      },
      {
        method: "GET" as const,
        path: `${path}/{id}/contacts`,
        about: "List the contacts of a segment",
        handle: handler("listMembers"),
      },
      {
        method: "POST" as const,
        path: `${path}/{id}/contacts`,
        about: "Add a contact to a segment",
        handle: handler("createContact"),
      },
      {
        method: "GET" as const,
        path: `${path}/{id}/contacts/{contact}`,
        about: "Fetch a contact of a segment",
        handle: handler("getContact"),
      },
      {
        method: "PATCH" as const,
        path: `${path}/{id}/contacts/{contact}`,
        about: "Change a contact of a segment",
        handle: handler("updateContact"),
      },
      {
        method: "DELETE" as const,
        path: `${path}/{id}/contacts/{contact}`,
        about: "Delete a contact of a segment",
        handle: handler("deleteContact"),
      },
    ]),
  ],
  open: ({ ctx: { events }, state }) => new Store((id) => events.get(id) !== undefined, state),
  authorize,
  refuse: (_call, refusal) => refuse(toVendorRefusal(refusal)),
  snippets,
  faults: FAULTS,
  callbacks: {
    webhook: "Resend's webhook: reports about emails",
    inbound: "Resend's webhook for email.received: inbound emails",
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

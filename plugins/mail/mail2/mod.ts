/**
 * SendGrid v3: `POST /v3/mail/send`, with the templates, contacts and account calls that its
 * clients use.
 */
import { matchesSecret, readBearer } from "../../../core/http/auth.ts";
import { onDemand } from "../../../core/on_demand.ts";
import { type IngressCall, ingressProvider } from "../../../core/plugin.ts";
import type { MailState } from "../capture.ts";
import { FAULTS } from "./faults.ts";
import { type Env, OPTIONS } from "./options.ts";
import { REFUSALS, refuse, toVendorRefusal } from "./reply.ts";
import { snippets } from "./snippets.ts";
import { Store } from "./store.ts";

const handler = onDemand(() => import("./handlers.ts"));

const TEMPLATES = "/v3/templates";
const TEMPLATE = `${TEMPLATES}/{template_id}`;
const VERSION = `${TEMPLATE}/versions/{version_id}`;
const STOPPED = "/v3/user/scheduled_sends";
const CONTACTS = "/v3/marketing/contacts";

/** The SendGrid provider. */
export const mail2 = ingressProvider<MailState, typeof OPTIONS, Store>({
  id: "mail2",
  title: "SendGrid v3 Mail Send",
  shortTitle: "SendGrid",
  about: "Accepts POST /v3/mail/send as SendGrid does; every personalization becomes one message",
  vendorHosts: ["api.sendgrid.com"],
  options: OPTIONS,
  routes: [
    {
      method: "POST",
      path: "/v3/mail/send",
      about: "Send one message per personalization",
      handle: handler("send"),
    },
    {
      method: "POST",
      path: "/v3/mail/batch",
      about: "Create a batch",
      handle: handler("createBatch"),
    },
    {
      method: "GET",
      path: "/v3/mail/batch/{batch_id}",
      about: "Validate the id of a batch",
      handle: handler("getBatch"),
    },
    {
      method: "POST",
      path: STOPPED,
      about: "Cancel or pause a batch",
      handle: handler("stopBatch"),
    },
    {
      method: "GET",
      path: STOPPED,
      about: "List cancelled and paused batches",
      handle: handler("listStopped"),
    },
    {
      method: "GET",
      path: `${STOPPED}/{batch_id}`,
      about: "Fetch whether a batch is cancelled or paused",
      handle: handler("getStopped"),
    },
    {
      method: "PATCH",
      path: `${STOPPED}/{batch_id}`,
      about: "Change whether a batch is cancelled or paused",
      handle: handler("updateStopped"),
    },
    {
      method: "DELETE",
      path: `${STOPPED}/{batch_id}`,
      about: "Send a cancelled or paused batch after all",
      handle: handler("resumeBatch"),
    },
    {
      method: "POST",
      path: TEMPLATES,
      about: "Create a template",
      handle: handler("createTemplate"),
    },
    { method: "GET", path: TEMPLATES, about: "List templates", handle: handler("listTemplates") },
    { method: "GET", path: TEMPLATE, about: "Fetch a template", handle: handler("getTemplate") },
    {
      method: "POST",
      path: TEMPLATE,
      about: "Duplicate a template",
      handle: handler("duplicateTemplate"),
    },
    {
      method: "PATCH",
      path: TEMPLATE,
      about: "Rename a template",
      handle: handler("renameTemplate"),
    },
    {
      method: "DELETE",
      path: TEMPLATE,
      about: "Delete a template",
      handle: handler("deleteTemplate"),
    },
    {
      method: "POST",
      path: `${TEMPLATE}/versions`,
      about: "Add a version to a template",
      handle: handler("createVersion"),
    },
    {
      method: "GET",
      path: VERSION,
      about: "Fetch a version of a template",
      handle: handler("getVersion"),
    },
    {
      method: "PATCH",
      path: VERSION,
      about: "Change a version of a template",
      handle: handler("updateVersion"),
    },
    {
      method: "DELETE",
      path: VERSION,
      about: "Delete a version of a template",
      handle: handler("deleteVersion"),
    },
    {
      method: "POST",
      path: `${VERSION}/activate`,
      about: "Activate a version of a template",
      handle: handler("activateVersion"),
    },
    {
      method: "PUT",
      path: CONTACTS,
      about: "Add or change contacts",
      handle: handler("upsertContacts"),
    },
    { method: "GET", path: CONTACTS, about: "List contacts", handle: handler("listContacts") },
    {
      method: "DELETE",
      path: CONTACTS,
      about: "Delete contacts",
      handle: handler("deleteContacts"),
    },
    {
      method: "GET",
      path: `${CONTACTS}/count`,
      about: "Count contacts",
      handle: handler("countContacts"),
    },
    {
      method: "POST",
      path: `${CONTACTS}/search`,
      about: "Search contacts",
      handle: handler("searchContacts"),
    },
    {
      method: "POST",
      path: `${CONTACTS}/search/emails`,
      about: "Find contacts by address",
      handle: handler("findContacts"),
    },
    {
      method: "GET",
      path: `${CONTACTS}/{id}`,
      about: "Fetch a contact",
      handle: handler("getContact"),
    },
    {
      method: "POST",
      path: "/v3/validations/email",
      about: "Validate an address",
      handle: handler("validateEmail"),
    },
    {
      method: "GET",
      path: "/v3/user/profile",
      about: "Describe the user",
      handle: handler("getProfile"),
    },
    {
      method: "GET",
      path: "/v3/scopes",
      about: "List what the key may do",
      handle: handler("getScopes"),
    },
  ],
  open: ({ state }) => new Store(state),
  authorize,
  refuse: (_call, refusal) => refuse(toVendorRefusal(refusal)),
  snippets,
  faults: FAULTS,
  callbacks: {
    webhook: "SendGrid's Event Webhook: reports about emails",
    inbound: "SendGrid's Inbound Parse: inbound emails",
    load: async () => (await import("./callbacks.ts")).CALLBACKS,
  },
});

function authorize({ headers }: IngressCall, { values }: Env): Response | undefined {
  const { api_key } = values;
  if (api_key === undefined) return undefined;
  const given = readBearer(headers.get("authorization"));
  return matchesSecret(given, api_key) ? undefined : refuse(REFUSALS.unauthorized);
}

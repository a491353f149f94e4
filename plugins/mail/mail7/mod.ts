/** mail7: the Brevo API, https://developers.brevo.com/reference/sendtransacemail */
import { matchesSecret } from "../../../core/http/auth.ts";
import { onDemand } from "../../../core/on_demand.ts";
import { type IngressCall, ingressProvider } from "../../../core/plugin.ts";
import type { MailState } from "../capture.ts";
import { keyOf } from "./account.ts";
import { FAULTS } from "./faults.ts";
import { type Env, OPTIONS } from "./options.ts";
import { REFUSALS, refuse, toVendorRefusal } from "./reply.ts";
import { snippets } from "./snippets.ts";
import { Store } from "./store.ts";

const handler = onDemand(() => import("./handlers.ts"));

/** Largest request: attachments of 20 MB, in base64, and the bodies. */
const MAX_BYTES = 32 * 1024 * 1024;

const TEMPLATES = "/v3/smtp/templates";

/** The Brevo provider. */
export const mail7 = ingressProvider<MailState, typeof OPTIONS, Store>({
  id: "mail7",
  title: "Brevo API v3",
  shortTitle: "Brevo",
  about: "Transactional emails sent through the Brevo API, alone or as versions of one message",
  vendorHosts: ["api.brevo.com", "api.sendinblue.com"],
  options: OPTIONS,
  routes: [
    {
      method: "POST",
      path: "/v3/smtp/email",
      about: "Send an email, or versions of it",
      handle: handler("sendEmail"),
    },
    {
      method: "GET",
      path: "/v3/smtp/emails",
      about: "List sent emails",
      handle: handler("listEmails"),
    },
    {
      method: "GET",
      path: "/v3/smtp/emails/{uuid}",
      about: "Fetch an email",
      handle: handler("getEmail"),
    },
    {
      method: "GET",
      path: "/v3/smtp/statistics/events",
      about: "List events",
      handle: handler("listEvents"),
    },
    {
      method: "POST",
      path: TEMPLATES,
      about: "Create a template",
      handle: handler("createTemplate"),
    },
    { method: "GET", path: TEMPLATES, about: "List templates", handle: handler("listTemplates") },
    {
      method: "GET",
      path: `${TEMPLATES}/{id}`,
      about: "Fetch a template",
      handle: handler("getTemplate"),
    },
    {
      method: "PUT",
      path: `${TEMPLATES}/{id}`,
      about: "Change a template",
      handle: handler("updateTemplate"),
    },
    {
      method: "DELETE",
      path: `${TEMPLATES}/{id}`,
      about: "Delete a template",
      handle: handler("deleteTemplate"),
    },
    {
      method: "GET",
      path: "/v3/account",
      about: "Describe the account",
      handle: handler("getAccount"),
    },
  ],
  open: ({ state }) => new Store(state),
  claims: ({ headers }) => headers.has("api-key"),
  bodyLimit: (_values, max) => Math.min(MAX_BYTES, max),
  authorize,
  refuse: (_call, refusal) => refuse(toVendorRefusal(refusal)),
  snippets,
  faults: FAULTS,
  callbacks: {
    webhook: "Brevo's webhook: reports about emails",
    inbound: "Brevo's inbound parsing: inbound emails",
    load: async () => (await import("./callbacks.ts")).CALLBACKS,
  },
});

function authorize(call: IngressCall, { values }: Env): Response | undefined {
  if (values.api_key === undefined) return undefined;
  return matchesSecret(keyOf(call), values.api_key) ? undefined : refuse(REFUSALS.wrongKey);
}

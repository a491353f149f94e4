/** mail5: the Mailgun API, https://documentation.mailgun.com/docs/mailgun/api-reference/send/mailgun */
import { matchesSecret, readBasic } from "../../../core/http/auth.ts";
import { onDemand } from "../../../core/on_demand.ts";
import { type IngressCall, ingressProvider, type IngressRoute } from "../../../core/plugin.ts";
import type { MailState } from "../capture.ts";
import { domainOf } from "./account.ts";
import { FAULTS } from "./faults.ts";
import { type Env, OPTIONS } from "./options.ts";
import { REFUSALS, refuse, toVendorRefusal, vendorRefusal } from "./reply.ts";
import { snippets } from "./snippets.ts";
import { Store } from "./store.ts";

const handler = onDemand(() => import("./handlers.ts"));

/** Largest message with its attachments, and room for the rest of the form. */
const MAX_BYTES = 26 * 1024 * 1024;

const DOMAIN = "/v3/{domain}";
const TEMPLATES = `${DOMAIN}/templates`;
const TEMPLATE = `${TEMPLATES}/{name}`;
const VERSIONS = `${TEMPLATE}/versions`;
const VERSION = `${VERSIONS}/{tag}`;

const ROUTES: readonly IngressRoute<typeof OPTIONS, MailState, Store>[] = [
  {
    method: "POST",
    path: `${DOMAIN}/messages`,
    about: "Send a message",
    handle: handler("sendMessage"),
  },
  {
    method: "POST",
    path: `${DOMAIN}/messages.mime`,
    about: "Send a message in MIME format",
    handle: handler("sendMime"),
  },
  {
    method: "GET",
    path: `${DOMAIN}/events`,
    about: "List events",
    handle: handler("listEvents"),
  },
  {
    method: "GET",
    path: `${DOMAIN}/events/{page}`,
    about: "List events, starting at a page",
    handle: handler("listEvents"),
  },
  {
    method: "GET",
    path: "/v3/domains/{domain}/messages/{key}",
    about: "Fetch a message by the key of an event",
    handle: handler("getMessage"),
  },
  ...["/v3", "/v4"].flatMap((version): IngressRoute<typeof OPTIONS, MailState, Store>[] => [
    {
      method: "GET",
      path: `${version}/domains`,
      about: "List domains",
      handle: handler("listDomains"),
    },
    {
      method: "GET",
      path: `${version}/domains/{domain}`,
      about: "Fetch a domain",
      handle: handler("getDomain"),
    },
  ]),
  {
    method: "POST",
    path: TEMPLATES,
    about: "Create a template",
    handle: handler("createTemplate"),
  },
  { method: "GET", path: TEMPLATES, about: "List templates", handle: handler("listTemplates") },
  {
    method: "DELETE",
    path: TEMPLATES,
    about: "Delete all templates",
    handle: handler("deleteTemplates"),
  },
  { method: "GET", path: TEMPLATE, about: "Fetch a template", handle: handler("getTemplate") },
  {
    method: "PUT",
    path: TEMPLATE,
    about: "Describe a template",
    handle: handler("updateTemplate"),
  },
  {
    method: "DELETE",
    path: TEMPLATE,
    about: "Delete a template",
    handle: handler("deleteTemplate"),
  },
  { method: "POST", path: VERSIONS, about: "Add a version", handle: handler("createVersion") },
  { method: "GET", path: VERSIONS, about: "List versions", handle: handler("listVersions") },
  { method: "GET", path: VERSION, about: "Fetch a version", handle: handler("getVersion") },
  { method: "PUT", path: VERSION, about: "Change a version", handle: handler("updateVersion") },
  { method: "DELETE", path: VERSION, about: "Delete a version", handle: handler("deleteVersion") },
];

/** The Mailgun provider. */
export const mail5 = ingressProvider<MailState, typeof OPTIONS, Store>({
  id: "mail5",
  title: "Mailgun API",
  shortTitle: "Mailgun",
  about: "Messages sent through the Mailgun API, with rendered templates and batches",
  vendorHosts: ["api.mailgun.net", "api.eu.mailgun.net", "*.api.mailgun.net"],
  options: OPTIONS,
  routes: ROUTES,
  open: ({ state }) => new Store(state),
  claims: ({ headers }) => readBasic(headers.get("authorization"))?.username === "api",
  bodyLimit: (_values, max) => Math.min(MAX_BYTES, max),
  authorize,
  refuse: (_call, refusal) => refuse(toVendorRefusal(refusal)),
  snippets,
  faults: FAULTS,
  callbacks: {
    webhook: "Mailgun's webhook: reports about emails",
    inbound: "Mailgun route: inbound emails",
    load: async () => (await import("./callbacks.ts")).CALLBACKS,
  },
});

function authorize(call: IngressCall, { values }: Env): Response | undefined {
  const { api_key, domains } = values;
  if (api_key !== undefined) {
    const given = readBasic(call.headers.get("authorization"));
    if (!matchesSecret(given?.password, api_key)) return refuse(REFUSALS.forbidden);
  }
  const domain = domainOf(call);
  if (domains.length === 0 || domain === "" || domains.includes(domain)) return undefined;
  return refuse(vendorRefusal(404, `Domain not found: ${domain}`));
}

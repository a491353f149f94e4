/** mail5: the Mailgun API, https://documentation.mailgun.com/docs/mailgun/api-reference/send/mailgun */
import { matchesSecret, readBasic } from "../../../core/http/auth.ts";
import { type IngressCall, ingressProvider, type IngressRoute } from "../../../core/plugin.ts";
import type { MailState } from "../capture.ts";
import { FAULTS } from "./faults.ts";
import { getDomain, getMessage, listDomains, listEvents } from "./fetch.ts";
import { type Env, OPTIONS } from "./options.ts";
import { REFUSALS, refuse, toVendorRefusal, vendorRefusal } from "./reply.ts";
import { domainOf, sendMessage, sendMime } from "./send.ts";
import { snippets } from "./snippets.ts";
import { Store } from "./store.ts";
import {
  createTemplate,
  createVersion,
  deleteTemplate,
  deleteTemplates,
  deleteVersion,
  getTemplate,
  getVersion,
  listTemplates,
  listVersions,
  updateTemplate,
  updateVersion,
} from "./templates.ts";

/** Largest message with its attachments, and room for the rest of the form. */
const MAX_BYTES = 26 * 1024 * 1024;

const DOMAIN = "/v3/{domain}";
const TEMPLATES = `${DOMAIN}/templates`;
const TEMPLATE = `${TEMPLATES}/{name}`;
const VERSIONS = `${TEMPLATE}/versions`;
const VERSION = `${VERSIONS}/{tag}`;

const ROUTES: readonly IngressRoute<typeof OPTIONS, MailState, Store>[] = [
  { method: "POST", path: `${DOMAIN}/messages`, about: "Send a message", handle: sendMessage },
  {
    method: "POST",
    path: `${DOMAIN}/messages.mime`,
    about: "Send a message that is already composed",
    handle: sendMime,
  },
  { method: "GET", path: `${DOMAIN}/events`, about: "List what happened", handle: listEvents },
  {
    method: "GET",
    path: `${DOMAIN}/events/{page}`,
    about: "List events, starting at a page",
    handle: listEvents,
  },
  {
    method: "GET",
    path: "/v3/domains/{domain}/messages/{key}",
    about: "Fetch a message by the key of an event",
    handle: getMessage,
  },
  ...["/v3", "/v4"].flatMap((version): IngressRoute<typeof OPTIONS, MailState, Store>[] => [
    { method: "GET", path: `${version}/domains`, about: "List domains", handle: listDomains },
    {
      method: "GET",
      path: `${version}/domains/{domain}`,
      about: "Fetch a domain",
      handle: getDomain,
    },
  ]),
  { method: "POST", path: TEMPLATES, about: "Create a template", handle: createTemplate },
  { method: "GET", path: TEMPLATES, about: "List templates", handle: listTemplates },
  { method: "DELETE", path: TEMPLATES, about: "Delete all templates", handle: deleteTemplates },
  { method: "GET", path: TEMPLATE, about: "Fetch a template", handle: getTemplate },
  { method: "PUT", path: TEMPLATE, about: "Describe a template", handle: updateTemplate },
  { method: "DELETE", path: TEMPLATE, about: "Delete a template", handle: deleteTemplate },
  { method: "POST", path: VERSIONS, about: "Add a version", handle: createVersion },
  { method: "GET", path: VERSIONS, about: "List versions", handle: listVersions },
  { method: "GET", path: VERSION, about: "Fetch a version", handle: getVersion },
  { method: "PUT", path: VERSION, about: "Change a version", handle: updateVersion },
  { method: "DELETE", path: VERSION, about: "Delete a version", handle: deleteVersion },
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
    webhook: "Webhook of Mailgun: reports about emails",
    inbound: "Route of Mailgun: inbound emails",
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

/** mail6: Amazon SES, both of its APIs: https://docs.aws.amazon.com/ses/latest/dg/Welcome.html */
import { matchesSecret } from "../../../core/http/auth.ts";
import { onDemand } from "../../../core/on_demand.ts";
import { type IngressCall, ingressProvider, type IngressRoute } from "../../../core/plugin.ts";
import type { MailState } from "../capture.ts";
import { isForSes, signerOf } from "./account.ts";
import { FAULTS } from "./faults.ts";
import { HOSTS } from "./hosts.ts";
import { type Env, OPTIONS } from "./options.ts";
import { REFUSALS } from "./refusals.ts";
import { refuse, toVendorRefusal } from "./reply.ts";
import { snippets } from "./snippets.ts";
import { Store } from "./store.ts";

const handler = onDemand(() => import("./handlers.ts"));

/** Largest message of version 2, in base64: https://docs.aws.amazon.com/ses/latest/dg/quotas.html */
const MAX_BYTES = 54 * 1024 * 1024;

const V2 = "/v2/email";
const TEMPLATES = `${V2}/templates`;
const IDENTITIES = `${V2}/identities`;

const ROUTES: readonly IngressRoute<typeof OPTIONS, MailState, Store>[] = [
  {
    method: "POST",
    path: `${V2}/outbound-emails`,
    about: "Send an email",
    handle: handler("sendEmail"),
  },
  {
    method: "POST",
    path: `${V2}/outbound-bulk-emails`,
    about: "Send up to 50 emails with one template",
    handle: handler("sendBulk"),
  },
  {
    method: "POST",
    path: "/",
    about: "Any action of version 1, such as SendEmail",
    handle: handler("act"),
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
    path: `${TEMPLATES}/{name}`,
    about: "Fetch a template",
    handle: handler("getTemplate"),
  },
  {
    method: "PUT",
    path: `${TEMPLATES}/{name}`,
    about: "Replace a template",
    handle: handler("updateTemplate"),
  },
  {
    method: "DELETE",
    path: `${TEMPLATES}/{name}`,
    about: "Delete a template",
    handle: handler("deleteTemplate"),
  },
  {
    method: "POST",
    path: `${TEMPLATES}/{name}/render`,
    about: "Render a template",
    handle: handler("renderTemplate"),
  },
  {
    method: "GET",
    path: `${V2}/account`,
    about: "Describe the account",
    handle: handler("getAccount"),
  },
  { method: "GET", path: IDENTITIES, about: "List identities", handle: handler("listIdentities") },
  {
    method: "POST",
    path: `${V2}/list-identities`,
    about: "List identities",
    unlisted: true,
    handle: handler("listIdentities"),
  },
  {
    method: "POST",
    path: IDENTITIES,
    about: "Create an identity",
    handle: handler("createIdentity"),
  },
  {
    method: "GET",
    path: `${IDENTITIES}/{name}`,
    about: "Fetch an identity",
    handle: handler("getIdentity"),
  },
  {
    method: "DELETE",
    path: `${IDENTITIES}/{name}`,
    about: "Delete an identity",
    handle: handler("deleteIdentity"),
  },
];

/** The Amazon SES provider. */
export const mail6 = ingressProvider<MailState, typeof OPTIONS, Store>({
  id: "mail6",
  title: "Amazon SES",
  shortTitle: "Amazon SES",
  aliases: ["ses"],
  about: "Messages sent through Amazon SES, over version 2 and version 1 of its API",
  vendorHosts: HOSTS,
  options: OPTIONS,
  routes: ROUTES,
  open: ({ state }) => new Store(state),
  claims: isForSes,
  bodyLimit: (_values, max) => Math.min(MAX_BYTES, max),
  authorize,
  refuse: (call, refusal, { ctx }) =>
    refuse(toVendorRefusal(refusal), { call, requestId: ctx.uuid() }),
  snippets,
  faults: FAULTS,
});

function authorize(call: IngressCall, { values, ctx }: Env): Response | undefined {
  if (values.access_key === undefined) return undefined;
  const { accessKey } = signerOf(call);
  if (matchesSecret(accessKey, values.access_key)) return undefined;
  const refusal = accessKey === "" ? REFUSALS.unsigned : REFUSALS.wrongKey;
  return refuse(refusal, { call, requestId: ctx.uuid() });
}

/** mail6: Amazon SES, both of its APIs: https://docs.aws.amazon.com/ses/latest/dg/Welcome.html */
import { matchesSecret } from "../../../core/http/auth.ts";
import { type IngressCall, ingressProvider, type IngressRoute } from "../../../core/plugin.ts";
import type { MailState } from "../capture.ts";
import { isForSes, signerOf } from "./account.ts";
import { act } from "./actions.ts";
import { FAULTS } from "./faults.ts";
import {
  createIdentity,
  createTemplate,
  deleteIdentity,
  deleteTemplate,
  getAccount,
  getIdentity,
  getTemplate,
  listIdentities,
  listTemplates,
  renderTemplate,
  updateTemplate,
} from "./fetch.ts";
import { HOSTS } from "./hosts.ts";
import { type Env, OPTIONS } from "./options.ts";
import { REFUSALS } from "./refusals.ts";
import { refuse, toVendorRefusal } from "./reply.ts";
import { sendBulk, sendEmail } from "./send.ts";
import { snippets } from "./snippets.ts";
import { Store } from "./store.ts";

/** Largest message of version 2, in base64: https://docs.aws.amazon.com/ses/latest/dg/quotas.html */
const MAX_BYTES = 54 * 1024 * 1024;

const V2 = "/v2/email";
const TEMPLATES = `${V2}/templates`;
const IDENTITIES = `${V2}/identities`;

const ROUTES: readonly IngressRoute<typeof OPTIONS, MailState, Store>[] = [
  { method: "POST", path: `${V2}/outbound-emails`, about: "Send an email", handle: sendEmail },
  {
    method: "POST",
    path: `${V2}/outbound-bulk-emails`,
    about: "Send up to 50 emails with one template",
    handle: sendBulk,
  },
  { method: "POST", path: "/", about: "Any action of version 1, such as SendEmail", handle: act },
  { method: "POST", path: TEMPLATES, about: "Create a template", handle: createTemplate },
  { method: "GET", path: TEMPLATES, about: "List templates", handle: listTemplates },
  { method: "GET", path: `${TEMPLATES}/{name}`, about: "Fetch a template", handle: getTemplate },
  {
    method: "PUT",
    path: `${TEMPLATES}/{name}`,
    about: "Replace a template",
    handle: updateTemplate,
  },
  {
    method: "DELETE",
    path: `${TEMPLATES}/{name}`,
    about: "Delete a template",
    handle: deleteTemplate,
  },
  {
    method: "POST",
    path: `${TEMPLATES}/{name}/render`,
    about: "Write a template out",
    handle: renderTemplate,
  },
  { method: "GET", path: `${V2}/account`, about: "Describe the account", handle: getAccount },
  { method: "GET", path: IDENTITIES, about: "List identities", handle: listIdentities },
  {
    method: "POST",
    path: `${V2}/list-identities`,
    about: "List identities",
    unlisted: true,
    handle: listIdentities,
  },
  { method: "POST", path: IDENTITIES, about: "Create an identity", handle: createIdentity },
  {
    method: "GET",
    path: `${IDENTITIES}/{name}`,
    about: "Fetch an identity",
    handle: getIdentity,
  },
  {
    method: "DELETE",
    path: `${IDENTITIES}/{name}`,
    about: "Delete an identity",
    handle: deleteIdentity,
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

/** mail4: the Postmark API, https://postmarkapp.com/developer/api/overview */
import { matchesSecret } from "../../../core/http/auth.ts";
import { onDemand } from "../../../core/on_demand.ts";
import {
  type CallHead,
  type IngressCall,
  ingressProvider,
  type IngressRoute,
} from "../../../core/plugin.ts";
import type { MailState } from "../capture.ts";
import { tokenOf } from "./account.ts";
import { FAULTS } from "./faults.ts";
import { type Env, OPTIONS } from "./options.ts";
import { REFUSALS } from "./refusals.ts";
import { refuse, toVendorRefusal } from "./reply.ts";
import { snippets } from "./snippets.ts";
import { Store } from "./store.ts";

const handler = onDemand(() => import("./handlers.ts"));

/** Largest request, of a batch: https://postmarkapp.com/developer/api/email-api#send-batch-emails */
const MAX_BYTES = 50 * 1024 * 1024;

const ROUTES: readonly IngressRoute<typeof OPTIONS, MailState, Store>[] = [
  { method: "POST", path: "/email", about: "Send an email", handle: handler("sendEmail") },
  {
    method: "POST",
    path: "/email/batch",
    about: "Send up to 500 emails",
    handle: handler("sendBatch"),
  },
  {
    method: "POST",
    path: "/email/withTemplate",
    about: "Send an email with a template",
    handle: handler("sendEmail"),
  },
  {
    method: "POST",
    path: "/email/batchWithTemplates",
    about: "Send up to 500 emails with templates",
    handle: handler("sendBatch"),
  },
  {
    method: "POST",
    path: "/email/bulk",
    about: "Send an email to many recipients",
    handle: handler("sendBulk"),
  },
  {
    method: "GET",
    path: "/email/bulk/{id}",
    about: "Fetch the state of a bulk request",
    handle: handler("getBulk"),
  },
  { method: "GET", path: "/templates", about: "List templates", handle: handler("listTemplates") },
  {
    method: "POST",
    path: "/templates",
    about: "Create a template",
    handle: handler("createTemplate"),
  },
  {
    method: "POST",
    path: "/templates/validate",
    about: "Validate a template",
    handle: handler("validateTemplate"),
  },
  {
    method: "GET",
    path: "/templates/{key}",
    about: "Fetch a template",
    handle: handler("getTemplate"),
  },
  {
    method: "PUT",
    path: "/templates/{key}",
    about: "Edit a template",
    handle: handler("editTemplate"),
  },
  {
    method: "DELETE",
    path: "/templates/{key}",
    about: "Delete a template",
    handle: handler("deleteTemplate"),
  },
  {
    method: "GET",
    path: "/messages/outbound",
    about: "Search sent emails",
    handle: handler("searchMessages"),
  },
  {
    method: "GET",
    path: "/messages/outbound/{id}/details",
    about: "Fetch an email",
    handle: handler("getDetails"),
  },
  {
    method: "GET",
    path: "/messages/outbound/{id}/dump",
    about: "Fetch the source of an email",
    handle: handler("getDump"),
  },
  { method: "GET", path: "/server", about: "Describe the server", handle: handler("getServer") },
  {
    method: "GET",
    path: "/message-streams",
    about: "List message streams",
    handle: handler("listStreams"),
  },
  {
    method: "GET",
    path: "/deliverystats",
    about: "Count bounces",
    handle: handler("getDeliveryStats"),
  },
  { method: "GET", path: "/bounces", about: "List bounces", handle: handler("listBounces") },
  // As postmark.js spells it.
  {
    method: "GET",
    path: "/deliveryStats",
    about: "Count bounces",
    unlisted: true,
    handle: handler("getDeliveryStats"),
  },
];

/** The Postmark provider. */
export const mail4 = ingressProvider<MailState, typeof OPTIONS, Store>({
  id: "mail4",
  title: "Postmark API",
  shortTitle: "Postmark",
  about: "Messages sent through the Postmark API, with rendered templates",
  vendorHosts: ["api.postmarkapp.com"],
  options: OPTIONS,
  // Some clients end every path with a slash.
  routes: ROUTES.flatMap((route) => [
    route,
    { ...route, path: `${route.path}/`, unlisted: true },
  ]),
  open: ({ state }) => new Store(state),
  claims: ({ headers }: CallHead) => headers.has("x-postmark-server-token"),
  bodyLimit: (_values, max) => Math.min(MAX_BYTES, max),
  authorize,
  refuse: (_call, refusal) => refuse(toVendorRefusal(refusal)),
  snippets,
  faults: FAULTS,
  callbacks: {
    webhook: "Postmark's webhook: reports about emails",
    inbound: "Postmark's inbound webhook: inbound emails",
    load: async () => (await import("./callbacks.ts")).CALLBACKS,
  },
});

function authorize(call: IngressCall, { values }: Env): Response | undefined {
  if (values.server_token === undefined) return undefined;
  const token = tokenOf(call);
  if (token === "") return refuse(REFUSALS.missingToken);
  return matchesSecret(token, values.server_token) ? undefined : refuse(REFUSALS.wrongToken);
}

/** Mailjet Send API v3.1 and v3: `POST /v3.1/send`, `POST /v3/send`, the message resource that the links of its responses point to, templates and contacts. */
import type { CapturedEvent } from "../../../core/events/event.ts";
import { matchesSecret, readBasic } from "../../../core/http/auth.ts";
import { onDemand } from "../../../core/on_demand.ts";
import { type IngressCall, ingressProvider } from "../../../core/plugin.ts";
import type { MailState } from "../capture.ts";
import type { MailMessage } from "../model.ts";
import { FAULTS } from "./faults.ts";
import { type Env, OPTIONS } from "./options.ts";
import { REFUSALS, toVendorRefusal } from "./refusals.ts";
import { answerMessage, isV3, refuse, refuseAt, refuseRest, RESOURCE } from "./reply.ts";
import { snippets } from "./snippets.ts";
import { Store } from "./store.ts";

const handler = onDemand(() => import("./handlers.ts"));

const TEMPLATE = "/v3/REST/template";
const CONTACT = "/v3/REST/contact";
const LIST = "/v3/REST/contactslist";

/** The Mailjet provider. */
export const mail1 = ingressProvider<MailState, typeof OPTIONS, Store>({
  id: "mail1",
  title: "Mailjet Send API",
  shortTitle: "Mailjet",
  about:
    "Accepts POST /v3.1/send and /v3/send as Mailjet does; every entry of Messages becomes one message",
  vendorHosts: ["api.mailjet.com"],
  options: OPTIONS,
  routes: [
    {
      method: "POST",
      path: "/v3.1/send",
      about: "Send up to 50 messages",
      handle: handler("send"),
    },
    {
      method: "POST",
      path: "/v3/send",
      about: "Send up to 100 messages with the Send API v3",
      handle: handler("sendV3"),
    },
    {
      method: "POST",
      path: "/v3/send/message",
      about: "Send up to 100 messages with the Send API v3, at the path of the vendor's Go package",
      handle: handler("sendV3"),
    },
    {
      method: "GET",
      path: `${RESOURCE}/{id}`,
      about: "Fetch a message by the MessageID of a response",
      handle: lookUp,
    },
    {
      method: "POST",
      path: TEMPLATE,
      about: "Create a template",
      handle: handler("createTemplate"),
    },
    { method: "GET", path: TEMPLATE, about: "List templates", handle: handler("listTemplates") },
    {
      method: "GET",
      path: `${TEMPLATE}/{id}`,
      about: "Fetch a template",
      handle: handler("getTemplate"),
    },
    {
      method: "PUT",
      path: `${TEMPLATE}/{id}`,
      about: "Change a template",
      handle: handler("updateTemplate"),
    },
    {
      method: "DELETE",
      path: `${TEMPLATE}/{id}`,
      about: "Delete a template",
      handle: handler("deleteTemplate"),
    },
    {
      method: "GET",
      path: `${TEMPLATE}/{id}/detailcontent`,
      about: "Fetch the content of a template",
      handle: handler("getContent"),
    },
    {
      method: "POST",
      path: `${TEMPLATE}/{id}/detailcontent`,
      about: "Set the content of a template",
      handle: handler("setContent"),
    },
    {
      method: "PUT",
      path: `${TEMPLATE}/{id}/detailcontent`,
      about: "Change the content of a template",
      handle: handler("changeContent"),
    },
    { method: "POST", path: CONTACT, about: "Add a contact", handle: handler("createContact") },
    { method: "GET", path: CONTACT, about: "List contacts", handle: handler("listContacts") },
    {
      method: "GET",
      path: `${CONTACT}/{id}`,
      about: "Fetch a contact",
      handle: handler("getContact"),
    },
    {
      method: "PUT",
      path: `${CONTACT}/{id}`,
      about: "Change a contact",
      handle: handler("updateContact"),
    },
    {
      method: "GET",
      path: `${CONTACT}/{id}/getcontactslists`,
      about: "List the lists of a contact",
      handle: handler("listMemberships"),
    },
    { method: "POST", path: LIST, about: "Create a contact list", handle: handler("createList") },
    { method: "GET", path: LIST, about: "List contact lists", handle: handler("listLists") },
    {
      method: "GET",
      path: `${LIST}/{id}`,
      about: "Fetch a contact list",
      handle: handler("getList"),
    },
    {
      method: "PUT",
      path: `${LIST}/{id}`,
      about: "Change a contact list",
      handle: handler("updateList"),
    },
    {
      method: "DELETE",
      path: `${LIST}/{id}`,
      about: "Delete a contact list",
      handle: handler("deleteList"),
    },
    {
      method: "POST",
      path: `${LIST}/{id}/managecontact`,
      about: "Add a contact to a list, or remove it",
      handle: handler("manageContact"),
    },
  ],
  open: ({ state }) => new Store(state),
  authorize,
  refuse(call, refusal, env) {
    return refuseAt(call.path, toVendorRefusal(refusal), { newId: env.ctx.uuid });
  },
  snippets,
  faults: FAULTS,
  callbacks: {
    webhook: "Mailjet's Event API: reports about emails, grouped",
    inbound: "Mailjet's Parse API: inbound emails",
    load: async () => (await import("./callbacks.ts")).CALLBACKS,
  },
});

function authorize(call: IngressCall, env: Env): Response | undefined {
  const { api_key, secret_key } = env.values;
  const given = readBasic(call.headers.get("authorization"));
  const good = (api_key === undefined || matchesSecret(given?.username, api_key)) &&
    (secret_key === undefined || matchesSecret(given?.password, secret_key));
  if (good) return undefined;
  return isV3(call.path)
    ? refuseRest(401, "API key authentication/authorization failure.")
    : refuse(REFUSALS.unauthorized, { newId: env.ctx.uuid });
}

function lookUp(call: IngressCall, env: Env): Response {
  const id = Number(call.params.id);
  const indexOf = (event: CapturedEvent): number => {
    const ids = event.meta.message_ids;
    return Array.isArray(ids) ? ids.indexOf(id) : -1;
  };
  const [event] = env.ctx.events.list(
    { plugin: env.ctx.plugin, provider: "mail1", type: "mail.message" },
    { limit: 1, match: (candidate) => indexOf(candidate) >= 0 },
  );
  if (event === undefined) return refuseRest(404, "Object not found");
  const mail = event as CapturedEvent<MailMessage>;
  const index = indexOf(mail);
  const { to = [], cc = [], bcc = [] } = mail.payload;
  const uuids = mail.meta.message_uuids;
  return answerMessage(mail, {
    ids: { id, uuid: Array.isArray(uuids) ? String(uuids[index]) : "" },
    address: [...to, ...cc, ...bcc][index]?.email ?? "",
    showAddress: isTrue(call.query.get("ShowContactAlt")),
    showSubject: isTrue(call.query.get("ShowSubject")),
  });
}

function isTrue(value: string | null): boolean {
  return value === "1" || value?.toLowerCase() === "true";
}

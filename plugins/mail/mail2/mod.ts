/**
 * SendGrid v3: `POST /v3/mail/send`, with the templates, contacts and account calls that its
 * clients use.
 */
import { readJson } from "../../../core/codec/json_lenient.ts";
import { StoreFullError } from "../../../core/errors.ts";
import type { RawRecord } from "../../../core/events/event.ts";
import { matchesSecret, presentedCredentials, readBearer } from "../../../core/http/auth.ts";
import {
  type Answer,
  type IngressCall,
  ingressProvider,
  type MaybePromise,
} from "../../../core/plugin.ts";
import { TimeSlice } from "../../../core/time_slice.ts";
import {
  captureMail,
  type MailAbout,
  type MailState,
  recordMail,
  type StoredAttachments,
} from "../capture.ts";
import { rawOfWritten, WrittenMessages } from "../written.ts";
import { getProfile, getScopes, validateEmail } from "./account.ts";
import {
  countContacts,
  deleteContacts,
  findContacts,
  getContact,
  listContacts,
  searchContacts,
  upsertContacts,
} from "./contacts.ts";
import { FAULTS } from "./faults.ts";
import { type Env, OPTIONS } from "./options.ts";
import { templateOf } from "./rendering.ts";
import { answer, REFUSALS, refuse, toVendorRefusal } from "./reply.ts";
import { type Outgoing, readSend, type SendRequest, unreadable } from "./request.ts";
import { accountOf } from "./resources.ts";
import { snippets } from "./snippets.ts";
import { Store } from "./store.ts";
import {
  createTemplate,
  deleteTemplate,
  duplicateTemplate,
  getTemplate,
  listTemplates,
  renameTemplate,
} from "./templates.ts";
import {
  activateVersion,
  createVersion,
  deleteVersion,
  getVersion,
  updateVersion,
} from "./versions.ts";

const TEMPLATES = "/v3/templates";
const TEMPLATE = `${TEMPLATES}/{template_id}`;
const VERSION = `${TEMPLATE}/versions/{version_id}`;
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
      handle: send,
    },
    { method: "POST", path: TEMPLATES, about: "Create a template", handle: createTemplate },
    { method: "GET", path: TEMPLATES, about: "List templates", handle: listTemplates },
    { method: "GET", path: TEMPLATE, about: "Fetch a template", handle: getTemplate },
    { method: "POST", path: TEMPLATE, about: "Duplicate a template", handle: duplicateTemplate },
    { method: "PATCH", path: TEMPLATE, about: "Rename a template", handle: renameTemplate },
    { method: "DELETE", path: TEMPLATE, about: "Delete a template", handle: deleteTemplate },
    {
      method: "POST",
      path: `${TEMPLATE}/versions`,
      about: "Add a version to a template",
      handle: createVersion,
    },
    { method: "GET", path: VERSION, about: "Fetch a version of a template", handle: getVersion },
    {
      method: "PATCH",
      path: VERSION,
      about: "Change a version of a template",
      handle: updateVersion,
    },
    {
      method: "DELETE",
      path: VERSION,
      about: "Delete a version of a template",
      handle: deleteVersion,
    },
    {
      method: "POST",
      path: `${VERSION}/activate`,
      about: "Activate a version of a template",
      handle: activateVersion,
    },
    { method: "PUT", path: CONTACTS, about: "Add or change contacts", handle: upsertContacts },
    { method: "GET", path: CONTACTS, about: "List contacts", handle: listContacts },
    { method: "DELETE", path: CONTACTS, about: "Delete contacts", handle: deleteContacts },
    { method: "GET", path: `${CONTACTS}/count`, about: "Count contacts", handle: countContacts },
    {
      method: "POST",
      path: `${CONTACTS}/search`,
      about: "Search contacts",
      handle: searchContacts,
    },
    {
      method: "POST",
      path: `${CONTACTS}/search/emails`,
      about: "Find contacts by address",
      handle: findContacts,
    },
    { method: "GET", path: `${CONTACTS}/{id}`, about: "Fetch a contact", handle: getContact },
    {
      method: "POST",
      path: "/v3/validations/email",
      about: "Validate an address",
      handle: validateEmail,
    },
    { method: "GET", path: "/v3/user/profile", about: "Describe the user", handle: getProfile },
    { method: "GET", path: "/v3/scopes", about: "List what the key may do", handle: getScopes },
  ],
  open: ({ state }) => new Store(state),
  authorize,
  refuse: (_call, refusal) => refuse(toVendorRefusal(refusal)),
  snippets,
  faults: FAULTS,
  callbacks: {
    webhook: "Event Webhook of SendGrid: reports about emails",
    inbound: "Inbound Parse of SendGrid: inbound emails",
    load: async () => (await import("./callbacks.ts")).CALLBACKS,
  },
});

function authorize({ headers }: IngressCall, { values }: Env): Response | undefined {
  const { api_key } = values;
  if (api_key === undefined) return undefined;
  const given = readBearer(headers.get("authorization"));
  return matchesSecret(given, api_key) ? undefined : refuse(REFUSALS.unauthorized);
}

function send(call: IngressCall, env: Env): MaybePromise<Answer> {
  const contentType = call.headers.get("content-type");
  const json = readJson(call.body, contentType);
  if (!json.ok) return refuse(unreadable(contentType));
  const request = readSend(json.value, { nowMs: env.ctx.now().getTime(), contentType });
  if (!request.ok) return refuse(request.refusal);
  return record(request.value, call, env);
}

/** Answers synchronously if there are no attachments to store, and no template to render. */
function record(request: SendRequest, call: IngressCall, env: Env): MaybePromise<Answer> {
  const sender = senderOf(call);
  const id = request.messages[0]?.meta.template_id;
  const write = typeof id === "string" && id !== ""
    ? templateOf(id, { store: env.store, account: accountOf(call) })
    : undefined;
  // All messages share their attachments.
  if (write !== undefined || request.messages[0]?.draft.attachments.length !== 0) {
    return recordInTurn(request, sender, { call, env, write });
  }
  let messageId: string | undefined;
  for (const message of request.messages) {
    const about = aboutOf(message, sender, { raw: call.raw, messageId });
    const event = recordMail(env, message.draft, about);
    messageId ??= event.id;
  }
  return answer(messageId ?? "", request);
}

async function recordInTurn(
  request: SendRequest,
  sender: Sender,
  { call, env, write }: {
    call: IngressCall;
    env: Env;
    /**
     * Renders the template into a message; one at a time, because together they may be much longer
     * than the call.
     */
    write: ((message: Outgoing) => Outgoing) | undefined;
  },
): Promise<Answer> {
  const stored: StoredAttachments = new Map();
  const written = new WrittenMessages(env);
  const slice = new TimeSlice();
  let messageId: string | undefined;
  for (const given of request.messages) {
    if (slice.over) await slice.yieldToEventLoop();
    const message = write === undefined ? given : write(given);
    const raw = write === undefined ? call.raw : rawOfWritten(call.raw);
    const about = { ...aboutOf(message, sender, { raw, messageId }), stored };
    try {
      if (write !== undefined) await written.add(message.draft);
      const event = await captureMail(env, message.draft, about);
      messageId ??= event.id;
    } catch (error) {
      if (error instanceof StoreFullError) return refuse(REFUSALS.tooLarge);
      throw error;
    }
  }
  return answer(messageId ?? "", request);
}

type Sender = Readonly<Record<string, unknown>> | undefined;

/** Credentials and subuser of the sender. */
function senderOf({ headers }: IngressCall): Sender {
  const presented = presentedCredentials(headers);
  const behalf = headers.get("on-behalf-of");
  return behalf === null ? presented : { ...presented, on_behalf_of: behalf };
}

/** The message id of the response is the id of the first event; every event has it. */
function aboutOf(
  { meta }: Outgoing,
  sender: Sender,
  { raw, messageId }: { raw: RawRecord; messageId: string | undefined },
): MailAbout {
  return messageId === undefined
    ? { raw, meta: { ...meta, ...sender }, whenFull: "reject", metaFromId }
    : { raw, meta: { ...meta, ...sender, message_id: messageId }, whenFull: "reject" };
}

function metaFromId(id: string): Readonly<Record<string, unknown>> {
  return { message_id: id };
}

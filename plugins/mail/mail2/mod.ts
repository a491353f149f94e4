/** SendGrid v3 Mail Send: `POST /v3/mail/send`. */
import { readJson } from "../../../core/codec/json_lenient.ts";
import { StoreFullError } from "../../../core/errors.ts";
import { matchesSecret, presentedCredentials, readBearer } from "../../../core/http/auth.ts";
import {
  type Answer,
  type IngressCall,
  ingressProvider,
  type MaybePromise,
} from "../../../core/plugin.ts";
import {
  captureMail,
  type MailAbout,
  type MailState,
  recordMail,
  type StoredAttachments,
} from "../capture.ts";
import { FAULTS } from "./faults.ts";
import { type Env, OPTIONS } from "./options.ts";
import { answer, REFUSALS, refuse, toVendorRefusal } from "./reply.ts";
import { type Outgoing, readSend, type SendRequest, unreadable } from "./request.ts";
import { snippets } from "./snippets.ts";

/** The provider that stands in for SendGrid. */
export const mail2 = ingressProvider<MailState, typeof OPTIONS>({
  id: "mail2",
  title: "SendGrid v3 Mail Send",
  shortTitle: "SendGrid",
  about: "Takes POST /v3/mail/send as SendGrid does; every personalization becomes one message",
  vendorHosts: ["api.sendgrid.com"],
  options: OPTIONS,
  routes: [{
    method: "POST",
    path: "/v3/mail/send",
    about: "Send one message per personalization",
    handle: send,
  }],
  authorize,
  refuse: (_call, refusal) => refuse(toVendorRefusal(refusal)),
  snippets,
  faults: FAULTS,
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
  return request.ok ? record(request.value, call, env) : refuse(request.refusal);
}

/** Answers synchronously when there are no attachments to store. */
function record(request: SendRequest, call: IngressCall, env: Env): MaybePromise<Answer> {
  const sender = senderOf(call);
  // All messages share their attachments.
  if (request.messages[0]?.draft.attachments.length !== 0) {
    return recordInTurn(request, sender, { call, env });
  }
  let messageId: string | undefined;
  for (const message of request.messages) {
    const about = aboutOf(message, sender, { call, messageId });
    const event = recordMail(env, message.draft, about);
    messageId ??= event.id;
  }
  return answer(messageId ?? "", request);
}

async function recordInTurn(
  request: SendRequest,
  sender: Sender,
  { call, env }: { call: IngressCall; env: Env },
): Promise<Answer> {
  const stored: StoredAttachments = new Map();
  let messageId: string | undefined;
  for (const message of request.messages) {
    const about = { ...aboutOf(message, sender, { call, messageId }), stored };
    try {
      const event = await captureMail(env, message.draft, about);
      messageId ??= event.id;
    } catch (error) {
      // The attachments are shared, so only the first message can find the store full.
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

/** The message id of the answer is the id of the first event; every event has it. */
function aboutOf(
  { meta }: Outgoing,
  sender: Sender,
  { call, messageId }: { call: IngressCall; messageId: string | undefined },
): MailAbout {
  return messageId === undefined
    ? { raw: call.raw, meta: { ...meta, ...sender }, whenFull: "reject", metaFromId }
    : {
      raw: call.raw,
      meta: { ...meta, ...sender, message_id: messageId },
      whenFull: "reject",
    };
}

function metaFromId(id: string): Readonly<Record<string, unknown>> {
  return { message_id: id };
}

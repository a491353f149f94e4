/** `POST /v3/mail/send`. */
import { readJson } from "../../../core/codec/json_lenient.ts";
import { StoreFullError } from "../../../core/errors.ts";
import type { RawRecord } from "../../../core/events/event.ts";
import { loadTextOfHtml } from "../../../core/extract/load.ts";
import { presentedCredentials } from "../../../core/http/auth.ts";
import type { Answer, IngressCall, MaybePromise } from "../../../core/plugin.ts";
import { TimeSlice } from "../../../core/time_slice.ts";
import { captureMail, type MailAbout, recordMail, type StoredAttachments } from "../capture.ts";
import { rawOfWritten, WrittenMessages } from "../written.ts";
import type { Env } from "./options.ts";
import { templateOf } from "./rendering.ts";
import { answer, REFUSALS, refuse } from "./reply.ts";
import { type Outgoing, readSend, type SendRequest, unreadable } from "./request.ts";
import { accountOf } from "./resources.ts";

/** Answers a call of Mail Send. */
export function send(call: IngressCall, env: Env): MaybePromise<Answer> {
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
  const template = typeof id === "string" && id !== "" ? id : undefined;
  // All messages share their attachments.
  if (template !== undefined || request.messages[0]?.draft.attachments.length !== 0) {
    return recordInTurn(request, sender, { call, env, template });
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
  { call, env, template }: { call: IngressCall; env: Env; template: string | undefined },
): Promise<Answer> {
  // Renders one message at a time, because together they may be much longer than the call.
  const write = template === undefined ? undefined : templateOf(template, {
    store: env.store,
    account: accountOf(call),
    textOf: await loadTextOfHtml(),
  });
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

/** Captures messages from both APIs. */
import { StoreFullError } from "../../../core/errors.ts";
import type { IngressCall } from "../../../core/plugin.ts";
import { failure, Refused, type Result, success } from "../../../core/result.ts";
import { inSlices, TimeSlice } from "../../../core/time_slice.ts";
import { captureMail, type MailDraft } from "../capture.ts";
import { draftFromMime } from "../from_mime.ts";
import { rawOfWritten, WrittenMessages } from "../written.ts";
import { accountOf, signerOf } from "./account.ts";
import { fail, type Message, readAddress, readRecipients } from "./message.ts";
import type { Env } from "./options.ts";
import {
  invalid,
  missing,
  notVerified,
  REFUSALS,
  rejected,
  tooLarge,
  unknownTemplate,
  type VendorRefusal,
} from "./refusals.ts";
import { renderContent } from "./rendering.ts";
import { answer, refuse, toMessageId } from "./reply.ts";
import { readBody, readBulk, readEmail } from "./request.ts";

/** A message to capture. */
export interface Outgoing {
  readonly draft: MailDraft;
  readonly meta: Readonly<Record<string, unknown>>;
}

/** A call with its environment. */
export interface Context {
  readonly call: IngressCall;
  readonly env: Env;
}

/** `POST /v2/email/outbound-emails` */
export async function sendEmail(call: IngressCall, env: Env): Promise<Response> {
  const requestId = env.ctx.uuid();
  const message = readBody(call, readEmail);
  const sent = message.ok ? await send(message.value, { call, env }) : message;
  return sent.ok
    ? answer({ MessageId: sent.value }, requestId)
    : refuse(sent.refusal, { call, requestId });
}

/** `POST /v2/email/outbound-bulk-emails`: each entry is accepted or refused independently. */
export async function sendBulk(call: IngressCall, env: Env): Promise<Response> {
  const requestId = env.ctx.uuid();
  const messages = readBody(call, readBulk);
  if (!messages.ok) return refuse(messages.refusal, { call, requestId });
  const results = await sendAll(messages.value, { call, env });
  const entries = results.map((sent) =>
    sent.ok
      ? { Status: "SUCCESS", MessageId: sent.value }
      : { Status: sent.refusal.bulk ?? "FAILED", Error: sent.refusal.message }
  );
  return answer({ BulkEmailEntryResults: entries }, requestId);
}

/** Captures messages in sequence, and records refused ones, because the response is 200. */
export async function sendAll(
  messages: readonly Message[],
  context: Context,
): Promise<readonly Result<string, VendorRefusal>[]> {
  const results: Result<string, VendorRefusal>[] = [];
  const faults: string[] = [];
  const written = new WrittenMessages(context.env);
  const slice = new TimeSlice();
  for (const [index, message] of messages.entries()) {
    if (slice.over) await slice.yieldToEventLoop();
    const sent = await send(message, context, { index, written });
    results.push(sent);
    if (!sent.ok) faults.push(`Entry ${index}: ${sent.refusal.message}`);
  }
  if (faults.length > 0) context.env.reject({ status: 200, reason: faults.join(" ") });
  return results;
}

/** Captures a message, and returns its id. */
export async function send(
  message: Message,
  { call, env }: Context,
  { index, written = new WrittenMessages(env) }: {
    /** Position in a batch. */
    readonly index?: number;
    /** Messages of the same batch. */
    readonly written?: WrittenMessages;
  } = {},
): Promise<Result<string, VendorRefusal>> {
  const outgoing = await toOutgoing(message, { call, env });
  if (!outgoing.ok) return outgoing;
  const { accessKey, region } = signerOf(call);
  const at = env.ctx.now();
  const isWritten = message.content.kind === "template";
  try {
    if (isWritten) await written.add(outgoing.value.draft);
    const event = await captureMail(env, outgoing.value.draft, {
      raw: isWritten ? rawOfWritten(call.raw) : call.raw,
      whenFull: "reject",
      meta: {
        ...outgoing.value.meta,
        region,
        ...(accessKey !== "" && { access_key: accessKey }),
        ...(index !== undefined && { batch_index: index }),
      },
      metaFromId: (id) => ({ message_id: toMessageId(id, at) }),
    });
    return success(toMessageId(event.id, at));
  } catch (error) {
    if (error instanceof StoreFullError) return failure(tooLarge(error.message));
    throw error;
  }
}

/** Converts a message to its captured form. */
export async function toOutgoing(
  message: Message,
  context: Context,
): Promise<Result<Outgoing, VendorRefusal>> {
  try {
    const outgoing = message.content.kind === "raw"
      ? await fromRaw(message, message.content.bytes)
      : fromParts(message, context);
    checkSender(outgoing.draft.from.email, context);
    return success(outgoing);
  } catch (error) {
    if (error instanceof Refused) return failure(error.refusal as VendorRefusal);
    throw error;
  }
}

async function fromRaw(message: Message, bytes: Uint8Array): Promise<Outgoing> {
  const { to, cc, bcc } = readRecipients(message.destination);
  const rcptTo = [...to, ...cc, ...bcc].map(({ email }) => email);
  const { draft, warnings } = await inSlices(draftFromMime(bytes, { mailFrom: "", rcptTo }));
  const from = message.from === "" ? draft.from : readAddress(message.from);
  if (from.email === "") fail(invalid("Missing required header 'From'."));
  if (draft.to.length + draft.cc.length + draft.bcc.length === 0) fail(REFUSALS.noRecipients);
  return {
    // The header has more details than the envelope.
    draft: { ...draft, from: draft.from.email === "" ? from : draft.from },
    meta: {
      ...message.meta,
      mime: true,
      ...(rcptTo.length > 0 && { rcpt_to: rcptTo }),
      ...(message.from !== "" && { source: from.email }),
      ...(warnings.length > 0 && { parse_warnings: warnings }),
    },
  };
}

function fromParts(message: Message, { call, env }: Context): Outgoing {
  const { content, replyTo, meta } = message;
  if (content.kind === "raw") throw new TypeError("Cannot use body parts in a composed message");
  if (message.from === "") fail(missing("fromEmailAddress"));
  const from = readAddress(message.from);
  const recipients = readRecipients(message.destination);
  if (Object.values(recipients).every((list) => list.length === 0)) fail(REFUSALS.noRecipients);
  const common = {
    from,
    ...recipients,
    reply_to: replyTo.map(readAddress),
    headers: content.headers,
    attachments: content.attachments,
  };
  if (content.kind === "simple") {
    const { subject, text, html } = content;
    if (/[\r\n]/.test(subject)) fail(rejected("Subject must not contain line breaks."));
    return { draft: { ...common, subject, text, html }, meta };
  }
  const { name, data } = content;
  const template = content.inline ?? env.store.template(accountOf(call), name);
  if (template === undefined && env.values.templates === "known") fail(unknownTemplate(name));
  const { rendered, notes, missing: lacks } = renderContent(template, data);
  return {
    draft: { ...common, ...rendered },
    meta: {
      ...meta,
      template: { ...(name !== "" && { name }), data },
      ...notes,
      // The vendor accepts the message, and reports this later.
      ...(lacks !== undefined && {
        rendering_failure: `Attribute '${lacks}' is not present in the rendering data.`,
      }),
    },
  };
}

/** An address may send if it, or its domain, is an identity. */
function checkSender(email: string, { call, env }: Context): void {
  const { identities } = env.values;
  if (identities.length === 0) return;
  const domain = email.slice(email.lastIndexOf("@") + 1);
  const known = [...identities, ...env.store.identities(accountOf(call))];
  const isKnown = known.some((identity) =>
    [email, domain].some((own) => own.toLowerCase() === identity.toLowerCase())
  );
  if (!isKnown) fail(notVerified([email], signerOf(call).region));
}

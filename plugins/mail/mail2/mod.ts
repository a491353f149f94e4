/**
 * SendGrid v3 Mail Send: `POST /v3/mail/send`.
 *
 * @module
 */
import { WireError } from "../../../core/bytes/decoder.ts";
import { decodeJson } from "../../../core/codec/json_lenient.ts";
import { StoreFullError } from "../../../core/errors.ts";
import { matchesSecret, presentedCredentials, readBearer } from "../../../core/http/auth.ts";
import { defineOptions, optionalText, type Values } from "../../../core/options/spec.ts";
import {
  type Endpoint,
  type IngressCall,
  ingressProvider,
  type ProviderEnv,
  type Refusal,
  type Snippet,
} from "../../../core/plugin.ts";
import {
  captureMail,
  type MailAbout,
  type MailState,
  recordMail,
  type StoredAttachments,
} from "../capture.ts";
import { accepted, refused, refusedWhole } from "./reply.ts";
import { type Outgoing, readSend, type SendCall } from "./request.ts";

const OPTIONS = defineOptions({
  api_key: optionalText("API key that clients must present; any is accepted without it", {
    secret: true,
  }),
});

type Env = ProviderEnv<typeof OPTIONS, MailState>;

type Accepted = Extract<SendCall, { kind: "accepted" }>;

/** The second of the HTTP mail providers. */
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
    handle: (call, env) => send(call, env),
  }],
  refuse,
  snippets,
});

function send(call: IngressCall, env: Env): Response | Promise<Response> {
  if (!isAdmitted(call, env.values)) {
    return refusedWhole(401, "The provided authorization grant is invalid, expired, or revoked");
  }
  const contentType = call.headers.get("content-type");
  let body: unknown;
  try {
    body = decodeJson(call.body, contentType);
  } catch (error) {
    if (error instanceof WireError) return unreadable(contentType);
    throw error;
  }
  const request = readSend(body, { nowMs: env.ctx.now().getTime() });
  switch (request.kind) {
    case "unreadable":
      return unreadable(contentType);
    case "too_large":
      return tooLarge();
    case "refused":
      return refused(400, request.violations);
    case "accepted":
      return record(request, call, env);
  }
}

function isAdmitted({ headers }: IngressCall, { api_key }: Values<typeof OPTIONS>): boolean {
  return api_key === undefined ||
    matchesSecret(readBearer(headers.get("authorization")), api_key);
}

/** Answered at once where there are no attachments to store. */
function record(request: Accepted, call: IngressCall, env: Env): Response | Promise<Response> {
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
  return accepted(messageId ?? "", request);
}

async function recordInTurn(
  request: Accepted,
  sender: Sender,
  { call, env }: { call: IngressCall; env: Env },
): Promise<Response> {
  const stored: StoredAttachments = new Map();
  let messageId: string | undefined;
  for (const message of request.messages) {
    const about = { ...aboutOf(message, sender, { call, messageId }), stored };
    try {
      const event = await captureMail(env, message.draft, about);
      messageId ??= event.id;
    } catch (error) {
      // So that the store is full at the first of them or not at all.
      if (error instanceof StoreFullError) return tooLarge();
      throw error;
    }
  }
  return accepted(messageId ?? "", request);
}

type Sender = Readonly<Record<string, unknown>> | undefined;

/** What the headers say of who sends. */
function senderOf({ headers }: IngressCall): Sender {
  const presented = presentedCredentials(headers);
  const behalf = headers.get("on-behalf-of");
  return behalf === null ? presented : { ...presented, on_behalf_of: behalf };
}

/** The answer's message id is the id of the first event, and goes on all of them. */
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

/** A body of another type is answered as such; one that claims to be JSON, or claims nothing, is broken JSON. */
function unreadable(contentType: string | null): Response {
  return contentType === null || /\bjson\b/i.test(contentType)
    ? refusedWhole(400, "Bad Request")
    : refusedWhole(415, "Content-Type should be application/json.");
}

function tooLarge(): Response {
  return refusedWhole(413, "payload too large");
}

function refuse(_call: IngressCall, about: Refusal): Response {
  switch (about.kind) {
    case "too_large":
      return tooLarge();
    case "method_not_allowed":
      return refusedWhole(405, "POST method allowed only", {
        Allow: (about.allow ?? ["POST"]).join(", "),
      });
    case "bad_encoding":
      return refusedWhole(about.status, "Bad Request");
    case "busy":
      return refusedWhole(429, "too many requests");
    case "internal":
      return refusedWhole(about.status, about.message);
  }
}

function snippets(at: Endpoint, values: Values<typeof OPTIONS>): readonly Snippet[] {
  const key = values.api_key === undefined ? "SG.any-key" : "<api_key>";
  return [
    {
      title: "Send one message with curl",
      lang: "sh",
      code: `curl -sS -i ${at.url}/v3/mail/send \\
  -H 'Authorization: Bearer ${key}' \\
  -H 'Content-Type: application/json' \\
  -d '{"personalizations":[{"to":[{"email":"passenger@example.com"}]}],"from":{"email":"pilot@example.com"},"subject":"Hello","content":[{"type":"text/plain","value":"Hello from curl"}]}'`,
    },
    {
      title: "Point the Node SDK here",
      lang: "js",
      code: `import sendgrid from "@sendgrid/mail";
import client from "@sendgrid/client";

sendgrid.setClient(client);
sendgrid.setApiKey("${key}");
client.setDefaultRequest("baseUrl", "${at.url}"); // after setApiKey, which resets it
await sendgrid.send({
  to: "passenger@example.com",
  from: "pilot@example.com",
  subject: "Hello",
  text: "Hello from Node",
});`,
    },
    {
      title: "Point the Python SDK here",
      lang: "python",
      code: `from sendgrid import SendGridAPIClient
from sendgrid.helpers.mail import Mail

SendGridAPIClient("${key}", host="${at.url}").send(Mail(
    from_email="pilot@example.com",
    to_emails="passenger@example.com",
    subject="Hello",
    plain_text_content="Hello from Python",
))`,
    },
  ];
}

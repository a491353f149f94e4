/** Bounces: notifications to the sender of a message, by SMTP or to a webhook. */
import { defineOptions, optionalText, text } from "../../../core/options/spec.ts";
import { type CallContext, defineCallbacks, type OutgoingCall } from "../../../core/plugin.ts";
import type { MailState } from "../capture.ts";
import { isMail, type MailEvent, recipientsOf, webhookOf } from "../report_events.ts";
import { deliver } from "./deliver.ts";
import { composeDsn, type DsnContent } from "./dsn.ts";
import type { OPTIONS } from "./options.ts";

type Context = CallContext<typeof OPTIONS, MailState>;

const DSN = "https://www.rfc-editor.org/rfc/rfc3464";
const MINUTE_MS = 60_000;
const IDLE_MS = 30_000;
/** Longest head that is returned, in bytes. */
const MAX_HEAD = 65_536;

const kind = (label: string, about: string, diagnostic: string) => ({
  label,
  about,
  source: `${DSN}#section-2.3.3`,
  params: defineOptions({
    recipient: optionalText("Recipient that the callback is about; by default every recipient"),
    reason: text("Reply of the receiving server", diagnostic),
  }),
});

const ACTIONS: Readonly<Record<string, DsnContent["action"]>> = {
  bounced: "failed",
  delayed: "delayed",
  delivered: "delivered",
};

export const CALLBACKS = defineCallbacks<typeof OPTIONS, MailState>({
  // "at least 30 minutes", and "the give-up time generally needs to be at least 4-5 days"; here for five hours.
  schedule: {
    delaysMs: Array.from({ length: 10 }, () => 30 * MINUTE_MS),
    timeoutMs: IDLE_MS,
    source: "https://www.rfc-editor.org/rfc/rfc5321#section-4.5.4.1",
    // RFC 5321 section 4.2.1: 5yz is permanent.
    again: (answer) => answer === undefined || answer.status < 550 || answer.status > 559,
  },
  kinds: {
    bounced: kind(
      "Bounce",
      "A notification that the message could not be delivered",
      "550 5.1.1 The mailbox does not exist",
    ),
    delayed: kind(
      "Delay",
      "A notification that the message could not be delivered yet",
      "451 4.4.1 No answer from host",
    ),
    delivered: kind(
      "Deliver",
      "A notification that the message was delivered",
      "250 2.1.5 OK",
    ),
  },
  applies: (_name, event) => isMail(event),
  make({ event, name, with: { recipient, reason } }, context) {
    return [dsnCall(event as MailEvent, { name, recipient, reason: String(reason) }, context)];
  },
  async converse({ body, note }, wire) {
    const to = String(note?.sender);
    const { code, text, accepted } = await deliver(wire, {
      from: "",
      to,
      message: body,
      idleMs: IDLE_MS,
    });
    return {
      status: code,
      headers: {},
      body: new TextEncoder().encode(text),
      cut: false,
      ...(accepted ? {} : { failure: text }),
    };
  },
});

/** RFC 3464 section 2: to the return path, and never about a message without one. */
function returnPathOf({ meta }: MailEvent): string {
  const { mail_from = "" } = meta.envelope as { readonly mail_from?: string };
  if (mail_from !== "") return mail_from;
  throw new RangeError("Cannot notify the sender: the message has an empty return path");
}

function dsnCall(
  event: MailEvent,
  { name, recipient, reason }: { name: string; recipient: unknown; reason: string },
  { webhook, env }: Context,
): OutgoingCall {
  const url = webhookOf(webhook, "smtp");
  const sender = returnPathOf(event);
  const action = ACTIONS[name] ?? "failed";
  const [head = ""] = new TextDecoder().decode(event.raw.body.subarray(0, MAX_HEAD))
    .split(/\r?\n\r?\n/, 1);
  const message = composeDsn({
    server: env.values.domain,
    sender,
    recipients: recipientsOf(event, recipient).map(({ email }) => email),
    action,
    status: /\b[245]\.\d{1,3}\.\d{1,3}\b/.exec(reason)?.[0] ??
      { failed: "5.0.0", delayed: "4.0.0", delivered: "2.0.0" }[action],
    diagnostic: reason,
    head,
    arrivedAt: event.received_at,
    now: env.ctx.now(),
    boundary: env.ctx.uuid(),
  });
  return {
    name,
    url,
    headers: [["Content-Type", "message/rfc822"], ["User-Agent", "standin"]],
    body: new TextEncoder().encode(message),
    note: { sender },
  };
}

/** Event Webhook (https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/event) and Inbound Parse. */
import { compact } from "../../../core/compact.ts";
import type { OutgoingCall } from "../../../core/plugin.ts";
import { addressOf, type InboundMail, inboundOf } from "../inbound_mail.ts";
import {
  CLICK,
  type MailEvent,
  recipientsOf,
  reportKinds,
  USER_AGENT,
  webhookOf,
  withReason,
} from "../report_events.ts";
import { defineVendorCallbacks, type Report, type VendorContext } from "../vendor_callbacks.ts";
import type { OPTIONS } from "./options.ts";
import { signEvents, toKeyPair } from "./signature.ts";
import type { Store } from "./store.ts";

type Context = VendorContext<typeof OPTIONS, Store>;

const EVENTS = "https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/event";
const PARSE =
  "https://www.twilio.com/docs/sendgrid/for-developers/parsing-email/setting-up-the-inbound-parse-webhook";
const MINUTE_MS = 60_000;
/** The vendor documents increasing intervals for 24 hours: here each is twice the previous one. */
const DELAYS_MS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 417].map((minutes) =>
  minutes * MINUTE_MS
);

const report = reportKinds(EVENTS);

/** The vendor's names that differ from the common ones. */
const VENDOR_NAMES: Readonly<Record<string, string>> = {
  bounced: "bounce",
  opened: "open",
  clicked: "click",
  spam_report: "spamreport",
  unsubscribed: "unsubscribe",
};

export const CALLBACKS = defineVendorCallbacks<typeof OPTIONS, Store>({
  schedule: { delaysMs: DELAYS_MS, timeoutMs: 10_000, source: EVENTS },
  kinds: {
    processed: report("Process", "The message was accepted and will be delivered"),
    delivered: report("Deliver", "The receiving server accepted the message"),
    deferred: report(
      "Defer",
      "The receiving server refused the message temporarily",
      withReason("400 try again later"),
    ),
    bounced: report(
      "Bounce",
      "The receiving server refused the message permanently",
      withReason("550 5.1.1 The email account that you tried to reach does not exist"),
    ),
    dropped: report(
      "Drop",
      "The vendor did not send the message",
      withReason("Bounced Address"),
    ),
    opened: report("Open", "The recipient opened the message"),
    clicked: report("Click", "The recipient followed a link", CLICK),
    spam_report: report("Report spam", "The recipient marked the message as spam"),
    unsubscribed: report("Unsubscribe", "The recipient unsubscribed"),
  },
  report: (mail, report) => [eventCall(mail, report)],
  captured: ["processed", "delivered"],
  sign({ body, name }, { now }, { key }) {
    if (name === "received") return [];
    const timestamp = String(Math.floor(now.getTime() / 1000));
    const { privateKey } = toKeyPair(key("event webhook"));
    return [
      ["X-Twilio-Email-Event-Webhook-Signature", signEvents(body, { timestamp, privateKey })],
      ["X-Twilio-Email-Event-Webhook-Timestamp", timestamp],
    ];
  },
  keys: ({ key }) => [{
    name: "Verification key of the event webhook",
    value: toKeyPair(key("event webhook")).publicKey,
  }],
  inbound: {
    reply: "An email from the recipient, over Inbound Parse",
    about: "An email, as Inbound Parse posts it",
    source: PARSE,
    call: parseCall,
  },
});

function eventCall(
  event: MailEvent,
  { name, params, context }: Report<Context>,
): OutgoingCall {
  const { ctx } = context.env;
  const messageId = String(event.meta.message_id ?? event.id);
  const customArgs = event.meta.custom_args as Readonly<Record<string, string>> | undefined;
  const events = recipientsOf(event, params.recipient).map(({ email }) => ({
    ...customArgs,
    email,
    timestamp: Math.floor(ctx.now().getTime() / 1000),
    "smtp-id": `<${messageId}@ismtpd0001p1iad2.sendgrid.net>`,
    event: VENDOR_NAMES[name] ?? name,
    ...compact({ category: event.meta.categories }),
    sg_event_id: ctx.uuid().replaceAll("-", "").slice(0, 22),
    sg_message_id: `${messageId}.recvd-standin-1-0`,
    ...detailsOf(name, params),
  }));
  return {
    name,
    url: webhookOf(context.webhook, "mail2"),
    headers: [
      ["Content-Type", "application/json"],
      ["User-Agent", "SendGrid Event API"],
    ],
    body: new TextEncoder().encode(`${JSON.stringify(events)}\r\n`),
  };
}

function detailsOf(
  name: string,
  { reason, url }: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  switch (name) {
    case "delivered":
      return { response: "250 OK" };
    case "deferred":
      return { response: reason, attempt: "5" };
    case "bounced":
      return {
        type: "bounce",
        status: /\b\d\.\d+\.\d+\b/.exec(String(reason))?.[0] ?? "5.0.0",
        reason,
      };
    case "dropped":
      return { status: "5.0.0", reason };
    case "opened":
      return { useragent: USER_AGENT, ip: "127.0.0.1", sg_machine_open: false };
    case "clicked":
      return {
        url,
        useragent: USER_AGENT,
        ip: "127.0.0.1",
        url_offset: { index: 0, type: "html" },
      };
    default:
      return {};
  }
}

async function parseCall(mail: InboundMail, { inbound }: Context): Promise<OutgoingCall> {
  const url = inboundOf(inbound, "mail2");
  const form = new FormData();
  const set = (name: string, value: string) => form.set(name, value);
  set("headers", `From: ${mail.from}\nTo: ${mail.to}\nSubject: ${mail.subject}\n`);
  set("dkim", "none");
  set("to", mail.to);
  if (mail.html !== "") set("html", mail.html);
  set("from", mail.from);
  if (mail.text !== "") set("text", mail.text);
  set("sender_ip", "127.0.0.1");
  set("envelope", JSON.stringify({ to: [addressOf(mail.to)], from: addressOf(mail.from) }));
  set("attachments", String(mail.attachments.length));
  set("subject", mail.subject);
  if (mail.attachments.length > 0) {
    const info = mail.attachments.map(({ filename, content_type: type, content_id: cid }, index) =>
      [`attachment${index + 1}`, {
        filename,
        name: filename,
        type,
        ...(cid === undefined ? {} : { "content-id": cid }),
      }] as const
    );
    set("attachment-info", JSON.stringify(Object.fromEntries(info)));
    const inline = info.flatMap(([name, { "content-id": cid }]) =>
      cid === undefined ? [] : [[cid, name] as const]
    );
    if (inline.length > 0) set("content-ids", JSON.stringify(Object.fromEntries(inline)));
  }
  set("charsets", JSON.stringify({ to: "UTF-8", from: "UTF-8", subject: "UTF-8", text: "UTF-8" }));
  set("SPF", "pass");
  for (const [index, { bytes, content_type: type, filename }] of mail.attachments.entries()) {
    form.set(`attachment${index + 1}`, new Blob([bytes], { type }), filename);
  }
  const encoded = new Response(form);
  return {
    name: "received",
    url,
    headers: [
      ["Content-Type", encoded.headers.get("content-type")!],
      ["User-Agent", "Sendlib/1.0 server-Standin"],
    ],
    body: new Uint8Array(await encoded.arrayBuffer()),
  };
}

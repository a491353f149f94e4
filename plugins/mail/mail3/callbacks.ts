/** Webhooks (https://resend.com/docs/dashboard/webhooks/event-types), signed as Svix does. */
import { createHmac } from "node:crypto";
import type { OutgoingCall } from "../../../core/plugin.ts";
import { type InboundMail, inboundOf } from "../inbound_mail.ts";
import {
  CLICK,
  formatMailbox,
  type MailEvent,
  recipientsOf,
  reportKinds,
  USER_AGENT,
  webhookOf,
  withReason,
} from "../report_events.ts";
import { defineVendorCallbacks, type Report, type VendorContext } from "../vendor_callbacks.ts";
import { encodeMessageId } from "./ids.ts";
import type { OPTIONS } from "./options.ts";
import { keepReceived, toReceived, toReceivedData } from "./received.ts";
import type { Store } from "./store.ts";

type Context = VendorContext<typeof OPTIONS, Store>;

const TYPES = "https://resend.com/docs/dashboard/webhooks/event-types";
const RECEIVED = "https://resend.com/docs/dashboard/receiving/introduction";
const [SECOND_MS, MINUTE_MS, HOUR_MS] = [1000, 60_000, 3_600_000];

const report = reportKinds(TYPES);

/** The vendor's event type, and the state reported afterwards. */
const VENDOR_NAMES: Readonly<Record<string, string>> = {
  delayed: "delivery_delayed",
  spam_report: "complained",
};

export const CALLBACKS = defineVendorCallbacks<typeof OPTIONS, Store>({
  schedule: {
    delaysMs: [
      5 * SECOND_MS,
      5 * MINUTE_MS,
      30 * MINUTE_MS,
      2 * HOUR_MS,
      5 * HOUR_MS,
      10 * HOUR_MS,
      10 * HOUR_MS,
    ],
    timeoutMs: 15_000,
    source: "https://resend.com/docs/webhooks/retries-and-replays",
  },
  kinds: {
    sent: report("Send", "The vendor accepted the message"),
    delivered: report("Deliver", "The receiving server accepted the message"),
    delayed: report("Delay", "The message could not be delivered yet"),
    bounced: report(
      "Bounce",
      "The receiving server refused the message permanently",
      withReason("The recipient's email address does not exist"),
    ),
    failed: report(
      "Fail",
      "The message could not be sent",
      withReason("reached_daily_quota"),
    ),
    opened: report("Open", "The recipient opened the message"),
    clicked: report("Click", "The recipient followed a link", CLICK),
    spam_report: report("Report spam", "The recipient marked the message as spam"),
  },
  report: (mail, report) => [eventCall(mail, report)],
  captured: ["sent", "delivered"],
  isReported: ({ meta }) => meta.scheduled_at === undefined,
  began({ name }, eventId, { env }) {
    if (eventId === undefined || name === "received") return;
    env.store.addChange(eventId, { last_event: VENDOR_NAMES[name] ?? name });
  },
  // https://docs.svix.com/receiving/verifying-payloads/how-manual
  sign({ body }, { now, id }, { key }) {
    const timestamp = String(Math.floor(now.getTime() / 1000));
    const hmac = createHmac("sha256", key("webhook")).update(`msg_${id}.${timestamp}.`).update(
      body,
    );
    return [
      ["svix-id", `msg_${id}`],
      ["svix-timestamp", timestamp],
      ["svix-signature", `v1,${hmac.digest("base64")}`],
    ];
  },
  keys: ({ key }) => [{ name: "Signing secret", value: `whsec_${key("webhook").toBase64()}` }],
  inbound: {
    reply: "An email from the recipient: email.received",
    about: "An email: email.received; its text and attachments can be read through the API",
    source: RECEIVED,
    call: receivedCall,
  },
});

function eventCall(
  event: MailEvent,
  { name, params, context }: Report<Context>,
): OutgoingCall {
  const { subject = "", from } = event.payload;
  const tags = Array.isArray(event.meta.tags) ? event.meta.tags : [];
  return toCall(name, VENDOR_NAMES[name] ?? name, {
    url: webhookOf(context.webhook, "mail3"),
    now: context.env.ctx.now(),
    data: {
      created_at: event.received_at.toISOString(),
      email_id: encodeMessageId(event.id),
      from: formatMailbox(from),
      to: recipientsOf(event, params.recipient).map(({ email }) => email),
      subject,
      ...(tags.length === 0
        ? {}
        : { tags: Object.fromEntries(tags.map(({ name, value }) => [name, value])) }),
      ...detailsOf(name, params, context.env.ctx.now()),
    },
  });
}

function detailsOf(
  name: string,
  { reason, url }: Readonly<Record<string, unknown>>,
  now: Date,
): Record<string, unknown> {
  switch (name) {
    case "bounced":
      return { bounce: { message: reason, subType: "General", type: "Permanent" } };
    case "failed":
      return { failed: { reason } };
    case "clicked":
      return {
        click: {
          ipAddress: "127.0.0.1",
          link: url,
          timestamp: now.toISOString(),
          userAgent: USER_AGENT,
        },
      };
    default:
      return {};
  }
}

/** The webhook does not contain the body; the application fetches it through the API. */
function receivedCall(mail: InboundMail, { inbound, env }: Context): OutgoingCall {
  const { ctx, store } = env;
  const url = inboundOf(inbound, "mail3");
  const now = ctx.now();
  const received = toReceived(mail, { uuid: ctx.uuid, now });
  keepReceived(store.resources.received, received);
  return toCall("received", "received", { url, now, data: toReceivedData(received) });
}

function toCall(
  name: string,
  type: string,
  { url, now, data }: { url: string; now: Date; data: object },
): OutgoingCall {
  const body = JSON.stringify({ type: `email.${type}`, created_at: now.toISOString(), data });
  return {
    name,
    url,
    headers: [
      ["Content-Type", "application/json"],
      ["User-Agent", "Svix-Webhooks/1.24.0"],
    ],
    body: new TextEncoder().encode(body),
  };
}

/** Webhooks of Mailgun: https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks, and its routes. */
import { createHmac } from "node:crypto";
import { encodeHex } from "@std/encoding/hex";
import type { OutgoingCall } from "../../../core/plugin.ts";
import { addressOf, type InboundMail, inboundOf } from "../inbound_mail.ts";
import {
  CLICK,
  jsonReport,
  type MailEvent,
  recipientsOf,
  reportKinds,
  USER_AGENT,
  webhookOf,
  withReason,
} from "../report_events.ts";
import { defineVendorCallbacks, type Report, type VendorContext } from "../vendor_callbacks.ts";
import { toEntry } from "./fetch.ts";
import type { OPTIONS } from "./options.ts";
import type { Store } from "./store.ts";

type Context = VendorContext<typeof OPTIONS, Store>;

const MANUAL = "https://documentation.mailgun.com/docs/mailgun/user-manual";
const EVENTS = `${MANUAL}/webhooks/webhook-payloads`;
const ROUTES = `${MANUAL}/receive-forward-store/receive-http`;
const MINUTE_MS = 60_000;

const report = reportKinds(EVENTS);

/** The vendor's names that differ from the common ones. */
const VENDOR_NAMES: Readonly<Record<string, string>> = {
  bounced: "failed",
  deferred: "failed",
  spam_report: "complained",
};

export const CALLBACKS = defineVendorCallbacks<typeof OPTIONS, Store>({
  // "For any other code", but 200 and 406, "Mailgun will retry"; "other than for delivery notification".
  schedule: {
    delaysMs: [5, 10, 15, 60, 120, 240].map((minutes) => minutes * MINUTE_MS),
    timeoutMs: 10_000,
    source: `${MANUAL}/webhooks/webhook-retries`,
    again: (answer, { name }) => answer?.status !== 406 && name !== "delivered",
    accepts: ({ status }) => status === 200,
  },
  kinds: {
    accepted: report("Accept", "The message was accepted and will be delivered"),
    delivered: report("Deliver", "The receiving server accepted the message"),
    bounced: report(
      "Bounce",
      "The receiving server refused the message permanently: failed, permanent",
      withReason("5.1.1 The email account that you tried to reach does not exist"),
    ),
    deferred: report(
      "Defer",
      "The receiving server refused the message temporarily: failed, temporary",
      withReason("4.2.1 Try again later"),
    ),
    opened: report("Open", "The recipient opened the message"),
    clicked: report("Click", "The recipient followed a link", CLICK),
    spam_report: report("Report spam", "The recipient marked the message as spam: complained"),
    unsubscribed: report("Unsubscribe", "The recipient unsubscribed"),
  },
  report: eventCalls,
  captured: ["accepted", "delivered"],
  keys: (context) => [{ name: "HTTP webhook signing key", value: keyOf(context) }],
  inbound: {
    reply: "An email from the recipient, as a route forwards it",
    about: "An email, as a route forwards it",
    source: ROUTES,
    call: routeCall,
  },
});

function keyOf({ key }: Context): string {
  return encodeHex(key("webhook"));
}

/** https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/securing-webhooks */
function signatureOf(context: Context): { timestamp: string; token: string; signature: string } {
  const { ctx } = context.env;
  const timestamp = String(Math.floor(ctx.now().getTime() / 1000));
  const token = `${ctx.uuid()}${ctx.uuid()}`.replaceAll("-", "").slice(0, 50);
  const hmac = createHmac("sha256", keyOf(context)).update(`${timestamp}${token}`);
  return { timestamp, token, signature: hmac.digest("hex") };
}

/** A call for each recipient. */
function eventCalls(
  event: MailEvent,
  { name, params, context }: Report<Context>,
): readonly OutgoingCall[] {
  const url = webhookOf(context.webhook, "mail5");
  const { env } = context;
  return recipientsOf(event, params.recipient).map(({ email: recipient }) =>
    jsonReport(name, url, {
      signature: signatureOf(context),
      "event-data": {
        ...toEntry(event, { kind: VENDOR_NAMES[name] ?? name, recipient, env }),
        timestamp: env.ctx.now().getTime() / 1000,
        ...detailsOf(name, params),
      },
    })
  );
}

function detailsOf(
  name: string,
  { reason, url }: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const reader = {
    ip: "127.0.0.1",
    geolocation: { country: "Unknown", region: "Unknown", city: "Unknown" },
    "client-info": {
      "client-type": "browser",
      "client-os": "Linux",
      "device-type": "desktop",
      "client-name": "Firefox",
      "user-agent": USER_AGENT,
    },
  };
  switch (name) {
    case "bounced":
    case "deferred": {
      const isPermanent = name === "bounced";
      return {
        severity: isPermanent ? "permanent" : "temporary",
        reason: isPermanent ? "bounce" : "generic",
        "log-level": isPermanent ? "error" : "warn",
        "delivery-status": {
          "attempt-no": 1,
          code: isPermanent ? 550 : 450,
          message: reason,
          description: "",
          "mx-host": "standin.invalid",
          tls: true,
          utf8: true,
          "certificate-verified": true,
          "session-seconds": 0,
          ...(isPermanent ? {} : { "retry-seconds": 600 }),
        },
      };
    }
    case "opened":
      return reader;
    case "clicked":
      return { url, ...reader };
    case "spam_report":
      return { "log-level": "warn" };
    case "unsubscribed":
      return { "log-level": "warn", ...reader };
    default:
      return {};
  }
}

/** The fields of a route with `forward()`: a form, with a file for each attachment. */
async function routeCall(mail: InboundMail, context: Context): Promise<OutgoingCall> {
  const { inbound, env: { ctx } } = context;
  const [sender, recipient] = [addressOf(mail.from), addressOf(mail.to)];
  const date = ctx.now().toUTCString().replace("GMT", "+0000");
  const headers = [
    ["X-Envelope-From", `<${sender}>`],
    ["Mime-Version", "1.0"],
    ["From", mail.from],
    ["To", mail.to],
    ["Date", date],
    ["Message-Id", `<${ctx.uuid()}@${sender.slice(sender.lastIndexOf("@") + 1)}>`],
    ["Subject", mail.subject],
  ];
  const fields = {
    recipient,
    sender,
    from: mail.from,
    subject: mail.subject,
    "body-plain": mail.text,
    "stripped-text": mail.text,
    "stripped-signature": "",
    ...(mail.html !== "" && { "body-html": mail.html, "stripped-html": mail.html }),
    "message-headers": JSON.stringify(headers),
    ...signatureOf(context),
  };
  const encoded = new Response(
    mail.attachments.length === 0 ? new URLSearchParams(fields) : withFiles(fields, mail),
  );
  return {
    name: "received",
    url: inboundOf(inbound, "mail5"),
    headers: [
      ["Content-Type", encoded.headers.get("content-type")!],
      ["User-Agent", "standin"],
    ],
    body: new Uint8Array(await encoded.arrayBuffer()),
  };
}

function withFiles(
  fields: Readonly<Record<string, string>>,
  { attachments }: InboundMail,
): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set("attachment-count", String(attachments.length));
  const ids = attachments.flatMap(({ content_id: cid }, index) =>
    cid === undefined ? [] : [[`<${cid}>`, `attachment-${index + 1}`] as const]
  );
  if (ids.length > 0) form.set("content-id-map", JSON.stringify(Object.fromEntries(ids)));
  for (const [index, { bytes, content_type: type, filename }] of attachments.entries()) {
    form.set(`attachment-${index + 1}`, new Blob([bytes], { type }), filename);
  }
  return form;
}

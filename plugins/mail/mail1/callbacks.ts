/** Event API, grouped (https://dev.mailjet.com/email/guides/webhooks/), and Parse API. */
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
import type { Store } from "./store.ts";

type Context = VendorContext<typeof OPTIONS, Store>;

const EVENTS = "https://dev.mailjet.com/email/guides/webhooks/";
const PARSE = "https://dev.mailjet.com/email/guides/parse-api/";
const RETRIES =
  "https://documentation.mailjet.com/hc/en-us/articles/360043578154-Event-Tracking-API";
/** Every 30 seconds for 24 hours. */
const DELAYS_MS = Array.from({ length: 2880 }, () => 30_000);

const report = reportKinds(EVENTS);

/** The vendor's names that differ from the common ones. */
const VENDOR_NAMES: Readonly<Record<string, string>> = {
  delivered: "sent",
  bounced: "bounce",
  opened: "open",
  clicked: "click",
  spam_report: "spam",
  unsubscribed: "unsub",
};

export const CALLBACKS = defineVendorCallbacks<typeof OPTIONS, Store>({
  schedule: {
    delaysMs: DELAYS_MS,
    timeoutMs: 10_000,
    source: RETRIES,
    // "It must return a 200 OK": any other status causes a retry.
    accepts: ({ status }) => status === 200,
  },
  kinds: {
    delivered: report("Deliver", "The receiving server accepted the message: sent"),
    bounced: report(
      "Bounce",
      "The receiving server refused the message permanently",
      withReason("user unknown"),
    ),
    blocked: report("Block", "The vendor did not send the message", withReason("preblocked")),
    opened: report("Open", "The recipient opened the message"),
    clicked: report("Click", "The recipient followed a link", CLICK),
    spam_report: report("Report spam", "The recipient marked the message as spam"),
    unsubscribed: report("Unsubscribe", "The recipient unsubscribed"),
  },
  report: (mail, report) => [eventCall(mail, report)],
  captured: ["delivered"],
  inbound: {
    reply: "An email from the recipient, over the Parse API",
    about: "An email, as the Parse API posts it",
    source: PARSE,
    call: parseCall,
  },
});

function eventCall(
  event: MailEvent,
  { name, params, context }: Report<Context>,
): OutgoingCall {
  const { message_ids: ids, message_uuids: uuids, custom_id, event_payload } = event.meta;
  const events = recipientsOf(event, params.recipient).map(({ email, index }) => {
    const id = Array.isArray(ids) ? ids[index] : 0;
    return {
      event: VENDOR_NAMES[name] ?? name,
      time: Math.floor(context.env.ctx.now().getTime() / 1000),
      MessageID: id,
      Message_GUID: Array.isArray(uuids) ? uuids[index] : "",
      email,
      mj_campaign_id: 0,
      mj_contact_id: 0,
      customcampaign: "",
      CustomID: custom_id ?? "",
      Payload: event_payload ?? "",
      ...detailsOf(name, params, id),
    };
  });
  return toCall(name, webhookOf(context.webhook, "mail1"), events);
}

function detailsOf(
  name: string,
  { reason, url }: Readonly<Record<string, unknown>>,
  id: unknown,
): Record<string, unknown> {
  const reader = { ip: "127.0.0.1", geo: "", agent: USER_AGENT };
  switch (name) {
    case "delivered":
      return { mj_message_id: String(id), smtp_reply: "sent (250 2.0.0 OK)" };
    case "bounced":
      return {
        blocked: false,
        hard_bounce: true,
        error_related_to: "recipient",
        error: reason,
        comment: "",
      };
    case "blocked":
      return { error_related_to: "mailjet", error: reason };
    case "opened":
      return reader;
    case "clicked":
      return { url, ...reader };
    case "spam_report":
      return { source: "JMRPP" };
    case "unsubscribed":
      return { mj_list_id: 0, ...reader };
    default:
      return {};
  }
}

function parseCall(mail: InboundMail, { inbound, env }: Context): OutgoingCall {
  const date = env.ctx.now().toUTCString().replace("GMT", "+0000");
  const parts = [["text/plain", "Text-part", mail.text], ["text/html", "Html-part", mail.html]]
    .filter(([, , content]) => content !== "");
  const attachments = mail.attachments.map(({ bytes }, index) =>
    [`Attachment${index + 1}`, bytes.toBase64()] as const
  );
  return toCall("received", inboundOf(inbound, "mail1"), {
    Sender: addressOf(mail.from),
    Recipient: addressOf(mail.to),
    Date: date,
    From: mail.from,
    Subject: mail.subject,
    Headers: { From: mail.from, To: mail.to, Subject: mail.subject, Date: date },
    Parts: [
      ...parts.map(([type, ref]) => ({
        Headers: { "Content-Type": `${type}; charset="UTF-8"` },
        ContentRef: ref,
      })),
      ...mail.attachments.map(({ content_type, content_id: cid, filename }, index) => ({
        Headers: {
          "Content-Type": content_type,
          "Content-Disposition": `${cid === undefined ? "attachment" : "inline"}; filename=${
            JSON.stringify(filename)
          }`,
          ...(cid === undefined ? {} : { "Content-ID": `<${cid}>` }),
        },
        ContentRef: `Attachment${index + 1}`,
      })),
    ],
    ...Object.fromEntries(parts.map(([, ref, content]) => [ref, content])),
    ...Object.fromEntries(attachments),
    SpamAssassinScore: "0.1",
    CustomID: "",
    Payload: "",
  });
}

function toCall(name: string, url: string, value: unknown): OutgoingCall {
  return {
    name,
    url,
    headers: [["Content-Type", "application/json"], ["User-Agent", "Mailjet/1.0"]],
    body: new TextEncoder().encode(JSON.stringify(value)),
  };
}

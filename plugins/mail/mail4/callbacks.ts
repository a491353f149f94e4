/** Webhooks of Postmark: https://postmarkapp.com/developer/webhooks/webhooks-overview, and inbound emails. */
import { compact } from "../../../core/compact.ts";
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
import { encodeMessageId } from "./ids.ts";
import type { OPTIONS } from "./options.ts";
import { streamOf } from "./reply.ts";
import type { Store } from "./store.ts";

type Context = VendorContext<typeof OPTIONS, Store>;

const PAGES = "https://postmarkapp.com/developer/webhooks";
const INBOUND = `${PAGES}/inbound-webhook`;
const RETRIES =
  "https://postmarkapp.com/support/article/understanding-inbound-webhook-retries-in-postmark";
const MINUTE_MS = 60_000;
/** Server that every token belongs to. */
const SERVER_ID = 1;

const kind = (page: string) => reportKinds(`${PAGES}/${page}-webhook`);

export const CALLBACKS = defineVendorCallbacks<typeof OPTIONS, Store>({
  // The vendor states this schedule for inbound emails. "If we receive a 403 Forbidden response, retries stop immediately."
  schedule: {
    delaysMs: [1, 5, 10, 10, 10, 15, 30, 60, 120, 360].map((minutes) => minutes * MINUTE_MS),
    timeoutMs: 10_000,
    source: RETRIES,
    again: (answer) => answer?.status !== 403,
    accepts: ({ status }) => status === 200,
  },
  kinds: {
    delivered: kind("delivery")("Deliver", "The receiving server accepted the message: Delivery"),
    bounced: kind("bounce")(
      "Bounce",
      "The receiving server refused the message permanently: Bounce",
      withReason("smtp;550 5.1.1 The email account that you tried to reach does not exist."),
    ),
    opened: kind("open-tracking")("Open", "The recipient opened the message: Open"),
    clicked: kind("click")("Click", "The recipient followed a link: Click", CLICK),
    spam_report: kind("spam-complaint")(
      "Report spam",
      "The recipient marked the message as spam: SpamComplaint",
    ),
    unsubscribed: kind("subscription-change")(
      "Unsubscribe",
      "The recipient unsubscribed: SubscriptionChange",
    ),
  },
  report: eventCalls,
  captured: ["delivered"],
  isReported: ({ meta }) => meta.test !== true,
  inbound: {
    reply: "An email from the recipient, as an inbound email",
    about: "An email, as an inbound stream posts it",
    source: INBOUND,
    call: inboundCall,
  },
});

/** A call for each recipient. */
function eventCalls(
  event: MailEvent,
  { name, params, context }: Report<Context>,
): readonly OutgoingCall[] {
  const { meta } = event;
  const url = webhookOf(context.webhook, "mail4");
  const at = context.env.ctx.now().toISOString();
  const common = {
    MessageID: encodeMessageId(event.id),
    MessageStream: streamOf(meta),
    Metadata: meta.metadata ?? {},
    ...compact({ Tag: meta.tag }),
  };
  return recipientsOf(event, params.recipient).map(({ email, index }) => {
    const about = { event, email, at, id: numberOf(event.id, index) };
    return jsonReport(name, url, { ...common, ...detailsOf(name, params, about) });
  });
}

/** Id of a bounce: as large as those of the vendor, and the same in each attempt. */
function numberOf(eventId: string, index: number): number {
  return Number.parseInt(eventId.slice(-8), 16) + index;
}

/** Subject of a report. */
interface About {
  readonly event: MailEvent;
  readonly email: string;
  readonly at: string;
  readonly id: number;
}

function detailsOf(
  name: string,
  { reason, url }: Readonly<Record<string, unknown>>,
  about: About,
): Record<string, unknown> {
  const { email, at } = about;
  switch (name) {
    case "delivered":
      return {
        RecordType: "Delivery",
        ServerID: SERVER_ID,
        Recipient: email,
        DeliveredAt: at,
        Details: "smtp;250 2.0.0 OK",
      };
    case "bounced":
      return {
        RecordType: "Bounce",
        Type: "HardBounce",
        TypeCode: 1,
        Name: "Hard bounce",
        Description:
          "The server was unable to deliver your message (ex: unknown user, mailbox not found).",
        Details: reason,
        ...bounceOf(about),
        CanActivate: true,
      };
    case "spam_report":
      return {
        RecordType: "SpamComplaint",
        Type: "SpamComplaint",
        TypeCode: 512,
        Name: "Spam complaint",
        Description: "",
        Details: "",
        ...bounceOf(about),
        CanActivate: false,
      };
    case "opened":
      return { RecordType: "Open", FirstOpen: true, ReadSeconds: 0, ...readerOf(about) };
    case "clicked":
      return { RecordType: "Click", ClickLocation: "HTML", OriginalLink: url, ...readerOf(about) };
    default:
      return {
        RecordType: "SubscriptionChange",
        ServerID: SERVER_ID,
        ChangedAt: at,
        Recipient: email,
        Origin: "Recipient",
        SuppressSending: true,
        SuppressionReason: "ManualSuppression",
      };
  }
}

function bounceOf({ event, email, at, id }: About): Record<string, unknown> {
  return {
    ServerID: SERVER_ID,
    ID: id,
    Email: email,
    From: event.payload.from.email,
    BouncedAt: at,
    DumpAvailable: false,
    Inactive: true,
    Subject: event.payload.subject ?? "",
    Content: "",
  };
}

function readerOf({ email, at }: About): Record<string, unknown> {
  return {
    Recipient: email,
    ReceivedAt: at,
    Platform: "Desktop",
    UserAgent: USER_AGENT,
    Client: { Name: "Firefox", Company: "Mozilla", Family: "Firefox" },
    OS: { Name: "Linux", Company: "", Family: "Linux" },
    Geo: { IP: "127.0.0.1" },
  };
}

function inboundCall(mail: InboundMail, { inbound, env: { ctx } }: Context): OutgoingCall {
  const [from, to] = [toFull(mail.from), toFull(mail.to)];
  return jsonReport("received", inboundOf(inbound, "mail4"), {
    FromName: from.Name,
    MessageStream: "inbound",
    From: from.Email,
    FromFull: from,
    To: mail.to,
    ToFull: [to],
    Cc: "",
    CcFull: [],
    Bcc: "",
    BccFull: [],
    OriginalRecipient: to.Email,
    Subject: mail.subject,
    MessageID: ctx.uuid(),
    ReplyTo: "",
    MailboxHash: to.MailboxHash,
    Date: ctx.now().toUTCString().replace("GMT", "+0000"),
    TextBody: mail.text,
    HtmlBody: mail.html,
    StrippedTextReply: mail.text,
    Tag: "",
    Headers: [{ Name: "Return-Path", Value: `<${from.Email}>` }],
    Attachments: mail.attachments.map(({ filename, content_type, content_id, bytes }) => ({
      Name: filename,
      Content: bytes.toBase64(),
      ContentType: content_type,
      ContentLength: bytes.length,
      ...compact({ ContentID: content_id }),
    })),
  });
}

/** The hash is the part of an address after a plus sign. */
function toFull(mailbox: string): { Email: string; Name: string; MailboxHash: string } {
  const email = addressOf(mailbox);
  const name = mailbox.includes("<") ? mailbox.slice(0, mailbox.lastIndexOf("<")) : "";
  return {
    Email: email,
    Name: name.trim().replace(/^"(.*)"$/, "$1"),
    MailboxHash: /\+([^@]*)@/.exec(email)?.[1] ?? "",
  };
}

/** Webhooks of Brevo: https://developers.brevo.com/docs/transactional-webhooks, and its inbound parsing. */
import { compact } from "../../../core/compact.ts";
import type { OutgoingCall } from "../../../core/plugin.ts";
import { addressOf, type InboundMail, inboundOf } from "../inbound_mail.ts";
import {
  CLICK,
  jsonReport,
  type MailEvent,
  recipientsOf,
  reportKinds,
  webhookOf,
  withReason,
} from "../report_events.ts";
import { defineVendorCallbacks, type Report, type VendorContext } from "../vendor_callbacks.ts";
import type { OPTIONS } from "./options.ts";
import type { Store } from "./store.ts";

type Context = VendorContext<typeof OPTIONS, Store>;

const EVENTS = "https://developers.brevo.com/docs/transactional-webhooks";
const PARSE = "https://developers.brevo.com/docs/inbound-parse-webhooks";
const RETRIES = "https://developers.brevo.com/docs/retry-mechanism";
const MINUTE_MS = 60_000;
/** Id of the account, which each report names. */
const ACCOUNT_ID = 1;

const report = reportKinds(EVENTS);

/** The vendor's names that differ from the common ones. */
const VENDOR_NAMES: Readonly<Record<string, string>> = {
  requested: "request",
  bounced: "hard_bounce",
  opened: "unique_opened",
  clicked: "click",
  spam_report: "spam",
  unsubscribed: "unsubscribe",
};

export const CALLBACKS = defineVendorCallbacks<typeof OPTIONS, Store>({
  // "4xx response codes, except for 429, and any 5xx response code stop all retry attempts".
  schedule: {
    delaysMs: [10, 60, 120, 480].map((minutes) => minutes * MINUTE_MS),
    timeoutMs: 10_000,
    source: RETRIES,
    again: (answer) => answer === undefined || answer.status === 429 || answer.status < 400,
  },
  kinds: {
    requested: report("Request", "The message was accepted and will be delivered"),
    delivered: report("Deliver", "The receiving server accepted the message"),
    bounced: report(
      "Bounce",
      "The receiving server refused the message permanently: hard_bounce",
      withReason("550 5.1.1 Recipient address rejected: User unknown"),
    ),
    soft_bounce: report(
      "Bounce softly",
      "The receiving server refused the message temporarily: soft_bounce",
      withReason("452 4.2.2 Mailbox full"),
    ),
    deferred: report(
      "Defer",
      "The receiving server asked the vendor to try again",
      withReason("450 4.2.1 Try again later"),
    ),
    blocked: report(
      "Block",
      "The vendor did not send the message",
      withReason("blocked : due to blacklist user"),
    ),
    opened: report("Open", "The recipient opened the message for the first time: unique_opened"),
    clicked: report("Click", "The recipient followed a link", CLICK),
    spam_report: report("Report spam", "The recipient marked the message as spam"),
    unsubscribed: report("Unsubscribe", "The recipient unsubscribed"),
  },
  report: eventCalls,
  captured: ["requested", "delivered"],
  isReported: ({ meta }) => meta.scheduled_at === undefined,
  inbound: {
    reply: "An email from the recipient, as inbound parsing posts it",
    about: "An email without attachments, as inbound parsing posts it",
    source: PARSE,
    call: parseCall,
  },
});

/** A call for each recipient. */
function eventCalls(
  event: MailEvent,
  { name, params, context }: Report<Context>,
): readonly OutgoingCall[] {
  const { meta, payload: { subject = "" } } = event;
  const url = webhookOf(context.webhook, "mail7");
  const ms = context.env.ctx.now().getTime();
  const seconds = Math.floor(ms / 1000);
  const tags = Array.isArray(meta.tags) && meta.tags.length > 0 ? meta.tags : undefined;
  const custom = headerOf(event, "x-mailin-custom");
  return recipientsOf(event, params.recipient).map(({ email }) =>
    jsonReport(name, url, {
      event: VENDOR_NAMES[name] ?? name,
      email,
      id: ACCOUNT_ID,
      date: new Date(ms).toISOString().slice(0, 19).replace("T", " "),
      ts: seconds,
      ts_event: seconds,
      ts_epoch: ms,
      "message-id": meta.message_id,
      subject,
      sending_ip: "127.0.0.1",
      ...compact({
        template_id: meta.template_id,
        tag: tags === undefined ? undefined : JSON.stringify(tags),
        tags,
        "X-Mailin-custom": custom,
        link: params.url,
        reason: params.reason,
      }),
    })
  );
}

/** Returns the first value of a header field that the application gave to the message. */
function headerOf({ payload: { headers = {} } }: MailEvent, name: string): string | undefined {
  return Object.entries(headers).find(([own]) => own.toLowerCase() === name)?.[1][0];
}

function parseCall(mail: InboundMail, { inbound, env: { ctx } }: Context): OutgoingCall {
  if (mail.attachments.length > 0) {
    // The application would download them with a token.
    throw new RangeError(
      "Cannot send an inbound email: attachments of incoming emails are not covered for Brevo",
    );
  }
  const [id, date] = [
    `<${ctx.uuid()}@example.com>`,
    ctx.now().toUTCString().replace("GMT", "+0000"),
  ];
  return jsonReport("received", inboundOf(inbound, "mail7"), {
    items: [{
      Uuid: [ctx.uuid()],
      MessageId: id,
      InReplyTo: null,
      From: toMailbox(mail.from),
      To: [toMailbox(mail.to)],
      Cc: [],
      ReplyTo: null,
      SentAtDate: date,
      Subject: mail.subject,
      Attachments: [],
      Headers: {
        "MIME-Version": "1.0",
        From: mail.from,
        To: mail.to,
        Date: date,
        "Message-ID": id,
        Subject: mail.subject,
        "Content-Type": "multipart/alternative",
      },
      SpamScore: 0,
      ExtractedMarkdownMessage: mail.text,
      ExtractedMarkdownSignature: null,
      RawHtmlBody: mail.html === "" ? null : mail.html,
      RawTextBody: mail.text,
    }],
  });
}

function toMailbox(mailbox: string): { Name: string | null; Address: string } {
  const at = mailbox.lastIndexOf("<");
  const name = at < 0 ? "" : mailbox.slice(0, at).trim().replace(/^"(.*)"$/, "$1");
  return { Name: name === "" ? null : name, Address: addressOf(mailbox) };
}

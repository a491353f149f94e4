/** What the vendor answers, as values: https://www.twilio.com/docs/messaging/api/message-resource */
import type { SmsEvent } from "../views.ts";
import type { Fault } from "./fault.ts";
import { encodeMediaSid, encodeMessageSid } from "./sids.ts";

/** What came after the capture; the captured event itself never changes. */
export interface Change {
  readonly redacted?: boolean;
  readonly canceled?: boolean;
  readonly deleted?: boolean;
  readonly at: Date;
}

/** Path of an account, without `.json`. */
export function accountPath(accountSid: string): string {
  return `/2010-04-01/Accounts/${encodeURIComponent(accountSid)}`;
}

/** The sid of a captured message. */
export function messageSid({ id, payload }: SmsEvent): string {
  return encodeMessageSid(id, (payload.media ?? []).length > 0);
}

/** The account a message was sent from. */
export function accountOf({ meta }: SmsEvent): string {
  return typeof meta.account_sid === "string" ? meta.account_sid : "";
}

/** RFC 2822 in UTC, as the vendor writes times: `Thu, 24 Aug 2023 05:01:45 +0000`. */
export function formatDate(date: Date): string {
  return date.toUTCString().replace("GMT", "+0000");
}

/** The message resource, in the vendor's order of keys. */
export function toMessage(event: SmsEvent, change: Change | undefined): Record<string, unknown> {
  const { payload: sms, received_at } = event;
  const account = accountOf(event);
  const sid = messageSid(event);
  const media = sms.media ?? [];
  const path = `${accountPath(account)}/Messages/${sid}`;
  return {
    sid,
    date_created: formatDate(received_at),
    date_updated: formatDate(change?.at ?? received_at),
    date_sent: null,
    account_sid: account,
    to: sms.to,
    from: sms.from ?? null,
    messaging_service_sid: sms.messaging_service ?? null,
    body: change?.redacted ? "" : sms.body,
    status: change?.canceled ? "canceled" : sms.status,
    num_segments: media.length > 0 ? "1" : String(sms.segments.count),
    num_media: String(media.length),
    direction: sms.direction === "inbound" ? "inbound" : "outbound-api",
    api_version: "2010-04-01",
    price: null,
    price_unit: "USD",
    error_code: null,
    error_message: null,
    uri: `${path}.json`,
    subresource_uris: { media: `${path}/Media.json`, feedback: `${path}/Feedback.json` },
  };
}

/** The media resource: https://www.twilio.com/docs/messaging/api/media-resource */
export function toMedia(event: SmsEvent, index: number): Record<string, unknown> {
  const parent = messageSid(event);
  const sid = encodeMediaSid(event.id, index);
  const date = formatDate(event.received_at);
  return {
    sid,
    account_sid: accountOf(event),
    parent_sid: parent,
    content_type: event.payload.media?.[index]?.content_type ?? "application/octet-stream",
    date_created: date,
    date_updated: date,
    uri: `${accountPath(accountOf(event))}/Messages/${parent}/Media/${sid}.json`,
  };
}

/** The account resource, which clients fetch to try their credentials. No token is told. */
export function toAccount(sid: string, now: Date): Record<string, unknown> {
  const path = accountPath(sid);
  return {
    sid,
    friendly_name: "Standin",
    owner_account_sid: sid,
    auth_token: null,
    status: "active",
    type: "Full",
    date_created: formatDate(now),
    date_updated: formatDate(now),
    uri: `${path}.json`,
    subresource_uris: { messages: `${path}/Messages.json` },
  };
}

/** The message feedback resource. */
export function toFeedback(
  event: SmsEvent,
  about: { outcome: string; now: Date },
): Record<string, unknown> {
  const date = formatDate(about.now);
  const sid = messageSid(event);
  return {
    account_sid: accountOf(event),
    message_sid: sid,
    outcome: about.outcome,
    date_created: date,
    date_updated: date,
    uri: `${accountPath(accountOf(event))}/Messages/${sid}/Feedback.json`,
  };
}

/** The body of a refusal. */
export function toFaultBody({ status, code, message, detail }: Fault): Record<string, unknown> {
  return {
    code,
    ...(detail === undefined ? {} : { detail }),
    message,
    more_info: `https://www.twilio.com/docs/errors/${code}`,
    status,
  };
}

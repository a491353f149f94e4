/**
 * What the vendor answers: https://www.twilio.com/docs/messaging/api/message-resource; its refusals:
 * https://www.twilio.com/docs/usage/twilios-response and https://www.twilio.com/docs/api/errors.
 *
 * @module
 */
import { jsonBody } from "../../../core/http/reply.ts";
import type { Refusal } from "../../../core/plugin.ts";
import type { SmsEvent } from "../views.ts";
import { encodeMediaSid, encodeMessageSid } from "./ids.ts";
import type { Env } from "./options.ts";
import type { Change } from "./store.ts";

/** What a refusal is made of; `more_info` is made from the code. */
export interface VendorRefusal {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly detail?: string;
}

/** Longest value quoted in a message, in characters. */
const QUOTE = 64;

/** Refusals that say the same every time. */
export const REFUSALS = {
  wrongToken: {
    status: 401,
    code: 20003,
    message: "Authenticate",
    detail: "Your AccountSid or AuthToken was incorrect.",
  },
  wrongUser: { status: 401, code: 20003, message: "Authentication Error - invalid username" },
  noCredentials: {
    status: 401,
    code: 20003,
    message: "Authentication Error - No credentials provided",
  },
  noTo: { status: 400, code: 21604, message: "A 'To' phone number is required." },
  noFrom: { status: 400, code: 21603, message: "A 'From' phone number is required." },
  noBody: { status: 400, code: 21602, message: "Message body is required." },
  longBody: {
    status: 400,
    code: 21617,
    message: "The concatenated message body exceeds the 1600 character limit.",
  },
  manyMedia: {
    status: 400,
    code: 21623,
    message: "Number of media files exceeds allowed limit.",
  },
  fullStore: {
    status: 413,
    code: 11751,
    message: "Media exceeds the space left for stored bytes.",
  },
} as const satisfies Readonly<Record<string, VendorRefusal>>;

/** A recipient that is no number. */
export function badTo(value: string): VendorRefusal {
  return {
    status: 400,
    code: 21211,
    message: `The 'To' number ${quote(value)} is not a valid phone number.`,
  };
}

/** A sender that is neither number nor sender id. */
export function badFrom(value: string): VendorRefusal {
  return {
    status: 400,
    code: 21212,
    message: `The 'From' number ${
      quote(value)
    } is not a valid phone number, shortcode, or alphanumeric sender ID.`,
  };
}

/** A media link that is none. */
export function badMedia(link: string): VendorRefusal {
  return { status: 400, code: 21620, message: `Invalid media URL(s): ${quote(link)}` };
}

/** A parameter of another kind than expected. */
export function badParameter(name: string, detail: string): VendorRefusal {
  return { status: 400, code: 20001, message: `Invalid parameter ${name}: ${detail}` };
}

/** A resource that does not exist. */
export function notFound(path: string): VendorRefusal {
  return { status: 404, code: 20404, message: `The requested resource ${path} was not found` };
}

function quote(value: string): string {
  return value.length > QUOTE ? `${value.slice(0, QUOTE)}…` : value;
}

const CODES: Readonly<Record<Refusal["kind"], number>> = {
  too_large: 20001,
  method_not_allowed: 20004,
  bad_encoding: 20001,
  busy: 20429,
  internal: 20500,
};

/** What core refuses, in the vendor's form. */
export function toVendorRefusal({ kind, status, message }: Refusal): VendorRefusal {
  return { status: kind === "busy" ? 429 : status, code: CODES[kind], message };
}

/** An answer with the headers the vendor sends, but for the id of the request. */
export function answer(body: unknown, status = 200, headers: HeadersInit = {}): Response {
  const all = new Headers(headers);
  all.set("content-type", "application/json;charset=utf-8");
  all.set("twilio-concurrent-requests", "1");
  all.set("x-api-domain", "api.twilio.com");
  return new Response(status === 204 ? null : jsonBody(body), { status, headers: all });
}

/** A refusal in the vendor's shape. */
export function refuse(refusal: VendorRefusal, headers: HeadersInit = {}): Response {
  return answer(toBody(refusal), refusal.status, headers);
}

/** Gives an answer the id of its request. */
export function identify(response: Response, { ctx }: Env): Response {
  response.headers.set("twilio-request-id", `RQ${ctx.uuid().replaceAll("-", "")}`);
  return response;
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
function toBody({ status, code, message, detail }: VendorRefusal): Record<string, unknown> {
  return {
    code,
    ...(detail === undefined ? {} : { detail }),
    message,
    more_info: `https://www.twilio.com/docs/errors/${code}`,
    status,
  };
}

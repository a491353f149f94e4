/**
 * Responses of the vendor: https://www.twilio.com/docs/messaging/api/message-resource; its refusals:
 * https://www.twilio.com/docs/usage/twilios-response and https://www.twilio.com/docs/api/errors.
 */
import { compact } from "../../../core/compact.ts";
import { jsonBody, textResponse } from "../../../core/http/reply.ts";
import type { Refusal } from "../../../core/plugin.ts";
import type { SmsEvent } from "../views.ts";
import { encodeMediaSid, encodeMessageSid } from "./ids.ts";
import type { Env } from "./options.ts";
import { statusOf } from "./schedule.ts";
import type { Change } from "./store.ts";

/** Error code of an event that a fault left undelivered. */
export const UNDELIVERED = "undelivered_code";

/** A refusal; its `more_info` is derived from the code. */
export interface VendorRefusal {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly detail?: string;
}

/** Longest value quoted in a message, in characters. */
const QUOTE = 64;

/** Refusals with fixed texts. */
export const REFUSALS = {
  wrongToken: {
    ...refusal(20003, "Authenticate", 401),
    detail: "Your AccountSid or AuthToken was incorrect.",
  },
  wrongUser: refusal(20003, "Authentication Error - invalid username", 401),
  noCredentials: refusal(20003, "Authentication Error - No credentials provided", 401),
  noTo: refusal(21604, "A 'To' phone number is required."),
  noFrom: refusal(21603, "A 'From' phone number is required."),
  // https://www.twilio.com/docs/api/errors/21266, /63031 and /21910
  sameNumber: refusal(21266, "'To' and 'From' numbers cannot be the same"),
  sameAddress: refusal(63031, "Channels message cannot have same 'From' and 'To'"),
  otherChannel: refusal(
    21910,
    "Invalid 'From' and 'To' pair. 'From' and 'To' should be of the same channel",
  ),
  noBody: refusal(21602, "Message body is required."),
  longBody: refusal(21617, "The concatenated message body exceeds the 1600 character limit."),
  manyMedia: refusal(21623, "Number of media files exceeds allowed limit."),
  // https://www.twilio.com/docs/api/errors/35114
  badTime: refusal(35114, "Scheduling does not support this timestamp"),
  // https://www.twilio.com/docs/api/errors/30409 names no HTTP status: it is that of the code, as in 20404 and 20429.
  notCancelable: refusal(30409, "This message cannot be canceled", 409),
  fullStore: refusal(11751, "Media exceeds the space left for stored bytes.", 413),
} as const satisfies Readonly<Record<string, VendorRefusal>>;

function refusal(code: number, message: string, status = 400): VendorRefusal {
  return { status, code, message };
}

/** Returns the refusal of a recipient that is not a number. */
export function badTo(value: string): VendorRefusal {
  return refusal(21211, `The 'To' number ${quote(value)} is not a valid phone number.`);
}

/** Returns the refusal of a recipient that accepts no text messages. */
export function notMobile(value: string): VendorRefusal {
  return refusal(21614, `To number: ${quote(value)}, is not a mobile number`);
}

/** Returns the refusal of a sender that is neither a number nor a sender id. */
export function badFrom(value: string): VendorRefusal {
  const expected = "a valid phone number, shortcode, or alphanumeric sender ID";
  return refusal(21212, `The 'From' number ${quote(value)} is not ${expected}.`);
}

/** Returns the refusal of an invalid media link. */
export function badMedia(link: string): VendorRefusal {
  return refusal(21620, `Invalid media URL(s): ${quote(link)}`);
}

/** Returns the refusal of an invalid parameter. */
export function badParameter(name: string, detail: string): VendorRefusal {
  return refusal(20001, `Invalid parameter ${name}: ${detail}`);
}

/** Returns the refusal of a resource that does not exist. */
export function notFound(path: string): VendorRefusal {
  return refusal(20404, `The requested resource ${path} was not found`, 404);
}

function quote(value: string): string {
  return value.length > QUOTE ? `${value.slice(0, QUOTE)}…` : value;
}

const CODES: Readonly<Record<Refusal["kind"], number>> = {
  too_large: 20001,
  method_not_allowed: 20004,
  bad_encoding: 20001,
  busy: 20429,
  unavailable: 20503,
  internal: 20500,
};

/** Returns a refusal of core, in the vendor's form. */
export function toVendorRefusal({ kind, status, message }: Refusal): VendorRefusal {
  return { status: kind === "busy" ? 429 : status, code: CODES[kind], message };
}

/** Returns a response with the vendor's headers; `identify` adds the id of the request. */
export function answer(body: unknown, status = 200, headers: HeadersInit = {}): Response {
  const all = {
    "content-type": "application/json;charset=utf-8",
    "twilio-concurrent-requests": "1",
    "x-api-domain": "api.twilio.com",
    ...headers,
  };
  if (status === 204) return new Response(null, { status, headers: all });
  return textResponse(jsonBody(body), { status, headers: all });
}

/** Returns a refusal in the vendor's form. */
export function refuse(
  { status, code, message, detail }: VendorRefusal,
  headers: HeadersInit = {},
): Response {
  const more_info = `https://www.twilio.com/docs/errors/${code}`;
  return answer({ code, ...compact({ detail }), message, more_info, status }, status, headers);
}

/** Adds the id of the request to a response. */
export function identify(response: Response, { ctx }: Env): Response {
  response.headers.set("twilio-request-id", `RQ${ctx.uuid().replaceAll("-", "")}`);
  return response;
}

/** Path of an account, without `.json`. */
export function accountPath(accountSid: string): string {
  return `/2010-04-01/Accounts/${encodeURIComponent(accountSid)}`;
}

/** Returns the sid of a captured message. */
export function messageSid({ id, payload }: SmsEvent): string {
  return encodeMessageSid(id, (payload.media ?? []).length > 0);
}

/** Returns the account a message was sent from. */
export function accountOf({ meta }: SmsEvent): string {
  return typeof meta.account_sid === "string" ? meta.account_sid : "";
}

/** RFC 2822 in UTC: `Thu, 24 Aug 2023 05:01:45 +0000`. */
function formatDate(date: Date): string {
  return date.toUTCString().replace("GMT", "+0000");
}

/** Returns the message resource, in the vendor's order of keys. */
export function toMessage(
  event: SmsEvent,
  change: Change | undefined,
  now: Date,
): Record<string, unknown> {
  const { payload: sms, received_at } = event;
  const account = accountOf(event);
  const sid = messageSid(event);
  const media = sms.media ?? [];
  const undelivered = event.meta[UNDELIVERED];
  const failed = change?.canceled || change?.status !== undefined ? undefined : undelivered;
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
    status: failed === undefined ? statusOf(event, change, now) : "undelivered",
    num_segments: media.length > 0 ? "1" : String(sms.segments.count),
    num_media: String(media.length),
    direction: sms.direction === "inbound" ? "inbound" : "outbound-api",
    api_version: "2010-04-01",
    price: null,
    price_unit: "USD",
    error_code: change?.error_code ?? undelivered ?? null,
    error_message: null,
    uri: `${path}.json`,
    subresource_uris: { media: `${path}/Media.json`, feedback: `${path}/Feedback.json` },
  };
}

/** Returns the media resource: https://www.twilio.com/docs/messaging/api/media-resource */
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

/** Returns the account resource, which clients fetch to test their credentials; without the token. */
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

/** Returns the message feedback resource. */
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

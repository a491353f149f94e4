/**
 * Responses of the APNs provider API
 * (https://developer.apple.com/documentation/usernotifications/handling-notification-responses-from-apns). On success
 * the stream ends with the head; an error has its whole body in one frame, because some clients read only one.
 */
import { textResponse } from "../../../core/http/reply.ts";
import type { Refusal } from "../../../core/plugin.ts";
import type { Env } from "./options.ts";

/** Reasons and their statuses; none depends on earlier pushes. */
export const REFUSALS = {
  BadChannelId: 400,
  BadCollapseId: 400,
  BadDeviceToken: 400,
  BadExpirationDate: 400,
  BadMessageId: 400,
  BadPriority: 400,
  CannotCreateChannelConfig: 400,
  ChannelNotRegistered: 400,
  DuplicateHeaders: 400,
  InvalidPushType: 400,
  MissingChannelId: 400,
  MissingDeviceToken: 400,
  MissingPushType: 400,
  MissingTopic: 400,
  PayloadEmpty: 400,
  TopicDisallowed: 400,
  ExpiredProviderToken: 403,
  InvalidProviderToken: 403,
  MissingProviderToken: 403,
  BadPath: 404,
  MethodNotAllowed: 405,
  Unregistered: 410,
  PayloadTooLarge: 413,
  TooManyRequests: 429,
  InternalServerError: 500,
  ServiceUnavailable: 503,
  Shutdown: 503,
} as const;

/** Reason of a refusal, in the vendor's terms. */
export type VendorRefusal = keyof typeof REFUSALS;

/** Sent to clients that do not speak HTTP/2. */
export const HTTP1_WARNING = "this request arrived over HTTP/1.1; push2 only speaks HTTP/2";

export interface ReplyAbout {
  /** As sent: clients match responses to requests by it. */
  readonly id: string;
  /** HTTP version of the request. */
  readonly version: string;
}

const OF_CORE: Readonly<Record<Refusal["kind"], VendorRefusal>> = {
  too_large: "PayloadTooLarge",
  method_not_allowed: "MethodNotAllowed",
  bad_encoding: "PayloadEmpty",
  busy: "ServiceUnavailable",
  unavailable: "ServiceUnavailable",
  internal: "InternalServerError",
};

/** Returns a refusal of core, in the vendor's terms. */
export function toVendorRefusal({ kind }: Refusal): VendorRefusal {
  return OF_CORE[kind];
}

/** 200 without a body. */
export function answer(about: ReplyAbout & { readonly uniqueId: string }): Response {
  const headers = headersOf(about);
  headers.set("apns-unique-id", about.uniqueId);
  headers.set("push2-unique-id", about.uniqueId);
  return new Response(null, { status: 200, headers });
}

/**
 * Returns an error with its reason. It is recorded here because core would split the body, and so
 * its frame; `detail` goes to the journal only.
 */
export function refuse(
  reason: VendorRefusal,
  { env, about, detail, since }: {
    readonly env: Pick<Env, "reject" | "ctx">;
    readonly about: ReplyAbout;
    readonly detail?: string | undefined;
    /** Since when the device token is invalid; now by default. */
    readonly since?: Date | undefined;
  },
): Response {
  const status = REFUSALS[reason];
  const why = detail === undefined ? reason : `${reason}: ${detail}`;
  env.reject({ status, reason: `Answered ${status}: ${why}` });
  const headers = headersOf(about);
  headers.set("content-type", "application/json");
  // The time in milliseconds since when the device token is invalid.
  const body = status === 410
    ? { reason, timestamp: (since ?? env.ctx.now()).getTime() }
    : { reason };
  return textResponse(JSON.stringify(body), { status, headers });
}

/** Answers a call about channels, which has a separate id. */
export function answerRequest(
  { requestId, status = 200, channelId, uniqueId, body }: {
    readonly requestId: string;
    readonly status?: number;
    readonly channelId?: string;
    readonly uniqueId?: string;
    readonly body?: unknown;
  },
): Response {
  const headers = new Headers({ "apns-request-id": requestId });
  if (channelId !== undefined) headers.set("apns-channel-id", channelId);
  if (uniqueId !== undefined) headers.set("apns-unique-id", uniqueId);
  if (body === undefined) return new Response(null, { status, headers });
  headers.set("content-type", "application/json");
  return textResponse(JSON.stringify(body), { status, headers });
}

/** Refuses a call about channels. */
export function refuseRequest(
  reason: VendorRefusal,
  { env, requestId }: { readonly env: Pick<Env, "reject">; readonly requestId: string },
): Response {
  const status = REFUSALS[reason];
  env.reject({ status, reason: `Answered ${status}: ${reason}` });
  return answerRequest({ requestId, status, body: { reason } });
}

function headersOf({ id, version }: ReplyAbout): Headers {
  const headers = new Headers({ "apns-id": id, "push2-id": id });
  if (version !== "2") headers.set("service-warning", HTTP1_WARNING);
  return headers;
}

/**
 * Answers of the APNs provider API
 * (https://developer.apple.com/documentation/usernotifications/handling-notification-responses-from-apns). On success
 * the stream ends with the head; an error has its whole body in one frame, because some clients read only one.
 */
import type { Refusal } from "../../../core/plugin.ts";
import type { Env } from "./options.ts";

/** Reasons and their statuses; none depends on earlier pushes. */
export const REFUSALS = {
  BadCollapseId: 400,
  BadDeviceToken: 400,
  BadExpirationDate: 400,
  BadMessageId: 400,
  BadPriority: 400,
  DuplicateHeaders: 400,
  InvalidPushType: 400,
  MissingDeviceToken: 400,
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

/** Reason of a refusal, in the vendor's words. */
export type VendorRefusal = keyof typeof REFUSALS;

/** Sent to clients that do not speak HTTP/2. */
export const HTTP1_WARNING = "this request arrived over HTTP/1.1; push2 is HTTP/2 only";

export interface ReplyAbout {
  /** As sent: clients match answers to requests by it. */
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

/** A refusal of core, in the vendor's words. */
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
 * An error with its reason. It is noted here because core would split the body, and so its frame; `detail` goes to the
 * journal only.
 */
export function refuse(
  reason: VendorRefusal,
  { env, about, detail }: {
    readonly env: Pick<Env, "reject" | "ctx">;
    readonly about: ReplyAbout;
    readonly detail?: string | undefined;
  },
): Response {
  const status = REFUSALS[reason];
  const why = detail === undefined ? reason : `${reason}: ${detail}`;
  env.reject({ status, reason: `Answered ${status}: ${why}` });
  const headers = headersOf(about);
  headers.set("content-type", "application/json");
  // The time in milliseconds since when the device token is invalid.
  const body = status === 410 ? { reason, timestamp: env.ctx.now().getTime() } : { reason };
  return new Response(JSON.stringify(body), { status, headers });
}

function headersOf({ id, version }: ReplyAbout): Headers {
  const headers = new Headers({ "apns-id": id, "push2-id": id });
  if (version !== "2") headers.set("service-warning", HTTP1_WARNING);
  return headers;
}

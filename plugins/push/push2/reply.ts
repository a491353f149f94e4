/**
 * Answers of the APNs provider API
 * (https://developer.apple.com/documentation/usernotifications/handling-notification-responses-from-apns). On success
 * the stream ends with the head; an error has its whole body in one frame, because some clients read no more than that.
 *
 * @module
 */

/** Every reason given here; none of them depends on what became of an earlier push. */
export const REASONS = {
  BadCollapseId: 400,
  BadExpirationDate: 400,
  BadMessageId: 400,
  BadPriority: 400,
  DuplicateHeaders: 400,
  InvalidPushType: 400,
  MissingDeviceToken: 400,
  MissingTopic: 400,
  PayloadEmpty: 400,
  TopicDisallowed: 400,
  InvalidProviderToken: 403,
  MissingProviderToken: 403,
  BadPath: 404,
  MethodNotAllowed: 405,
  PayloadTooLarge: 413,
  InternalServerError: 500,
  ServiceUnavailable: 503,
} as const;

/** Why a push is refused, in the vendor's words. */
export type Reason = keyof typeof REASONS;

/** Said to a client that does not speak HTTP/2. */
export const HTTP1_WARNING = "this request arrived over HTTP/1.1; push2 is HTTP/2 only";

/** What an answer is made of. */
export interface ReplyAbout {
  /** Repeated letter for letter: clients match answers to requests by it. */
  readonly id: string;
  /** Version of HTTP the request came over. */
  readonly version: string;
}

/** 200 without a body. */
export function accepted(about: ReplyAbout & { readonly uniqueId: string }): Response {
  const headers = headersOf(about);
  headers.set("apns-unique-id", about.uniqueId);
  headers.set("push2-unique-id", about.uniqueId);
  return new Response(null, { status: 200, headers });
}

/** An error with its reason. */
export function refused(reason: Reason, about: ReplyAbout): Response {
  const headers = headersOf(about);
  headers.set("content-type", "application/json");
  if (reason === "MethodNotAllowed") headers.set("allow", "POST");
  return new Response(JSON.stringify({ reason }), { status: REASONS[reason], headers });
}

function headersOf({ id, version }: ReplyAbout): Headers {
  const headers = new Headers({ "apns-id": id, "push2-id": id });
  if (version !== "2") headers.set("service-warning", HTTP1_WARNING);
  return headers;
}

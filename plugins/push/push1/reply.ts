/**
 * Responses of FCM HTTP v1: a name, or an error of the `google.rpc` form
 * (https://firebase.google.com/docs/reference/fcm/rest/v1/ErrorCode, https://cloud.google.com/apis/design/errors).
 */
import { textResponse, vendorJson } from "../../../core/http/reply.ts";
import type { Violation } from "../../../core/codec/json_fields.ts";
import type { Refusal } from "../../../core/plugin.ts";
import type { Env } from "./options.ts";

/** A refusal. */
export interface VendorRefusal {
  readonly code: number;
  readonly message: string;
  readonly status: string;
  readonly details?: readonly Readonly<Record<string, unknown>>[];
}

const OAUTH =
  "Expected OAuth 2 access token, login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.";

/** Refusals with fixed texts. */
export const REFUSALS = {
  noCredentials: unauthenticated(
    `Request is missing required authentication credential. ${OAUTH}`,
    "CREDENTIALS_MISSING",
  ),
  wrongCredentials: unauthenticated(
    `Request had invalid authentication credentials. ${OAUTH}`,
    "ACCESS_TOKEN_TYPE_UNSUPPORTED",
  ),
} as const satisfies Readonly<Record<string, VendorRefusal>>;

/** The refusal of a token that is no longer valid. */
export const UNREGISTERED: VendorRefusal = {
  code: 404,
  message: "Requested entity was not found.",
  status: "NOT_FOUND",
  details: [{
    "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
    errorCode: "UNREGISTERED",
  }],
};

const STATUSES: Readonly<Record<Refusal["kind"], string>> = {
  too_large: "INVALID_ARGUMENT",
  bad_encoding: "INVALID_ARGUMENT",
  method_not_allowed: "UNIMPLEMENTED",
  busy: "UNAVAILABLE",
  unavailable: "UNAVAILABLE",
  internal: "INTERNAL",
};

/** Returns a refusal of core, in the vendor's terms. */
export function toVendorRefusal({ kind, status, message }: Refusal): VendorRefusal {
  return { code: status, message, status: STATUSES[kind] };
}

/** Returns the refusal of an invalid request; clients look for the `FcmError` first. */
export function invalidArgument(violations: readonly Violation[]): VendorRefusal {
  return {
    code: 400,
    message: violations.map(({ message }) => message).join("\n"),
    status: "INVALID_ARGUMENT",
    details: [
      {
        "@type": "type.googleapis.com/google.rpc.BadRequest",
        fieldViolations: violations.map(({ field, message }) => ({
          ...(field !== "" && { field }),
          description: message,
        })),
      },
      {
        "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
        errorCode: "INVALID_ARGUMENT",
      },
    ],
  };
}

/** Longest recorded message, in characters; it can quote the request many times. */
const MAX_REASON = 300;

/** `{"error":{"code","message","status","details"}}`, recorded with its message. */
export function refuse(refusal: VendorRefusal, env: Pick<Env, "reject">): Response {
  const message = refusal.message.slice(0, MAX_REASON).toWellFormed();
  env.reject({ status: refusal.code, reason: `Answered ${refusal.code}: ${message}` });
  const response = answer({ error: refusal }, refusal.code);
  if (refusal.code === 401) {
    response.headers.set("www-authenticate", 'Bearer realm="https://accounts.google.com/"');
  }
  return response;
}

/**
 * Refuses the batch call as the vendor does since its removal
 * (https://firebase.google.com/support/faq#fcm-23-deprecation): with an HTML page.
 */
export function refuseBatch(env: Pick<Env, "reject">): Response {
  env.reject({
    status: 404,
    reason: "Answered 404: the vendor has shut down POST /batch; send one message per request, " +
      "as sendEach and sendEachForMulticast of the SDKs do",
  });
  const page = "<!DOCTYPE html>\n<html lang=en>\n<title>Error 404 (Not Found)!!1</title>\n" +
    "<p>The requested URL <code>/batch</code> was not found on this server.\n";
  const headers = { "content-type": "text/html; charset=UTF-8" };
  return textResponse(page, { status: 404, headers });
}

/** Returns a successful response. */
export function answer(body: unknown, status = 200, headers: HeadersInit = {}): Response {
  const all = { "content-type": "application/json; charset=UTF-8", ...headers };
  return vendorJson(body, { status, headers: all });
}

function unauthenticated(message: string, reason: string): VendorRefusal {
  return {
    code: 401,
    message,
    status: "UNAUTHENTICATED",
    details: [{
      "@type": "type.googleapis.com/google.rpc.ErrorInfo",
      reason,
      domain: "googleapis.com",
      metadata: {
        method: "google.firebase.fcm.v1.FcmService.SendMessage",
        service: "fcm.googleapis.com",
      },
    }],
  };
}

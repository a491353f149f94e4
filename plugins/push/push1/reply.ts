/**
 * Answers of FCM HTTP v1: a name, or an error of the `google.rpc` form
 * (https://firebase.google.com/docs/reference/fcm/rest/v1/ErrorCode, https://cloud.google.com/apis/design/errors).
 *
 * @module
 */
import type { Violation } from "./read.ts";

/** An error before it is written out. */
export interface ApiFault {
  readonly code: number;
  readonly message: string;
  readonly status: string;
  readonly details?: readonly Readonly<Record<string, unknown>>[];
}

const OAUTH =
  "Expected OAuth 2 access token, login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.";

/** A call without credentials while one is asked for. */
export const MISSING_CREDENTIALS: ApiFault = unauthenticated(
  `Request is missing required authentication credential. ${OAUTH}`,
  "CREDENTIALS_MISSING",
);

/** A call with credentials other than the ones asked for. */
export const WRONG_CREDENTIALS: ApiFault = unauthenticated(
  `Request had invalid authentication credentials. ${OAUTH}`,
  "ACCESS_TOKEN_TYPE_UNSUPPORTED",
);

/** A request that cannot be used; clients look for the `FcmError` first. */
export function invalidArgument(violations: readonly Violation[]): ApiFault {
  return {
    code: 400,
    message: violations.map(({ description }) => description).join("\n"),
    status: "INVALID_ARGUMENT",
    details: [
      {
        "@type": "type.googleapis.com/google.rpc.BadRequest",
        fieldViolations: violations.map(({ field, description }) => ({
          ...(field === "" ? {} : { field }),
          description,
        })),
      },
      {
        "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
        errorCode: "INVALID_ARGUMENT",
      },
    ],
  };
}

/** Writes an error out. */
export function refusal(fault: ApiFault, headers: HeadersInit = {}): Response {
  const all = new Headers(headers);
  if (fault.code === 401) {
    all.set("www-authenticate", 'Bearer realm="https://accounts.google.com/"');
  }
  return answer({ error: fault }, fault.code, all);
}

/** A successful answer. */
export function answer(body: unknown, status = 200, headers: HeadersInit = {}): Response {
  const all = new Headers(headers);
  all.set("content-type", "application/json; charset=UTF-8");
  return new Response(JSON.stringify(body), { status, headers: all });
}

function unauthenticated(message: string, reason: string): ApiFault {
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

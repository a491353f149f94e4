/** Faults of FCM HTTP v1, in its terms. */
import { onDemand } from "../../../core/on_demand.ts";
import { defineOptions, integer } from "../../../core/options/spec.ts";
import {
  type FaultyCall,
  type HttpFaults,
  type HttpOutcome,
  httpOutcome,
} from "../../../core/plugin.ts";
import type { PushState } from "../capture.ts";
import type { OPTIONS } from "./options.ts";
import { refuse, UNREGISTERED, type VendorRefusal } from "./reply.ts";
import type { Store } from "./store.ts";

const called = onDemand(() => import("./subjects.ts"));

const CODES = "https://firebase.google.com/docs/reference/fcm/rest/v1/ErrorCode";
const FCM_ERROR = "type.googleapis.com/google.firebase.fcm.v1.FcmError";

function refusal(
  errorCode: string,
  { code, status, message }: Omit<VendorRefusal, "details">,
): VendorRefusal {
  return { code, message, status, details: [{ "@type": FCM_ERROR, errorCode }] };
}

type Call = Pick<FaultyCall<typeof OPTIONS, PushState, Store>, "env">;

function outcome(
  given: { readonly id: string; readonly about: string; readonly source?: string },
  words: VendorRefusal,
): HttpOutcome<typeof OPTIONS, PushState, Store> {
  return { source: CODES, ...given, answer: ({ env }: Call) => refuse(words, env) };
}

/** Outcomes of a send. */
export const FAULTS: HttpFaults<typeof OPTIONS, PushState, Store> = {
  phases: { capture: "A message to send: payload is the push" },
  subjects: called("subjectsOf"),
  outcomes: [
    outcome(
      { id: "unregistered", about: "404, UNREGISTERED: the token is no longer valid" },
      UNREGISTERED,
    ),
    httpOutcome({
      id: "quota",
      about: "429, QUOTA_EXCEEDED, with Retry-After",
      // The message for a topic, the only one published; the vendor documents the code and the
      // header.
      source: "https://github.com/binwiederhier/ntfy/issues/289",
      params: defineOptions({
        retry_after: integer("Seconds until a request is accepted again", 60, { max: 86_400 }),
      }),
      answer({ env, with: { retry_after } }) {
        const response = refuse(
          refusal("QUOTA_EXCEEDED", {
            code: 429,
            status: "RESOURCE_EXHAUSTED",
            message: "Topic quota exceeded.",
          }),
          env,
        );
        response.headers.set("retry-after", String(retry_after));
        return response;
      },
    }),
    outcome(
      {
        id: "sender_mismatch",
        about: "403, SENDER_ID_MISMATCH: the token belongs to another project",
        source: "https://github.com/dcai/airnotifier/issues/211",
      },
      refusal("SENDER_ID_MISMATCH", {
        code: 403,
        status: "PERMISSION_DENIED",
        message: "SenderId mismatch",
      }),
    ),
    outcome(
      {
        id: "unavailable",
        about: "503, UNAVAILABLE: the server is overloaded",
        source: "https://github.com/firebase/firebase-admin-node/issues/346",
      },
      refusal("UNAVAILABLE", {
        code: 503,
        status: "UNAVAILABLE",
        message: "The service is currently unavailable.",
      }),
    ),
    outcome(
      {
        id: "server_error",
        about: "500, INTERNAL: an unknown error",
        source: "https://github.com/beste/firebase-php/issues/355",
      },
      refusal("INTERNAL", {
        code: 500,
        status: "INTERNAL",
        message: "Internal error encountered.",
      }),
    ),
    outcome(
      {
        id: "third_party_auth",
        about: "401, THIRD_PARTY_AUTH_ERROR: the key for APNs or web push is wrong",
        source: "https://github.com/Blackjacx/Assist/issues/6",
      },
      refusal("THIRD_PARTY_AUTH_ERROR", {
        code: 401,
        status: "UNAUTHENTICATED",
        message: "Auth error from APNS or Web Push Service",
      }),
    ),
  ],
};

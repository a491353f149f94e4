/**
 * Refusals of a push service. Endpoints under `/wpush` answer as Mozilla's service does
 * (https://mozilla-services.github.io/autopush-rs/errors.html), those under `/fcm` and `/wp` as Google's does.
 */
import { STATUS_TEXT } from "@std/http/status";
import type { Refusal } from "../../../core/plugin.ts";

/** A refusal, in the words of the vendors. */
export interface VendorRefusal {
  readonly status: number;
  /** Mozilla's error number; `null` if it has none. */
  readonly errno: number | null;
  readonly message: string;
  /** Google's complete response, if one is published. */
  readonly google?: { readonly status: number; readonly text: string };
}

/** https://github.com/web-push-libs/webpush-java/issues/212 */
const GOOGLE_KEY = {
  status: 403,
  text:
    "the VAPID credentials in the authorization header do not correspond to the credentials used to create the subscriptions.",
};

/** Refusals with fixed texts. */
export const REFUSALS = {
  noTtl: badRequest("Missing TTL value", 111),
  unknownEndpoint: {
    status: 404,
    errno: 102,
    message: "Invalid token",
    // https://github.com/pushpad/web-push/issues/14
    google: {
      status: 404,
      text:
        "A valid push subscription endpoint should be specified in the URL as such: https://fcm.googleapis.com/wp/dHIoDxE7Hdg:APA91bH1Zj0kNa...",
    },
  },
  gone: {
    status: 410,
    errno: 106,
    message: "No such subscription",
    // https://github.com/Tech4covid19/trackovid19-backend/issues/141
    google: { status: 410, text: "push subscription has unsubscribed or expired." },
  },
  tooLarge: { status: 413, errno: 104, message: "Payload reached size limit." },
  noMessage: { status: 404, errno: null, message: "Invalid message ID" },
} as const satisfies Readonly<Record<string, VendorRefusal>>;

/** Returns the refusal of a malformed request. */
export function badRequest(message: string, errno: number | null): VendorRefusal {
  return { status: 400, errno, message };
}

/** Returns the refusal of a VAPID header. */
export function unauthorized(message: string): VendorRefusal {
  return { status: 401, errno: 109, message, google: GOOGLE_KEY };
}

/** Returns a refusal of core, in the vendors' terms. */
export function toVendorRefusal({ kind, status, message }: Refusal): VendorRefusal {
  if (kind === "too_large") return REFUSALS.tooLarge;
  return { status, errno: status >= 500 ? 201 : null, message };
}

/** Returns the reason phrase of a status. */
export function phraseOf(status: number): string {
  return (STATUS_TEXT as Readonly<Record<number, string>>)[status] ?? "";
}

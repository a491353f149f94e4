/** Refusals in the words of the vendor's own server: https://github.com/tdlib/telegram-bot-api */
import type { Refusal } from "../../../core/plugin.ts";
import { Refused } from "../../../core/result.ts";

/** A refusal. */
export interface VendorRefusal {
  readonly status: number;
  readonly description: string;
  /** Seconds until the next try. */
  readonly retryAfter?: number;
}

/** Refusals with fixed texts. */
export const REFUSALS = {
  badToken: { status: 401, description: "Unauthorized: invalid token specified" },
  wrongToken: { status: 401, description: "Unauthorized" },
  unknownMethod: { status: 404, description: "Not Found: method not found" },
  otherPoll: {
    status: 409,
    description: "Conflict: terminated by other getUpdates request; " +
      "make sure that only one bot instance is running",
  },
  webhookActive: {
    status: 409,
    description: "Conflict: can't use getUpdates method while webhook is active; " +
      "use deleteWebhook to delete the webhook first",
  },
} as const satisfies Readonly<Record<string, VendorRefusal>>;

const CORE: Readonly<Record<Refusal["kind"], VendorRefusal>> = {
  too_large: { status: 413, description: "Request Entity Too Large" },
  method_not_allowed: { status: 405, description: "Method Not Allowed" },
  bad_encoding: { status: 400, description: "Bad Request: can't parse request" },
  busy: { status: 429, description: "Too Many Requests: retry after 1", retryAfter: 1 },
  unavailable: { status: 502, description: "Bad Gateway" },
  internal: { status: 500, description: "Internal Server Error" },
};

/** Returns a refusal of core, in the vendor's form. */
export function toVendorRefusal({ kind }: Refusal): VendorRefusal {
  return CORE[kind];
}

/** Throws the refusal of a bad request. */
export function fail(reason: string): never {
  return refuseWith({ status: 400, description: `Bad Request: ${reason}` });
}

/** Throws a refusal. */
export function refuseWith(refusal: VendorRefusal): never {
  throw new Refused<VendorRefusal>(refusal);
}

/** Refusals of the vendor: https://docs.discord.com/developers/topics/opcodes-and-status-codes#json */
import type { Refusal } from "../../../core/plugin.ts";
import { Refused } from "../../../core/result.ts";

/** A fault of one field. */
export interface FieldFault {
  /** Names and indices from the root of the body; `_` for the body itself. */
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

/** A refusal. */
export interface VendorRefusal {
  readonly status: number;
  /** 0 if the vendor has no number. */
  readonly code: number;
  readonly message: string;
  readonly faults?: readonly FieldFault[];
}

/** Refusals with fixed texts. */
export const REFUSALS = {
  notFound: { status: 404, code: 0, message: "404: Not Found" },
  unknownMessage: { status: 404, code: 10008, message: "Unknown Message" },
  unknownWebhook: { status: 404, code: 10015, message: "Unknown Webhook" },
  wrongToken: { status: 401, code: 50027, message: "Invalid Webhook Token" },
  empty: { status: 400, code: 50006, message: "Cannot send an empty message" },
  badJson: { status: 400, code: 50109, message: "The request body contains invalid JSON." },
  badType: {
    status: 400,
    code: 50035,
    message: 'Expected "Content-Type" header to be one of ' +
      "{'application/x-www-form-urlencoded', 'application/json', 'multipart/form-data'}.",
  },
  bothThreads: {
    status: 400,
    code: 220002,
    message: "Webhooks posted to forum channels cannot have both a thread_name and thread_id",
  },
} as const satisfies Readonly<Record<string, VendorRefusal>>;

const CORE: Readonly<Record<Refusal["kind"], VendorRefusal>> = {
  too_large: { status: 413, code: 40005, message: "Request entity too large" },
  method_not_allowed: { status: 405, code: 0, message: "405: Method Not Allowed" },
  bad_encoding: REFUSALS.badJson,
  busy: { status: 429, code: 0, message: "You are being rate limited." },
  unavailable: { status: 503, code: 0, message: "503: Service Unavailable" },
  internal: { status: 500, code: 0, message: "500: Internal Server Error" },
};

/** Returns a refusal of core, in the vendor's form. */
export function toVendorRefusal({ kind }: Refusal): VendorRefusal {
  return CORE[kind];
}

/** Returns the refusal of a body with faults. */
export function invalidForm(faults: readonly FieldFault[]): VendorRefusal {
  return { status: 400, code: 50035, message: "Invalid Form Body", faults };
}

/** Throws a refusal, which `attempt()` returns. */
export function fail(refusal: VendorRefusal): never {
  throw new Refused<VendorRefusal>(refusal);
}

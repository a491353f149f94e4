import type { Refusal } from "../../../core/plugin.ts";
import { Refused } from "../../../core/result.ts";

/** A refusal. */
export interface VendorRefusal {
  /** An error code of the vendor, such as `no_text`. */
  readonly error: string;
  /** Error details with places in the blocks, in the vendor's words. */
  readonly details?: readonly string[];
  /** Status for a webhook, by default 400; the Web API answers 200. */
  readonly status?: number;
}

const API_ERRORS: Readonly<Record<Refusal["kind"], string>> = {
  too_large: "msg_too_long",
  method_not_allowed: "method_not_allowed",
  bad_encoding: "invalid_form_data",
  // https://docs.slack.dev/apis/web-api/rate-limits
  busy: "ratelimited",
  unavailable: "service_unavailable",
  internal: "internal_error",
};
const WEBHOOK_ERRORS: Readonly<Record<Refusal["kind"], string>> = {
  too_large: "payload_too_large",
  method_not_allowed: "method_not_allowed",
  bad_encoding: "invalid_payload",
  busy: "rate_limited",
  unavailable: "service_unavailable",
  internal: "rollup_error",
};

/** Returns the refusal of core in the words of the Web API or of webhooks. */
export function toVendorRefusal(
  { kind, status }: Refusal,
  { isApi }: { readonly isApi: boolean },
): VendorRefusal {
  return {
    error: (isApi ? API_ERRORS : WEBHOOK_ERRORS)[kind],
    status: kind === "busy" ? 429 : status,
  };
}

/** Throws a refusal, which `attempt()` and the methods of the Web API return. */
export function fail(error: string, details: readonly string[] = []): never {
  throw new Refused<VendorRefusal>({ error, details });
}

/** Throws the refusal of a call without a required argument. */
export function failMissing(name: string): never {
  return fail("invalid_arguments", [`missing required field: ${name}`]);
}

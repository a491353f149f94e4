import type { Refusal } from "../../../core/plugin.ts";

/** A refusal. */
export interface VendorRefusal {
  /** One of the vendor's words, such as `no_text`. */
  readonly error: string;
  /** Places in the blocks, as the vendor words them. */
  readonly details?: readonly string[];
  /** For a webhook 400 unless given; the Web API answers 200. */
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

/** A refusal of core, in the words of the Web API or of webhooks. */
export function toVendorRefusal(
  { kind, status }: Refusal,
  { isApi }: { readonly isApi: boolean },
): VendorRefusal {
  return {
    error: (isApi ? API_ERRORS : WEBHOOK_ERRORS)[kind],
    status: kind === "busy" ? 429 : status,
  };
}

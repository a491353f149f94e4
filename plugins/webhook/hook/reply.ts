import { textResponse, vendorJson } from "../../../core/http/reply.ts";
import type { Refusal } from "../../../core/plugin.ts";
import type { WebhookAnswer } from "../model.ts";
import type { Env } from "./options.ts";

/** A refusal, in the words of core because there is no vendor. */
export type VendorRefusal = Pick<Refusal, "status" | "message">;

/** Returns the refusal of core unchanged. */
export function toVendorRefusal({ status, message }: Refusal): VendorRefusal {
  return { status, message };
}

/** The scripted response. */
export function answer({ status, headers, body }: Omit<WebhookAnswer, "name">): Response {
  return body === ""
    ? new Response(null, { status, headers })
    : textResponse(body, { status, headers });
}

/** `{"error": "..."}` */
export function refuse({ status, message }: VendorRefusal, env: Pick<Env, "reject">): Response {
  env.reject({ status, reason: message });
  return vendorJson({ error: message }, { status });
}

import type { Refusal } from "../../../core/plugin.ts";
import type { WebhookAnswer } from "../model.ts";
import type { Env } from "./options.ts";

/** A refusal, in the words of core because there is no vendor. */
export type VendorRefusal = Pick<Refusal, "status" | "message">;

/** Returns the refusal of core unchanged. */
export function toVendorRefusal({ status, message }: Refusal): VendorRefusal {
  return { status, message };
}

/** The scripted answer. */
export function answer({ status, headers, body }: Omit<WebhookAnswer, "name">): Response {
  return new Response(body === "" ? null : body, { status, headers });
}

/** `{"error": "..."}` */
export function refuse({ status, message }: VendorRefusal, env: Pick<Env, "reject">): Response {
  env.reject({ status, reason: message });
  return Response.json({ error: message }, { status });
}

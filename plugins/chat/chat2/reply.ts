import type { Refusal } from "../../../core/plugin.ts";
import type { Env } from "./options.ts";

/** A refusal. */
export interface VendorRefusal {
  readonly status: number;
  readonly message: string;
}

/** Refusals with fixed texts. */
export const REFUSALS = {
  badUrl: { status: 404, message: "Invalid webhook URL" },
  badPayload: { status: 400, message: "Bad payload received by generic incoming webhook." },
  nothing: { status: 400, message: "Summary or Text is required." },
} as const satisfies Readonly<Record<string, VendorRefusal>>;

/** A refusal of core, in the vendor's form. */
export function toVendorRefusal({ kind, status, message }: Refusal): VendorRefusal {
  return { status: kind === "busy" ? 429 : status, message };
}

/** Clients of connectors compare the body with "1"; those of workflows expect 202 without a body. */
export function answer(generation: "connector" | "workflow"): Response {
  return generation === "connector" ? plain(200, "1") : new Response(null, { status: 202 });
}

/** A refusal: one sentence. */
export function refuse({ status, message }: VendorRefusal): Response {
  return plain(status, message);
}

/** Adds a request id: Symfony's notifier treats an answer without one as a failure (MicrosoftTeamsTransport.php). */
export function identify(response: Response, { ctx }: Env): Response {
  response.headers.set("request-id", ctx.uuid());
  return response;
}

function plain(status: number, body: string): Response {
  return new Response(body, { status, headers: { "content-type": "text/plain; charset=utf-8" } });
}

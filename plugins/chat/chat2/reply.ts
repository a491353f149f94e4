/** What the vendor answers; every answer is numbered by `identify`. */
import type { Refusal } from "../../../core/plugin.ts";
import type { Env } from "./options.ts";

/** What a refusal is made of. */
export interface VendorRefusal {
  readonly status: number;
  readonly message: string;
}

/** Refusals that say the same every time. */
export const REFUSALS = {
  badUrl: { status: 404, message: "Invalid webhook URL" },
  badPayload: { status: 400, message: "Bad payload received by generic incoming webhook." },
  nothing: { status: 400, message: "Summary or Text is required." },
} as const satisfies Readonly<Record<string, VendorRefusal>>;

/** What core refuses, in the vendor's form. */
export function toVendorRefusal({ kind, status, message }: Refusal): VendorRefusal {
  return { status: kind === "busy" ? 429 : status, message };
}

/** Clients of connectors compare the body with "1"; those of workflows want 202 with none. */
export function answer(generation: "connector" | "workflow"): Response {
  return generation === "connector" ? plain(200, "1") : new Response(null, { status: 202 });
}

/** A refusal: one sentence. */
export function refuse({ status, message }: VendorRefusal): Response {
  return plain(status, message);
}

/** Every answer is numbered: the notifier of Symfony takes one that is not for a failure (MicrosoftTeamsTransport.php). */
export function identify(response: Response, { ctx }: Env): Response {
  response.headers.set("request-id", ctx.uuid());
  return response;
}

function plain(status: number, body: string): Response {
  return new Response(body, { status, headers: { "content-type": "text/plain; charset=utf-8" } });
}

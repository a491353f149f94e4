import { textResponse, vendorJson } from "../../../core/http/reply.ts";
import type { Refusal } from "../../../core/plugin.ts";
import type { Env } from "./options.ts";

/** A refusal. */
export interface VendorRefusal {
  readonly status: number;
  readonly message: string;
  /** Whether the address is of a workflow, which is answered in JSON. */
  readonly code?: string;
}

/** Refusals with fixed texts. */
export const REFUSALS = {
  badUrl: { status: 404, message: "Invalid webhook URL" },
  badPayload: { status: 400, message: "Bad payload received by generic incoming webhook." },
  nothing: { status: 400, message: "Summary or Text is required." },
  // As reported by callers of Logic Apps: https://github.com/Azure/logicapps/issues/624
  noVersion: {
    status: 400,
    code: "MissingApiVersionParameter",
    message: "The api-version query parameter (?api-version=) is required for all requests.",
  },
  noSignature: {
    status: 401,
    code: "DirectApiAuthorizationRequired",
    message: "The request must be authenticated only by Shared Access scheme.",
  },
  badContent: {
    status: 400,
    code: "InvalidRequestContent",
    message: "The request content is not valid and could not be deserialized.",
  },
} as const satisfies Readonly<Record<string, VendorRefusal>>;

/** Returns a refusal of core, in the vendor's form. */
export function toVendorRefusal({ kind, status, message }: Refusal): VendorRefusal {
  return { status: kind === "busy" ? 429 : status, message };
}

/** Clients of connectors compare the body with "1"; those of workflows expect 202 without a body. */
export function answer(generation: "connector" | "workflow"): Response {
  return generation === "connector" ? plain(200, "1") : new Response(null, { status: 202 });
}

/** Returns a refusal: one sentence, or for a workflow an object with its code. */
export function refuse({ status, message, code }: VendorRefusal): Response {
  if (code === undefined) return plain(status, message);
  return vendorJson({ error: { code, message } }, { status });
}

/**
 * Adds a request id, under the names of connectors and of workflows. Symfony's notifier treats a
 * response without one as a failure (MicrosoftTeamsTransport.php).
 */
export function identify(response: Response, { ctx }: Env): Response {
  const id = ctx.uuid();
  response.headers.set("request-id", id);
  response.headers.set("x-ms-request-id", id);
  return response;
}

function plain(status: number, body: string): Response {
  return textResponse(body, { status, headers: { "content-type": "text/plain; charset=utf-8" } });
}

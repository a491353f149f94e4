import type { IngressCall } from "../../../core/plugin.ts";
import { compact } from "../../../core/compact.ts";
import { byName, readContent } from "../body.ts";
import type { WebhookRequest } from "../model.ts";

/** The captured request, without the status of its response, and the faults of its body. */
export interface ReadRequest {
  readonly request: Omit<WebhookRequest, "status">;
  readonly warnings: readonly string[];
}

/** Parses any request. Never fails: unparsable content is only in the raw body. */
export function readRequest(
  call: Pick<IngressCall, "method" | "target" | "params" | "query" | "headers" | "body">,
): ReadRequest {
  const { name = "", rest } = call.params;
  const { warnings, ...content } = readContent(call.body, call.headers.get("content-type"));
  return {
    request: {
      name,
      method: call.method,
      path: call.target,
      ...compact({ rest }),
      query: byName(call.query),
      headers: Object.fromEntries(call.headers),
      size: call.body.length,
      ...content,
    },
    warnings,
  };
}

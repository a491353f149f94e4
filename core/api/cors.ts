/**
 * CORS (Fetch Standard): pages of the configured origins may read the API with `GET` and `HEAD`. Without such origins no
 * response has a CORS header.
 *
 * @module
 */
import type { HttpCall } from "../http/call.ts";
import { API_BASE } from "./openapi.ts";

/** Request headers that readers need and a browser asks permission for. */
const REQUEST_FIELDS = "Authorization, If-None-Match, If-Range, Last-Event-ID, Range";
/** Response headers that a page may see in addition to the usual ones. */
const ANSWER_FIELDS = "Content-Disposition, Content-Range, ETag";
/** Time that a browser may cache the permission. */
const MAX_AGE_SECONDS = 600;

/** CORS rules of the configured origins. */
export interface Readers {
  /** Returns the origin of a page that may read the response to this request, or `undefined`. */
  originOf(call: HttpCall): string | undefined;
  /** Answers a preflight request; `undefined` for any other request. */
  preflight(call: HttpCall): Response | undefined;
  /** Adds the CORS headers to a response; `origin` is absent for other callers. */
  admit(headers: Headers, origin: string | undefined): void;
}

/** Creates the rules for these origins, as browsers send them. */
export function createReaders(origins: readonly string[]): Readers {
  const known = new Set(origins);
  const originOf = (call: HttpCall): string | undefined => {
    const origin = call.headers.get("origin");
    const isRead = call.path.startsWith(`${API_BASE}/`) && reads(wantedMethod(call));
    return isRead && origin !== null && known.has(origin) ? origin : undefined;
  };
  return {
    originOf,
    preflight(call) {
      if (call.method !== "OPTIONS" || originOf(call) === undefined) return undefined;
      return new Response(null, {
        status: 204,
        headers: {
          "access-control-allow-methods": "GET, HEAD",
          "access-control-allow-headers": REQUEST_FIELDS,
          "access-control-max-age": String(MAX_AGE_SECONDS),
        },
      });
    },
    admit(headers, origin) {
      if (known.size > 0) headers.append("vary", "Origin");
      if (origin === undefined) return;
      headers.set("access-control-allow-origin", origin);
      headers.set("access-control-expose-headers", ANSWER_FIELDS);
    },
  };
}

/** Returns the method of the request, or of the one that a preflight announces. */
function wantedMethod({ method, headers }: HttpCall): string {
  return method === "OPTIONS" ? headers.get("access-control-request-method") ?? "" : method;
}

function reads(method: string): boolean {
  return method === "GET" || method === "HEAD";
}

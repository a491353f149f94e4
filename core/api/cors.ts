/**
 * Pages of other origins that may read (Fetch Standard, "CORS protocol"): the read-back API answers their `GET` and
 * `HEAD`, and nothing else. Without such origins no answer bears a field of CORS.
 *
 * @module
 */
import type { HttpCall } from "../http/call.ts";
import { API_BASE } from "./openapi.ts";

/** Fields of a request that a browser asks leave for, and that a reader needs. */
const REQUEST_FIELDS = "Authorization, If-None-Match, If-Range, Last-Event-ID, Range";
/** Fields of an answer that a page sees besides those that it always sees. */
const ANSWER_FIELDS = "Content-Disposition, Content-Range, ETag";
/** How long a browser need not ask again. */
const MAX_AGE_SECONDS = 600;

/** Who may read from other origins, and how they are told. */
export interface Readers {
  /** The origin of a page that may have this request answered, or `undefined`. */
  originOf(call: HttpCall): string | undefined;
  /** The answer to a browser that asks before it sends a request, or `undefined` for any other request. */
  preflight(call: HttpCall): Response | undefined;
  /** Lets the page see the answer; `origin` is absent for any other caller. */
  admit(headers: Headers, origin: string | undefined): void;
}

/** Readers by their origins, written as browsers send them. */
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

/** What is asked for: before a request that needs leave, a browser asks with `OPTIONS`. */
function wantedMethod({ method, headers }: HttpCall): string {
  return method === "OPTIONS" ? headers.get("access-control-request-method") ?? "" : method;
}

function reads(method: string): boolean {
  return method === "GET" || method === "HEAD";
}

/**
 * Access of pages in a browser to the store (Fetch Standard, "CORS protocol"). The rules of the bucket decide. For a
 * bucket without rules, pages of this machine are allowed, and those of the settings.
 *
 * @module
 */
import type { HttpCall } from "../../../core/http/call.ts";
import { isLocalOrigin } from "../../../core/http/host.ts";
import { parseSetting } from "../catalog/settings.ts";
import { CORS_METHODS, type CorsAsk, findCorsRule, toCorsRules } from "../codec/cors.ts";
import { readCopySource } from "../codec/target.ts";
import { S3Error } from "../errors.ts";
import { empty } from "./reply.ts";
import { bucketOfHost, type S3Env, targetOf } from "./request.ts";

/** Permissions of a page. */
interface Grant {
  /** `*` if the rule allows every origin. */
  readonly origin: string;
  readonly methods: readonly string[];
  /** Header fields of the response that the page may read; by default all. */
  readonly exposed?: readonly string[];
  readonly maxAge?: string | undefined;
}

/** Returns whether a page of another site may send this request. Requests for images and links have no `Origin`. */
export function admitsPage(call: HttpCall, env: S3Env): boolean {
  const { headers } = call;
  // Only the store has names under the configured domain, so the request is meant for it.
  if (!headers.has("origin") && headers.get("sec-fetch-site") !== "cross-site") {
    if (bucketOfHost(call, env) !== undefined) return true;
  }
  const origin = headers.get("origin") ?? URL.parse(headers.get("referer") ?? "")?.origin;
  if (origin === undefined) return false;
  const ask = readAsk(call, origin);
  if (findGrant(env, targetOf(call, env)?.bucket, ask) === undefined) return false;
  // A copy would show the page an object of another bucket.
  const source = readCopySource(headers.get("x-amz-copy-source") ?? "");
  return source === undefined ||
    findGrant(env, source.bucket, { origin, method: "GET", headers: [] }) !== undefined;
}

/** Answers a preflight request. Throws `BadRequest` and `AccessForbidden`. */
export function preflight(call: HttpCall, env: S3Env): Response {
  const { headers } = call;
  const origin = headers.get("origin");
  const method = headers.get("access-control-request-method");
  if (origin === null || method === null) {
    throw new S3Error("BadRequest", "Cannot answer OPTIONS without Origin and request method");
  }
  if (findGrant(env, targetOf(call, env)?.bucket, readAsk(call, origin)) !== undefined) {
    return empty(200);
  }
  throw new S3Error(
    "AccessForbidden",
    `Cannot allow ${method} to a page of origin "${origin}": no CORS rule of the bucket does`,
  );
}

/** Adds the header fields that describe the page's permissions to the browser. */
export function admitPage(answer: Headers, call: HttpCall, env: S3Env): void {
  const origin = call.headers.get("origin");
  if (origin === null && !call.headers.has("sec-fetch-mode")) return;
  // Also for images and links: the browser may later pass the cached response to a page.
  answer.append("vary", VARY);
  if (origin === null) return;
  const ask = readAsk(call, origin);
  const grant = findGrant(env, targetOf(call, env)?.bucket, ask);
  if (grant === undefined) return;
  const exposed = grant.exposed ?? [...answer.keys()];
  answer.set("access-control-allow-origin", grant.origin);
  if (grant.origin !== "*") answer.set("access-control-allow-credentials", "true");
  answer.set("access-control-allow-methods", grant.methods.join(", "));
  if (ask.headers.length > 0) {
    answer.set("access-control-allow-headers", ask.headers.join(", "));
  }
  if (exposed.length > 0) answer.set("access-control-expose-headers", exposed.join(", "));
  if (grant.maxAge !== undefined) answer.set("access-control-max-age", grant.maxAge);
}

const VARY = "Origin, Access-Control-Request-Headers, Access-Control-Request-Method";

function readAsk({ method, headers }: HttpCall, origin: string): CorsAsk {
  const list = headers.get("access-control-request-headers") ?? "";
  const asked = method === "OPTIONS" ? headers.get("access-control-request-method") : method;
  return {
    origin,
    method: asked ?? "",
    headers: list.split(",").map((name) => name.trim().toLowerCase()).filter((name) => name !== ""),
  };
}

function findGrant(env: S3Env, name: string | undefined, ask: CorsAsk): Grant | undefined {
  const text = env.state.catalog.findBucket(name ?? "")?.settings.get("cors");
  if (text === undefined) {
    const welcome = isLocalOrigin(ask.origin) || env.values.cors_origins.includes(ask.origin);
    return welcome ? { origin: ask.origin, methods: CORS_METHODS } : undefined;
  }
  const rule = findCorsRule(toCorsRules(parseSetting(text)!), ask);
  if (rule === undefined) return undefined;
  const { methods, exposed, maxAge } = rule;
  return { origin: rule.origins.includes("*") ? "*" : ask.origin, methods, exposed, maxAge };
}

/** A request to the object store, parsed as far as every operation needs it. */
import { compact } from "../../../core/compact.ts";
import type { HeaderValues, HttpCall } from "../../../core/http/call.ts";
import { hostnameOf, hostOf } from "../../../core/http/host.ts";
import type { ProviderEnv } from "../../../core/plugin.ts";
import type { Actor, S3State } from "../capture.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { Conditions } from "../codec/conditions.ts";
import { readSigner } from "../codec/signature.ts";
import { hostedBucket, readHostedTarget, readTarget, type Target } from "../codec/target.ts";
import { S3Error } from "../errors.ts";
import { withHoisted } from "./presigned.ts";
import type { OPTIONS } from "./options.ts";

/** Environment of the provider. */
export type S3Env = ProviderEnv<typeof OPTIONS, S3State>;

/** One request. */
export interface S3Request {
  /** Including the header fields of its query. */
  readonly call: HttpCall;
  readonly env: S3Env;
  readonly catalog: Catalog;
  /** Bucket and key, decoded. */
  readonly target: Target;
  readonly query: URLSearchParams;
  /** As in the response's `x-amz-request-id`. */
  readonly requestId: string;
  /** The client, for the events of this request. */
  readonly actor: Actor;
}

/** Answers one operation. */
export type Operation = (request: S3Request) => Response | Promise<Response>;

/** Reads a request. Throws `InvalidURI` for an invalid target, and as `withHoisted` does. */
export function readRequest(call: HttpCall, env: S3Env, requestId: string): S3Request {
  const target = targetOf(call, env);
  if (target === undefined) {
    throw new S3Error(
      "InvalidURI",
      `Cannot read the path "${call.path}": it is not percent-encoded UTF-8`,
    );
  }
  const query = new URLSearchParams(call.search);
  return {
    call: query.size === 0 ? call : withHoisted(call, query),
    env,
    catalog: env.state.catalog,
    target,
    query,
    requestId,
    actor: toActor(call, { env, query, requestId }),
  };
}

/** Returns bucket and key, from the host or the path; `undefined` for an invalid path. */
export function targetOf(call: HttpCall, env: Pick<S3Env, "values">): Target | undefined {
  const bucket = bucketOfHost(call, env);
  return bucket === undefined ? readTarget(call.path) : readHostedTarget(bucket, call.path);
}

/** Returns the bucket in the host, if a domain is set. */
export function bucketOfHost(
  call: HttpCall,
  { values }: Pick<S3Env, "values">,
): string | undefined {
  if (values.domain === undefined) return undefined;
  return hostedBucket(hostnameOf(hostOf(call) ?? ""), values.domain);
}

/** Returns the address of an object, under the host of the request. */
export function locationOf(
  call: HttpCall,
  env: Pick<S3Env, "values">,
  { bucket, key }: { readonly bucket: string; readonly key: string },
): string {
  const host = call.headers.get("host") ?? call.local;
  const inPath = bucketOfHost(call, env) === undefined ? [bucket] : [];
  const path = [...inPath, ...key.split("/")].map(encodeURIComponent).join("/");
  return `${call.tls ? "https" : "http"}://${host}/${path}`;
}

/** Returns the client of a request, from its head and query; a form has its query in its fields. */
export function toActor(
  call: HttpCall,
  { env, query, requestId }: Pick<S3Request, "env" | "query" | "requestId">,
): Actor {
  const { auth, accessKey, region } = readSigner(call.headers.get("authorization"), query);
  const userAgent = call.headers.get("user-agent");
  return {
    call,
    accessKey,
    capture: (event) => env.capture(event),
    meta: {
      ...compact({ access_key: accessKey, region }),
      auth,
      ...compact({
        user_agent: userAgent ?? undefined,
        // Notifications name it.
        request_id: env.ctx.callsBack === true ? requestId : undefined,
      }),
    },
  };
}

/** Returns the conditions of a request; those on the source of a copy have a prefix. */
export function readConditions(headers: HeaderValues, prefix = ""): Conditions {
  return {
    match: headers.get(`${prefix}if-match`),
    noneMatch: headers.get(`${prefix}if-none-match`),
    modifiedSince: headers.get(`${prefix}if-modified-since`),
    unmodifiedSince: headers.get(`${prefix}if-unmodified-since`),
  };
}

/** Returns an integer of the query. Throws `InvalidArgument`. */
export function readCount(query: URLSearchParams, name: string, fallback: number): number {
  const text = query.get(name);
  if (text === null || text === "") return fallback;
  const value = /^\d{1,10}$/.test(text) ? Number(text) : NaN;
  if (value <= 2_147_483_647) return value;
  throw new S3Error(
    "InvalidArgument",
    `Cannot read ${name} "${text}": expected an integer from 0 to 2147483647`,
  );
}

/** Parses a time in a header field or element; `undefined` if absent. Throws the code for an invalid date. */
export function readDate(
  name: string,
  text: string | null | undefined,
  code: "InvalidArgument" | "MalformedXML" = "InvalidArgument",
): Date | undefined {
  if (text === null || text === undefined) return undefined;
  const date = new Date(text);
  if (!Number.isNaN(date.getTime())) return date;
  throw new S3Error(code, `Cannot read ${name} "${text}": expected a date`);
}

/** Returns the part number of a request. Throws `InvalidArgument`. */
export function readPartNumber(query: URLSearchParams): number {
  const text = query.get("partNumber") ?? "";
  const value = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= 10_000) return value;
  throw new S3Error(
    "InvalidArgument",
    `Cannot use partNumber "${text}": expected an integer from 1 to 10000`,
  );
}

/** Refuses keys over the length limit. */
export function checkKey(key: string, maxBytes: number): void {
  const bytes = new TextEncoder().encode(key).length;
  if (bytes <= maxBytes) return;
  throw new S3Error(
    "InvalidArgument",
    `Cannot use a key of ${bytes} bytes: at most ${maxBytes} are allowed`,
  );
}

/** A request to the object store, read as far as every operation needs it. */
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
import type { OPTIONS } from "./options.ts";

/** What the provider works with. */
export type S3Env = ProviderEnv<typeof OPTIONS, S3State>;

/** One request. */
export interface S3Request {
  readonly call: HttpCall;
  readonly env: S3Env;
  readonly catalog: Catalog;
  /** Bucket and key, decoded. */
  readonly target: Target;
  readonly query: URLSearchParams;
  /** Who the events of this request name. */
  readonly actor: Actor;
}

/** Answers one kind of request. */
export type Operation = (request: S3Request) => Response | Promise<Response>;

/** Reads a request. Throws `InvalidURI` for a target that cannot be decoded. */
export function readRequest(call: HttpCall, env: S3Env): S3Request {
  const target = targetOf(call, env);
  if (target === undefined) {
    throw new S3Error(
      "InvalidURI",
      `Cannot read the path "${call.path}": it is not percent-encoded UTF-8`,
    );
  }
  const query = new URLSearchParams(call.search);
  return { call, env, catalog: env.state.catalog, target, query, actor: toActor(call, env, query) };
}

/** Bucket and key, by the host or the path. Nothing for a path that cannot be decoded. */
export function targetOf(call: HttpCall, env: Pick<S3Env, "values">): Target | undefined {
  const bucket = bucketOfHost(call, env);
  return bucket === undefined ? readTarget(call.path) : readHostedTarget(bucket, call.path);
}

/** The bucket that the host names, where a domain is set. */
export function bucketOfHost(
  call: HttpCall,
  { values }: Pick<S3Env, "values">,
): string | undefined {
  if (values.domain === undefined) return undefined;
  return hostedBucket(hostnameOf(hostOf(call) ?? ""), values.domain);
}

/** Where an object is, under the host that the client asked. */
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

/** Who a request is of, by its head and the query; a form has in its fields what is the query of others. */
export function toActor(call: HttpCall, env: S3Env, query: URLSearchParams): Actor {
  const { auth, accessKey, region } = readSigner(call.headers.get("authorization"), query);
  const userAgent = call.headers.get("user-agent");
  return {
    call,
    accessKey,
    capture: (event) => env.capture(event),
    meta: {
      ...compact({ access_key: accessKey, region }),
      auth,
      ...compact({ user_agent: userAgent ?? undefined }),
    },
  };
}

/** The conditions of a request; those on the source of a copy have a prefix. */
export function readConditions(headers: HeaderValues, prefix = ""): Conditions {
  return {
    match: headers.get(`${prefix}if-match`),
    noneMatch: headers.get(`${prefix}if-none-match`),
    modifiedSince: headers.get(`${prefix}if-modified-since`),
    unmodifiedSince: headers.get(`${prefix}if-unmodified-since`),
  };
}

/** A whole number of the query. Throws `InvalidArgument`. */
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

/** A moment that a header field or an element names; `undefined` for none. Throws the code for what is no date. */
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

/** The part number of a request. Throws `InvalidArgument`. */
export function readPartNumber(query: URLSearchParams): number {
  const text = query.get("partNumber") ?? "";
  const value = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= 10_000) return value;
  throw new S3Error(
    "InvalidArgument",
    `Cannot use partNumber "${text}": expected an integer from 1 to 10000`,
  );
}

/** Refuses keys over the limit. */
export function checkKey(key: string, maxBytes: number): void {
  const bytes = new TextEncoder().encode(key).length;
  if (bytes <= maxBytes) return;
  throw new S3Error(
    "InvalidArgument",
    `Cannot use a key of ${bytes} bytes: at most ${maxBytes} are taken`,
  );
}

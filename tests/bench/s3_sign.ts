/** Requests to an object store, signed as clients sign them (Signature Version 4, "Authenticating Requests"). */
import { createHash, createHmac } from "node:crypto";

/** Key pair built into s3rver; the others are configured with it. */
export const CREDENTIALS = "S3RVER";
const REGION = "us-east-1";

/** One request before it is signed. */
export interface Unsigned {
  readonly method: string;
  /** Percent-encoded. */
  readonly path: string;
  /** Sorted by name, percent-encoded; empty without a query. */
  readonly query?: string;
  readonly body?: Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Header fields that sign a request, with the digest of its body, as SDKs send over plain HTTP. */
export function sign(host: string, request: Unsigned): Record<string, string> {
  const { method, path, query = "", body = new Uint8Array() } = request;
  const date = new Date().toISOString().replaceAll(/[-:]|\.\d{3}/g, "");
  const day = date.slice(0, 8);
  const digest = bodyDigest(body);
  const headers: Record<string, string> = {
    ...request.headers,
    "x-amz-content-sha256": digest,
    "x-amz-date": date,
  };
  const signed = Object.entries({ ...headers, host }).sort(([a], [b]) => a < b ? -1 : 1);
  const names = signed.map(([name]) => name).join(";");
  const canonical = [
    method,
    path,
    query,
    ...signed.map(([name, value]) => `${name}:${value}`),
    "",
    names,
    digest,
  ].join("\n");
  const scope = `${day}/${REGION}/s3/aws4_request`;
  const text = `AWS4-HMAC-SHA256\n${date}\n${scope}\n${sha256(canonical)}`;
  const signature = createHmac("sha256", signingKey(day)).update(text).digest("hex");
  headers.authorization = `AWS4-HMAC-SHA256 Credential=${CREDENTIALS}/${scope}, ` +
    `SignedHeaders=${names}, Signature=${signature}`;
  return headers;
}

let key: { readonly day: string; readonly bytes: Uint8Array } | undefined;

function signingKey(day: string): Uint8Array {
  if (key?.day === day) return key.bytes;
  let bytes: Uint8Array = new TextEncoder().encode(`AWS4${CREDENTIALS}`);
  for (const part of [day, REGION, "s3", "aws4_request"]) {
    bytes = createHmac("sha256", bytes).update(part).digest();
  }
  key = { day, bytes };
  return bytes;
}

/** By the body itself, because the same few are sent repeatedly. */
const digests = new WeakMap<Uint8Array, string>();

function bodyDigest(body: Uint8Array): string {
  const known = digests.get(body) ?? sha256(body);
  digests.set(body, known);
  return known;
}

function sha256(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}

/**
 * Sends one signed request to `base`. Returns text and ETag of the response; rejects if it is
 * refused.
 */
export async function send(
  base: string,
  request: Unsigned,
): Promise<{ readonly text: string; readonly etag: string }> {
  const { method, path, query = "", body } = request;
  const response = await fetch(`${base}${path}${query === "" ? "" : `?${query}`}`, {
    method,
    headers: sign(new URL(base).host, request),
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  if (response.ok) return { text, etag: response.headers.get("etag") ?? "" };
  throw new Error(`Sent ${method} ${path}: answered ${response.status} ${text.slice(0, 300)}`);
}

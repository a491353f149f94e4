/**
 * Request headers of a push (RFC 8030 section 5), and of its encryption. Faults are those that Mozilla's service
 * reports (https://mozilla-services.github.io/autopush-rs/errors.html).
 */
import { compact } from "../../../core/compact.ts";
import type { HeaderValues } from "../../../core/plugin.ts";
import { Refused } from "../../../core/result.ts";
import type { PushDelivery, PushPriority } from "../model.ts";
import { decodeBase64Url } from "./base64url.ts";
import type { AesgcmHeader } from "./encryption.ts";
import { badRequest, REFUSALS } from "./refusals.ts";

/** Maximum time that a push is kept, in seconds: 60 days. Longer times count as this. */
const MAX_TTL = 60 * 24 * 60 * 60;
/** Longest topic, in characters (RFC 8030 section 5.4). */
const MAX_TOPIC = 32;

/** RFC 8030 section 5.3. */
const URGENCIES: Readonly<Record<string, PushPriority>> = {
  "very-low": "low",
  low: "low",
  normal: "normal",
  high: "high",
};

/** How the payload is encrypted. */
export type Coding =
  | { readonly name: "none" }
  | { readonly name: "aes128gcm" }
  | { readonly name: "aesgcm"; readonly header: AesgcmHeader };

/** The headers of a push. */
export interface PushHeaders {
  /** Seconds, after the cut to {@link MAX_TTL}. */
  readonly ttl: number;
  readonly delivery: PushDelivery;
  readonly coding: Coding;
  /** Whether a receipt is requested (RFC 8030 section 5.1). */
  readonly wantsReceipt: boolean;
}

/** Reads the headers. Throws {@link Refused}. */
export function readHeaders(headers: HeaderValues, hasBody: boolean): PushHeaders {
  const ttl = readTtl(headers.get("ttl"));
  const coding = hasBody ? readCoding(headers) : { name: "none" } as const;
  const topic = readTopic(headers.get("topic"));
  const urgency = headers.get("urgency") ?? undefined;
  // RFC 8030 section 5.3: several values are a bad request.
  if (urgency?.includes(",")) throw new Refused(badRequest("Invalid Urgency header", null));
  return {
    ttl,
    coding,
    delivery: compact({
      priority: urgency === undefined ? undefined : URGENCIES[urgency.toLowerCase()],
      priority_raw: urgency,
      collapse_key: topic,
      expiry: { ttl_seconds: ttl, immediate: ttl === 0, raw: headers.get("ttl") ?? "" },
    }),
    wantsReceipt: prefersAsync(headers.get("prefer")),
  };
}

/** RFC 8030 section 5.2: a request without it is a bad request. */
function readTtl(text: string | null): number {
  const trimmed = text?.trim() ?? "";
  if (!/^[+-]?\d+$/.test(trimmed)) throw new Refused(REFUSALS.noTtl);
  const seconds = Number(trimmed);
  if (seconds < 0) throw new Refused(badRequest("TTL must be greater than 0", 114));
  return Math.min(seconds, MAX_TTL);
}

function readTopic(topic: string | null): string | undefined {
  if (topic === null) return undefined;
  if (topic.length > MAX_TOPIC) {
    throw new Refused(badRequest("Topic must be no greater than 32 characters", 113));
  }
  if (!/^[0-9A-Za-z_-]+=*$/.test(topic)) {
    throw new Refused(badRequest("Topic must be URL and Filename safe Base64 alphabet", 113));
  }
  return topic;
}

/** RFC 7240 section 4.1. */
function prefersAsync(prefer: string | null): boolean {
  return (prefer ?? "").split(",").some((item) =>
    item.split(";")[0]!.trim().toLowerCase() === "respond-async"
  );
}

function readCoding(headers: HeaderValues): Coding {
  const name = headers.get("content-encoding");
  if (name === null) throw encryption("Missing Content-Encoding header");
  const sentSalt = headers.get("encryption");
  const sentKey = headers.get("crypto-key");
  if (name === "aes128gcm") {
    if (sentSalt !== null && readParams(sentSalt)?.has("salt")) {
      throw encryption("Do not include 'salt' header in aes128gcm Encryption header");
    }
    if (sentKey !== null && readParams(sentKey)?.has("dh")) {
      throw encryption("Do not include 'dh' header in aes128gcm Crypto-Key header");
    }
    return { name };
  }
  if (name !== "aesgcm") throw encryption("Unknown Content-Encoding header");
  const salt = readKey(sentSalt, { header: "Encryption", key: "salt" });
  const senderKey = readKey(sentKey, { header: "Crypto-Key", key: "dh" });
  const size = readParams(sentSalt ?? "")?.get("rs");
  const recordSize = size === undefined || !/^\d{1,9}$/.test(size) ? 4096 : Number(size);
  return { name, header: { salt, senderKey, recordSize } };
}

function readKey(
  sent: string | null,
  { header, key }: { readonly header: string; readonly key: string },
): Uint8Array {
  if (sent === null) throw encryption(`Missing ${header} header`);
  const params = readParams(sent);
  if (params === undefined) throw encryption(`Invalid ${header} header`);
  const value = params.get(key);
  if (value === undefined) throw encryption(`Missing ${key} value in ${header} header`);
  const bytes = decodeBase64Url(value);
  if (bytes === undefined || bytes.length === 0) {
    throw encryption(`Invalid ${key} value in ${header} header`);
  }
  return bytes;
}

/**
 * Reads `dh=...;keyid=p256dh,p256ecdsa=...`: the parameters of all parts together, quotes left out. `undefined` for a
 * part without a name.
 */
export function readParams(header: string): ReadonlyMap<string, string> | undefined {
  const params = new Map<string, string>();
  for (const item of header.split(/[;,]/)) {
    const at = item.indexOf("=");
    if (at <= 0) return undefined;
    const name = item.slice(0, at).trim();
    if (!params.has(name)) params.set(name, item.slice(at + 1).trim().replaceAll('"', ""));
  }
  return params;
}

function encryption(message: string): Refused<ReturnType<typeof badRequest>> {
  return new Refused(badRequest(message, 110));
}

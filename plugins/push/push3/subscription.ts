/**
 * Push subscriptions created here. The token of an endpoint contains the keys, so a push can be
 * decrypted after a restart or a reset, and by any of several instances:
 *
 * ```
 * token = "st1-" base64url(private key (32) / auth (16) / [SHA-256 of the application server's key (32)] /
 *         first bytes of the SHA-256 of all that (4))
 * ```
 */
import { createECDH, createHash } from "node:crypto";
import { concat } from "../../../core/bytes/concat.ts";
import { decodeBase64Url, encodeBase64Url, POINT_BYTES } from "./base64url.ts";

const PREFIX = "st1-";
const KEY_BYTES = 32;
const AUTH_BYTES = 16;
const CHECK_BYTES = 4;
/** Bytes of the keys and the check, without the sender's key. */
const LEAST_BYTES = KEY_BYTES + AUTH_BYTES + CHECK_BYTES;

/** Keys of a subscription, as held by its user agent (RFC 8291 section 2). */
export interface SubscriptionKeys {
  /** P-256, 32 bytes. */
  readonly privateKey: Uint8Array;
  /** Uncompressed point, 65 bytes. */
  readonly publicKey: Uint8Array;
  /** Authentication secret, 16 bytes. */
  readonly auth: Uint8Array;
  /**
   * SHA-256 of the only application server's key that may send (RFC 8292 section 4); absent if any
   * may.
   */
  readonly serverKeyHash?: Uint8Array;
}

/** Derives keys from random bytes; the same bytes yield the same keys. */
export function makeKeys(
  random: (purpose: string) => Uint8Array,
  applicationServerKey?: Uint8Array,
): SubscriptionKeys {
  const auth = sha256(random("auth")).subarray(0, AUTH_BYTES);
  const hash = applicationServerKey && { serverKeyHash: sha256(applicationServerKey) };
  for (;;) {
    const privateKey = sha256(random("key"));
    const publicKey = publicKeyOf(privateKey);
    // One in 2^32 values of 32 bytes is not a valid private key of the curve.
    if (publicKey !== undefined) return { privateKey, publicKey, auth, ...hash };
  }
}

/** Returns the token of an endpoint. */
export function encodeToken({ privateKey, auth, serverKeyHash }: SubscriptionKeys): string {
  const content = concat([privateKey, auth, serverKeyHash ?? new Uint8Array()]);
  const check = sha256(content).subarray(0, CHECK_BYTES);
  return `${PREFIX}${encodeBase64Url(concat([content, check]))}`;
}

/**
 * Parses the token of an endpoint: `"foreign"` for one that was not created here, `"broken"` for
 * one that was modified.
 */
export function decodeToken(token: string): SubscriptionKeys | "foreign" | "broken" {
  if (!token.startsWith(PREFIX)) return "foreign";
  const bytes = decodeBase64Url(token.slice(PREFIX.length));
  if (bytes === undefined) return "broken";
  const isBound = bytes.length === LEAST_BYTES + KEY_BYTES;
  if (!isBound && bytes.length !== LEAST_BYTES) return "broken";
  const content = bytes.subarray(0, bytes.length - CHECK_BYTES);
  const check = sha256(content).subarray(0, CHECK_BYTES);
  if (!isSame(check, bytes.subarray(content.length))) return "broken";
  const privateKey = content.subarray(0, KEY_BYTES);
  const publicKey = publicKeyOf(privateKey);
  if (publicKey === undefined) return "broken";
  const auth = content.subarray(KEY_BYTES, KEY_BYTES + AUTH_BYTES);
  const hash = isBound && { serverKeyHash: content.subarray(KEY_BYTES + AUTH_BYTES) };
  return { privateKey, publicKey, auth, ...hash };
}

/** Returns a short name for a token, for lists and paths. */
export function subscriptionId(token: string): string {
  return encodeBase64Url(sha256(new TextEncoder().encode(token)).subarray(0, 12));
}

/** Returns whether a key may send to the subscription; any key may without a restriction. */
export function admitsKey({ serverKeyHash }: SubscriptionKeys, key: Uint8Array): boolean {
  return serverKeyHash === undefined || isSame(serverKeyHash, sha256(key));
}

/** Returns whether the bytes are an uncompressed point of P-256. */
export function isPoint(bytes: Uint8Array): boolean {
  if (bytes.length !== POINT_BYTES || bytes[0] !== 4) return false;
  const probe = createECDH("prime256v1");
  probe.setPrivateKey(new Uint8Array(KEY_BYTES).fill(1));
  try {
    probe.computeSecret(bytes);
    return true;
  } catch {
    return false;
  }
}

function publicKeyOf(privateKey: Uint8Array): Uint8Array | undefined {
  const pair = createECDH("prime256v1");
  try {
    pair.setPrivateKey(privateKey);
    return new Uint8Array(pair.getPublicKey());
  } catch {
    return undefined;
  }
}

function sha256(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(createHash("sha256").update(bytes).digest());
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

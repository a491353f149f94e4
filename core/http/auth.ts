/**
 * Credentials of a request (RFC 7617 Basic, RFC 6750 Bearer): read, compared with pinned ones, and recorded.
 *
 * @module
 */
import type { HeaderValues } from "./call.ts";

/** User name and password of `Authorization: Basic`. */
export interface BasicCredentials {
  readonly username: string;
  readonly password: string;
}

/**
 * Reads `Authorization: Basic ...`. `undefined` for another scheme or for text that is not base64 of `name:password`.
 */
export function readBasic(authorization: string | null): BasicCredentials | undefined {
  const match = /^basic +([A-Za-z0-9+/_-]+={0,2})\s*$/i.exec(authorization ?? "");
  if (match === null) return undefined;
  let bytes: string;
  try {
    bytes = atob(match[1]!.replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    return undefined;
  }
  // RFC 7617 section 2.1: UTF-8 by default; older clients send ISO-8859-1.
  const text = decodeUtf8(Uint8Array.from(bytes, (char) => char.charCodeAt(0))) ?? bytes;
  const colon = text.indexOf(":");
  if (colon < 0) return undefined;
  return { username: text.slice(0, colon), password: text.slice(colon + 1) };
}

/** Returns the value of `Authorization: Basic`, in UTF-8. */
export function writeBasic(username: string, password: string): string {
  return `Basic ${new TextEncoder().encode(`${username}:${password}`).toBase64()}`;
}

/** Reads `Authorization: Bearer ...`. `undefined` for another scheme or an empty token. */
export function readBearer(authorization: string | null): string | undefined {
  return /^bearer +(\S+)\s*$/i.exec(authorization ?? "")?.[1];
}

/** Returns the credentials for `meta`: `basic_auth`, else `authorization`, else nothing. */
export function presentedCredentials(
  headers: HeaderValues,
): { readonly basic_auth: BasicCredentials } | { readonly authorization: string } | undefined {
  const authorization = headers.get("authorization");
  if (authorization === null) return undefined;
  const basic_auth = readBasic(authorization);
  return basic_auth === undefined ? { authorization } : { basic_auth };
}

/** Returns whether `given` is the required secret, in constant time. */
export function matchesSecret(given: string | undefined, pinned: string): boolean {
  const encoder = new TextEncoder();
  const expected = encoder.encode(pinned);
  const actual = encoder.encode(given ?? "");
  let difference = given === undefined ? 1 : expected.length ^ actual.length;
  for (let i = 0; i < expected.length; i++) {
    difference |= expected[i]! ^ (actual[i % Math.max(actual.length, 1)] ?? 0);
  }
  return difference === 0;
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

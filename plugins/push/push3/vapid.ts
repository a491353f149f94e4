/**
 * VAPID, the identification of application servers (RFC 8292): a JSON Web Token signed with ES256, and its key.
 *
 * ```
 * Authorization: vapid t=<token>, k=<public key>
 *
 * Authorization: WebPush <token>           the first draft, with aesgcm
 * Crypto-Key: p256ecdsa=<public key>
 * ```
 */
import { isJsonObject, parseJson } from "../../../core/codec/json_lenient.ts";
import { WireError } from "../../../core/bytes/decoder.ts";
import { compact } from "../../../core/compact.ts";
import type { HeaderValues } from "../../../core/plugin.ts";
import { Refused } from "../../../core/result.ts";
import { decodeBase64Url } from "./base64url.ts";
import { readParams } from "./headers.ts";
import { badRequest, unauthorized } from "./refusals.ts";
import { isPoint } from "./subscription.ts";

/** RFC 8292 section 2: a token may not be valid for longer. */
const MAX_AGE_SECONDS = 24 * 60 * 60;

/** A verified token. */
export interface Vapid {
  /** Scheme of the header. */
  readonly scheme: "vapid" | "webpush" | "bearer";
  /** Public key as sent. */
  readonly public_key: string;
  readonly aud: string;
  /** Seconds since 1970. */
  readonly exp: number;
  /** Contact of the application server; Apple's service refuses a token without one. */
  readonly sub?: string;
}

interface Presented {
  readonly scheme: Vapid["scheme"];
  readonly token: string;
  readonly publicKey: string;
}

/** Conditions for the validity of a token. */
export interface VapidContext {
  /** Origins of the endpoint; the audience must be one of them. */
  readonly origins: readonly string[];
  readonly now: Date;
}

/** Returns the header as sent; `undefined` without one. Throws {@link Refused}. */
export function readVapid(headers: HeaderValues): Presented | undefined {
  const authorization = headers.get("authorization");
  if (authorization === null) return undefined;
  const [, word = "", rest = ""] = /^(\S*)\s*(.*)$/s.exec(authorization.trim()) ?? [];
  const scheme = word.toLowerCase();
  if (scheme !== "vapid" && scheme !== "webpush" && scheme !== "bearer") {
    throw new Refused(unauthorized("Unknown auth scheme"));
  }
  const data = rest.replaceAll(" ", "");
  if (data === "") throw new Refused(unauthorized("Missing VAPID token"));
  if (scheme !== "vapid") return { scheme, token: data, publicKey: keyOfDraft(headers) };
  const params = readParams(data);
  const [publicKey, token] = [params?.get("k"), params?.get("t")];
  if (publicKey === undefined) throw new Refused(unauthorized("Missing VAPID public key"));
  if (token === undefined) throw new Refused(unauthorized("Missing VAPID token"));
  return { scheme, token, publicKey };
}

function keyOfDraft(headers: HeaderValues): string {
  const header = headers.get("crypto-key");
  if (header === null) throw new Refused(badRequest("Missing Crypto-Key header", 110));
  const key = readParams(header)?.get("p256ecdsa");
  if (key !== undefined) return key;
  throw new Refused(badRequest("Missing p256ecdsa in Crypto-Key header", 110));
}

/** Returns the bytes of a public key as sent. Throws {@link Refused}. */
export function decodeKey(publicKey: string): Uint8Array {
  const key = decodeBase64Url(publicKey);
  if (key !== undefined && isPoint(key)) return key;
  throw new Refused(unauthorized("Invalid VAPID public key"));
}

/** Verifies signature, audience and time of a token. Rejects with {@link Refused}. */
export async function verifyVapid(
  { scheme, token, publicKey }: Presented,
  { origins, now }: VapidContext,
): Promise<Vapid> {
  const claims = await readClaims(token, decodeKey(publicKey));
  const { aud, exp, sub } = claims;
  const seconds = now.getTime() / 1000;
  if (typeof exp !== "number" || !Number.isFinite(exp)) {
    throw new Refused(unauthorized("Invalid VAPID expiry"));
  }
  if (exp <= seconds) throw new Refused(unauthorized("ExpiredSignature"));
  // Clients round up.
  if (exp > seconds + MAX_AGE_SECONDS + 1) {
    throw new Refused(unauthorized("The VAPID token expiration is too long"));
  }
  if (typeof aud !== "string" || !origins.includes(originOf(aud))) {
    throw new Refused(unauthorized("Invalid VAPID audience"));
  }
  return {
    scheme,
    public_key: publicKey,
    aud,
    exp,
    ...compact({ sub: typeof sub === "string" ? sub : undefined }),
  };
}

async function readClaims(
  token: string,
  key: Uint8Array,
): Promise<Readonly<Record<string, unknown>>> {
  const parts = token.split(".");
  const [head, claims, signature] = parts.map(decodeBase64Url);
  if (parts.length !== 3 || head === undefined || claims === undefined) throw invalidToken();
  if (readObject(head).alg !== "ES256") throw new Refused(unauthorized("InvalidAlgorithm"));
  const signed = new TextEncoder().encode(`${parts[0]}.${parts[1]}`);
  const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const verifier = await crypto.subtle.importKey("raw", new Uint8Array(key), algorithm, false, [
    "verify",
  ]);
  const good = signature?.length === 64 &&
    await crypto.subtle.verify(algorithm, verifier, new Uint8Array(signature), signed);
  if (!good) throw new Refused(unauthorized("InvalidSignature"));
  return readObject(claims);
}

function readObject(bytes: Uint8Array): Readonly<Record<string, unknown>> {
  try {
    const json = parseJson(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (isJsonObject(json)) return json;
  } catch (error) {
    if (!(error instanceof WireError) && !(error instanceof TypeError)) throw error;
  }
  throw invalidToken();
}

function invalidToken(): Refused<ReturnType<typeof unauthorized>> {
  return new Refused(unauthorized("InvalidToken"));
}

/** Returns the origin of an audience; RFC 8292 section 2 allows nothing else in it. */
function originOf(audience: string): string {
  try {
    const url = new URL(audience);
    return url.href === `${url.origin}/` ? url.origin : "";
  } catch {
    return "";
  }
}

/**
 * Provider tokens: JSON Web Tokens (RFC 7519) in compact form, three base64url parts joined by dots
 * (https://developer.apple.com/documentation/usernotifications/establishing-a-token-based-connection-to-apns).
 * They are read, never verified: the key that signed them is not known here.
 *
 * @module
 */
import { isJsonObject, parseJson } from "../../../core/codec/json_lenient.ts";

/** What a token says, ready for `meta`. */
export interface ProviderToken {
  readonly alg?: string;
  readonly kid?: string;
  readonly iss?: string;
  /** As sent. */
  readonly iat?: number | string;
  /** RFC 3339. */
  readonly issued_at?: string;
  /** Older than the hour after which the vendor refuses a token. */
  readonly stale: boolean;
  /** Why it, or a part of it, cannot be read. */
  readonly error?: string;
}

const HOUR_MS = 3_600_000;
/** Epoch seconds stay below this for nine thousand years; milliseconds have been above it since 1973. */
const SECONDS_BELOW = 1e11;

/** Reads `authorization`: `bearer <token>` in any case, or the bare token. `undefined` when there is none. */
export function readProviderToken(
  authorization: string | null,
  now: Date,
): ProviderToken | undefined {
  const token = (authorization ?? "").trim().replace(/^bearer(?:\s+|$)/i, "");
  if (token === "") return undefined;
  const parts = token.split(".");
  if (parts.length !== 3) {
    return { stale: false, error: `Expected three parts joined by dots, found ${parts.length}` };
  }
  const header = decodePart(parts[0]!);
  const claims = decodePart(parts[1]!);
  const unreadable = [
    ...(header === undefined ? ["header"] : []),
    ...(claims === undefined ? ["claims"] : []),
  ];
  const issuedAt = toDate(claims?.iat);
  return {
    ...pickText("alg", header?.alg),
    ...pickText("kid", header?.kid),
    ...pickText("iss", claims?.iss),
    ...(isStamp(claims?.iat) ? { iat: claims.iat } : {}),
    ...(issuedAt === undefined ? {} : { issued_at: issuedAt.toISOString() }),
    stale: issuedAt !== undefined && now.getTime() - issuedAt.getTime() > HOUR_MS,
    ...(unreadable.length === 0
      ? {}
      : { error: `Expected base64url of a JSON object as ${unreadable.join(" and ")}` }),
  };
}

function decodePart(part: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const bytes = Uint8Array.from(
      atob(part.replaceAll("-", "+").replaceAll("_", "/")),
      (char) => char.charCodeAt(0),
    );
    const value = parseJson(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return isJsonObject(value) ? value : undefined;
  } catch {
    // Not base64, not UTF-8 or not JSON: the token is recorded as unreadable.
    return undefined;
  }
}

function isStamp(value: unknown): value is number | string {
  return typeof value === "number" || typeof value === "string";
}

/** Some clients send the time as text, and some in milliseconds. */
function toDate(iat: unknown): Date | undefined {
  const number = typeof iat === "string" && iat.trim() !== "" ? Number(iat) : iat;
  if (typeof number !== "number" || !Number.isFinite(number) || number < 0) return undefined;
  const date = new Date(number < SECONDS_BELOW ? number * 1000 : number);
  return Number.isNaN(date.getTime()) || date.getUTCFullYear() > 9999 ? undefined : date;
}

function pickText<K extends string>(key: K, value: unknown): { readonly [P in K]?: string } {
  return typeof value === "string" ? { [key]: value } as { readonly [P in K]: string } : {};
}

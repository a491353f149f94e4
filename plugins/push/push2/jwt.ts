/**
 * Provider tokens: JSON Web Tokens (RFC 7519) in compact form, three base64url parts joined by dots
 * (https://developer.apple.com/documentation/usernotifications/establishing-a-token-based-connection-to-apns).
 * They are read, never verified: the signing key is unknown here.
 */
import { isJsonObject, parseJson } from "../../../core/codec/json_lenient.ts";
import { compact } from "../../../core/compact.ts";

/** Content of a token, for `meta`. */
export interface ProviderToken {
  readonly alg?: string;
  readonly kid?: string;
  readonly iss?: string;
  /** As sent. */
  readonly iat?: number | string;
  /** RFC 3339. */
  readonly issued_at?: string;
  /** Whether it is older than an hour, after which the vendor refuses it. */
  readonly stale: boolean;
  /** Why it, or a part of it, is unreadable. */
  readonly error?: string;
}

const HOUR_MS = 3_600_000;
/** Seconds since 1970 stay below this until the year 5138; milliseconds have exceeded it since 1973. */
const SECONDS_BELOW = 1e11;

/** Reads `authorization`: `bearer <token>` in any case, or the bare token. `undefined` if absent. */
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
    ...compact({
      alg: asText(header?.alg),
      kid: asText(header?.kid),
      iss: asText(claims?.iss),
      iat: typeof claims?.iat === "number" ? claims.iat : asText(claims?.iat),
      issued_at: issuedAt?.toISOString(),
    }),
    stale: issuedAt !== undefined && now.getTime() - issuedAt.getTime() > HOUR_MS,
    ...(unreadable.length > 0 &&
      { error: `Expected base64url of a JSON object as ${unreadable.join(" and ")}` }),
  };
}

function decodePart(part: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const bytes = Uint8Array.fromBase64(part.replaceAll("-", "+").replaceAll("_", "/"));
    const value = parseJson(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return isJsonObject(value) ? value : undefined;
  } catch {
    // Not base64, not UTF-8 or not JSON: the token is recorded as unreadable.
    return undefined;
  }
}

/** Some clients send the time as text, and some in milliseconds. */
function toDate(iat: unknown): Date | undefined {
  const number = typeof iat === "string" && iat.trim() !== "" ? Number(iat) : iat;
  if (typeof number !== "number" || !Number.isFinite(number) || number < 0) return undefined;
  const date = new Date(number < SECONDS_BELOW ? number * 1000 : number);
  return Number.isNaN(date.getTime()) || date.getUTCFullYear() > 9999 ? undefined : date;
}

function asText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Returns an unsigned token for clients of this service. */
export function unsignedToken(kid: string, claims: Readonly<Record<string, unknown>>): string {
  const parts = [{ alg: "ES256", kid }, claims, "unsigned"].map((part) =>
    new TextEncoder().encode(JSON.stringify(part))
      .toBase64({ alphabet: "base64url", omitPadding: true })
  );
  return parts.join(".");
}

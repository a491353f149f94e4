import { matchesSecret, readBasic, readBearer } from "../http/auth.ts";
import type { HttpCall } from "../http/call.ts";

/**
 * Why a request to the UI and API listener is refused, or `undefined`.
 *
 * A page of another site can make a browser send requests here. Under a name of its own that resolves to this machine
 * (DNS rebinding) it could also read the answers. So the name must be ours or an address, and a request that says
 * which page it comes from must come from ours.
 */
export function foreignReason(call: HttpCall, ownHost: string): string | undefined {
  // Over HTTP/2 the name stands in `:authority`, which the server turns into the address of the request.
  const host = call.headers.get("host") ??
    (call.version === "2" ? new URL(call.request.url).host : null);
  if (host !== null && !isOwnHost(hostnameOf(host), ownHost)) {
    return `Cannot serve host "${host}": expected localhost, an address, or the configured host ` +
      `"${ownHost}" (set it with --host)`;
  }
  const origin = call.headers.get("origin");
  if (
    origin !== null && !isPictureOfMail(call, origin) &&
    origin.toLowerCase() !== `${call.tls ? "https" : "http"}://${host}`.toLowerCase()
  ) {
    return `Cannot serve a page of origin "${origin}": only pages of this service may call it`;
  }
  const site = call.headers.get("sec-fetch-site");
  // Other ports of this machine are the same site, and as foreign as any.
  if (
    (site === "cross-site" || site === "same-site") && !isPictureOfMail(call, origin ?? "null") &&
    !isFollowedLink(call)
  ) {
    return `Cannot serve a ${site} request of a browser: only pages of this service may call it`;
  }
  return undefined;
}

/** Needs no token: whether the service runs, for those who only wait for it, and what every copy of it serves. */
function isOpen(path: string): boolean {
  return path === "/api/v1/health" || path === "/api/v1/ready" || path.startsWith("/ui/assets/");
}

/** A browser asks its user for it. Without `Bearer`: Chromium takes no header that offers two schemes. */
export const TOKEN_CHALLENGE = 'Basic realm="Standin", charset="UTF-8"';

/**
 * Why a request does not prove that it knows the token, or `undefined`. It comes as `Authorization: Bearer` or as the
 * password of `Basic` with any user name, which browsers send along with everything that a page of ours asks for, its
 * stream included.
 */
export function tokenReason(call: HttpCall, token: string | undefined): string | undefined {
  if (token === undefined || isOpen(call.path)) return undefined;
  const authorization = call.headers.get("authorization");
  const given = readBearer(authorization) ?? readBasic(authorization)?.password;
  if (matchesSecret(given, token)) return undefined;
  return `Cannot serve "${call.path}" ${
    given === undefined ? "without the token" : "with this token"
  }: expected the one of [api] token, as "Authorization: Bearer <token>" or as the password of Basic`;
}

/** A link on another page that somebody follows to ours: nothing changes by it, and the other page sees nothing. */
function isFollowedLink(call: HttpCall): boolean {
  return (call.method === "GET" || call.method === "HEAD") &&
    call.headers.get("sec-fetch-mode") === "navigate" &&
    call.headers.get("sec-fetch-dest") === "document";
}

/**
 * The sandboxed frame of a mail has no origin, and Chromium says so when it fetches the pictures that the mail carries.
 * Any page may ask like that, but none can read the answer, and none can forge `Sec-Fetch-Mode` (Fetch Metadata).
 */
function isPictureOfMail(call: HttpCall, origin: string): boolean {
  return origin === "null" && call.method === "GET" &&
    call.headers.get("sec-fetch-mode") === "no-cors" &&
    call.headers.get("sec-fetch-dest") === "image";
}

/** Without the port, and without the brackets of an IPv6 address. */
function hostnameOf(host: string): string {
  const match = /^(?:\[([^\]]*)\]|([^:]*))(?::\d*)?$/.exec(host);
  return (match?.[1] ?? match?.[2] ?? host).toLowerCase();
}

function isOwnHost(name: string, ownHost: string): boolean {
  return name === "localhost" || name.endsWith(".localhost") || name === ownHost.toLowerCase() ||
    /^\d{1,3}(\.\d{1,3}){3}$/.test(name) || (name.includes(":") && /^[0-9a-f:.%]+$/.test(name));
}

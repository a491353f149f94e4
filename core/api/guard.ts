import { matchesSecret, readBasic, readBearer } from "../http/auth.ts";
import type { HttpCall } from "../http/call.ts";
import { hostnameOf, hostOf, isFixedHost } from "../http/host.ts";

/**
 * Why a request to the UI and API listener is refused, or `undefined`.
 *
 * A page of another site can make a browser send requests here. It sees no answer, but it can measure how long one
 * takes, and a search takes longer where something is found. Under a name of its own that resolves to this machine (DNS
 * rebinding) it could also read the answers. So the name must be ours or an address, a request that says which page it
 * comes from must come from ours, and a link on another site leads to pages alone, which are the same whatever was
 * captured.
 */
export function foreignReason(
  call: HttpCall,
  { ownHost, mayRead = false }: {
    readonly ownHost: string;
    /** The page that it comes from may read, and this is all that is asked for. */
    readonly mayRead?: boolean;
  },
): string | undefined {
  const { headers } = call;
  const host = hostOf(call);
  if (host !== null && !isOwnHost(hostnameOf(host), ownHost)) {
    return `Cannot serve host "${host}": expected localhost, an address, or the configured host ` +
      `"${ownHost}" (set it with --host)`;
  }
  if (mayRead) return undefined;
  const origin = headers.get("origin");
  if (
    origin !== null &&
    origin.toLowerCase() !== `${call.tls ? "https" : "http"}://${host}`.toLowerCase()
  ) {
    return `Cannot serve a page of origin "${origin}": only pages of this service may call it`;
  }
  if (isOfAnotherSite(call) && !isLinkToPage(call)) {
    const site = headers.get("sec-fetch-site");
    return `Cannot serve a ${site} request of a browser: only pages of this service may call it`;
  }
  if (headers.has("service-worker")) {
    return "Cannot serve the script of a service worker: this service has none";
  }
  return undefined;
}

/** Other ports of this machine are the same site, and as foreign as any. */
function isOfAnotherSite({ headers }: HttpCall): boolean {
  const site = headers.get("sec-fetch-site");
  return site === "cross-site" || site === "same-site";
}

/** What a link to a page may ask for: an event by its id, which nobody can guess. */
const SAFE_QUERY = /^(?:id=[0-9a-f]{24})?$/;

/**
 * Where a link on another site to one of our pages leads instead, or `undefined`. A page searches for what its address
 * says, so the other site could open it with one guess after the other and measure how busy the service is.
 */
export function saferLink(call: HttpCall): string | undefined {
  const leads = isOfAnotherSite(call) && isLinkToPage(call) && !SAFE_QUERY.test(call.search);
  return leads ? call.path : undefined;
}

/** Somebody follows a link on another page to a page of ours: nothing changes by it, and the other page sees nothing. */
function isLinkToPage({ method, path, headers }: HttpCall): boolean {
  return (method === "GET" || method === "HEAD") &&
    headers.get("sec-fetch-mode") === "navigate" &&
    headers.get("sec-fetch-dest") === "document" && isPage(path);
}

/** The pages of the UI, without what they are made of and what they show. */
function isPage(path: string): boolean {
  return path === "/" || path === "/ui" ||
    (path.startsWith("/ui/") && path !== "/ui/stream" && !path.startsWith("/ui/assets/"));
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

function isOwnHost(name: string, ownHost: string): boolean {
  return isFixedHost(name) || name === ownHost.toLowerCase();
}

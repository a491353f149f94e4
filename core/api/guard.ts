import { ASSETS_PATH } from "../http/assets.ts";
import { matchesSecret, readBasic, readBearer } from "../http/auth.ts";
import type { HttpCall } from "../http/call.ts";
import { hostnameOf, hostOf, isFixedHost } from "../http/host.ts";

/**
 * Returns why a request to the UI and API listener is refused, or `undefined`.
 *
 * A page of another site can make a browser send requests here. It sees no response, but it can measure how long one takes,
 * and a search takes longer if it finds something. With a host name that resolves to this machine (DNS rebinding) it
 * could also read the responses. So the host must be ours or an address, a request that names its page must come from
 * ours, and a link on another site may lead only to pages, which are the same whatever was captured.
 */
export function foreignReason(
  call: HttpCall,
  { ownHost, mayRead = false }: {
    readonly ownHost: string;
    /** The page may read, and the request only reads. */
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
    return `Cannot serve a ${site} request from a browser: only pages of this service may call it`;
  }
  if (headers.has("service-worker")) {
    return "Cannot serve the script of a service worker: this service has none";
  }
  return undefined;
}

/** Other ports of this machine are the same site, but not trusted. */
function isOfAnotherSite({ headers }: HttpCall): boolean {
  const site = headers.get("sec-fetch-site");
  return site === "cross-site" || site === "same-site";
}

/** Parameters of a link to a page: an event by its id, which is unguessable. */
const SAFE_QUERY = /^(?:id=[0-9a-f]{24})?$/;

/**
 * Returns where a link from another site should lead instead, or `undefined`. A page searches for the words in its URL,
 * so the other site could open it with one guess after another and measure the load of the service.
 */
export function saferLink(call: HttpCall): string | undefined {
  const leads = isOfAnotherSite(call) && isLinkToPage(call) && !SAFE_QUERY.test(call.search);
  return leads ? call.path : undefined;
}

/** Returns whether the request follows a link to a page, which changes nothing and shows the other site nothing. */
function isLinkToPage({ method, path, headers }: HttpCall): boolean {
  return (method === "GET" || method === "HEAD") &&
    headers.get("sec-fetch-mode") === "navigate" &&
    headers.get("sec-fetch-dest") === "document" && isPage(path);
}

/** Returns whether a path is a page of the UI. */
function isPage(path: string): boolean {
  return path === "/" || path === "/ui" ||
    (path.startsWith("/ui/") && path !== "/ui/stream" && !path.startsWith(ASSETS_PATH));
}

/** Paths without a token: readiness, and the files that are the same in every copy of the program. */
function isOpen(path: string): boolean {
  return path === "/api/v1/health" || path === "/api/v1/ready" || path.startsWith(ASSETS_PATH);
}

/** Makes a browser prompt its user. `Bearer` is omitted because Chromium ignores a header with two schemes. */
export const TOKEN_CHALLENGE = 'Basic realm="Standin", charset="UTF-8"';

/**
 * Returns why a request lacks the token, or `undefined`. The token is sent as `Authorization: Bearer` or as the password
 * of `Basic` with any user name, which browsers repeat for every request of our pages, including the stream.
 */
export function tokenReason(call: HttpCall, token: string | undefined): string | undefined {
  if (token === undefined || isOpen(call.path)) return undefined;
  const authorization = call.headers.get("authorization");
  const given = readBearer(authorization) ?? readBasic(authorization)?.password;
  if (matchesSecret(given, token)) return undefined;
  return `Cannot serve "${call.path}" ${
    given === undefined ? "without the token" : "with this token"
  }: expected that of [api] token, as "Authorization: Bearer <token>" or as the password of Basic`;
}

function isOwnHost(name: string, ownHost: string): boolean {
  return isFixedHost(name) || name === ownHost.toLowerCase();
}

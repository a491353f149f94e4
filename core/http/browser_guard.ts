/**
 * Blocks requests that pages of other sites send to the ports of clients. Any page can make its
 * visitor's browser send requests here: it cannot read the response, but the request takes effect.
 * Under a host name that resolves to this machine (DNS rebinding) it can read the response, too.
 * Browsers send header fields that identify such requests, and pages cannot suppress them; programs
 * do not send them.
 *
 * @module
 */
import type { HeaderValues, HttpCall } from "./call.ts";
import { hostnameOf, hostOf, isFixedHost, isLocalOrigin, isNamed } from "./host.ts";

/** Exceptions besides programs and the pages of this machine. */
export interface BrowserRules {
  /** Name of this machine in printed addresses. */
  readonly ownHost: string;
  /** Hosts that providers imitate; `*.` matches one label. */
  readonly vendorHosts: readonly string[];
  /** Allowed values of `Origin`. */
  readonly allowedOrigins: readonly string[];
}

/** Returns why a request is refused, or `undefined`. */
export type BrowserGuard = (
  call: Pick<HttpCall, "headers" | "version" | "request">,
) => string | undefined;

const REMEDY = "expected a page of this machine, or of one of [ingress] allowed_origins";

/** Creates the guard for every port that accepts HTTP from clients. */
export function createBrowserGuard(rules: BrowserRules): BrowserGuard {
  const allowed = new Set(rules.allowedOrigins);
  const isWelcome = (origin: string): boolean => allowed.has(origin) || isLocalOrigin(origin);
  const isKnown = (host: string): boolean => {
    const name = hostnameOf(host);
    return isFixedHost(name) || name === rules.ownHost.toLowerCase() ||
      isNamed(rules.vendorHosts, name);
  };
  return (call) => {
    const { headers } = call;
    const origin = headers.get("origin");
    if (origin !== null) {
      return isWelcome(origin) ? undefined : `Cannot serve a page of origin "${origin}": ${REMEDY}`;
    }
    const site = headers.get("sec-fetch-site");
    if (site === null && !looksLikeBrowser(headers)) return undefined;
    const host = hostOf(call);
    const isUnknown = host !== null && !isKnown(host);
    if (site !== "cross-site" && !isUnknown) return undefined;
    // Requests for images and links have no `Origin`.
    const page = originOf(headers.get("referer"));
    if (page !== undefined && isWelcome(page)) return undefined;
    if (!isUnknown) return `Cannot serve a browser's request from another site: ${REMEDY}`;
    return `Cannot serve a browser under the host "${host}": expected localhost, an address, or ` +
      `the configured host "${rules.ownHost}" (set it with --host)`;
  };
}

/**
 * For requests without `Sec-Fetch-Site`, which browsers send only to loopback addresses and over
 * TLS. `Sec-Fetch-Mode` proves nothing, because Node's fetch sends it, too; PowerShell identifies
 * itself as a browser.
 */
function looksLikeBrowser(headers: HeaderValues): boolean {
  if (headers.has("sec-fetch-dest")) return true;
  const agent = headers.get("user-agent");
  return agent !== null && agent.startsWith("Mozilla/") && !agent.includes("PowerShell/");
}

function originOf(referer: string | null): string | undefined {
  const url = referer === null ? null : URL.parse(referer);
  return url?.origin;
}

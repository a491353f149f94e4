/**
 * Classifies the host and origin of a request.
 *
 * @module
 */
import type { HttpCall } from "./call.ts";

/** Returns the requested `host:port`; `null` without one, which HTTP/1.0 allows. */
export function hostOf(call: Pick<HttpCall, "headers" | "version" | "request">): string | null {
  return call.headers.get("host") ?? (call.version === "2" ? authorityOf(call.request.url) : null);
}

/** Over HTTP/2 the host is in `:authority`, from which the server builds the request URL. */
function authorityOf(url: string): string {
  // Nearly all are plain; parsing each URL takes ten times as long.
  return /^https?:\/\/([a-z0-9.-]+(?::(?!80\/|443\/)[1-9]\d*)?)\//.exec(url)?.[1] ??
    new URL(url).host;
}

/** Without the port and the brackets of an IPv6 address, in lower case. */
export function hostnameOf(host: string): string {
  const match = /^(?:\[([^\]]*)\]|([^:]*))(?::\d*)?$/.exec(host);
  return (match?.[1] ?? match?.[2] ?? host).toLowerCase();
}

/**
 * Returns whether a name can only be this machine or a literal address, so that it cannot belong to
 * another site.
 */
export function isFixedHost(name: string): boolean {
  return isLocalhost(name) || isIpv4(name) || (name.includes(":") && /^[0-9a-f:.%]+$/.test(name));
}

/** RFC 6761 section 6.3: such names are loopback addresses to every browser. */
function isLocalhost(name: string): boolean {
  return name === "localhost" || name.endsWith(".localhost");
}

function isIpv4(name: string): boolean {
  return /^\d{1,3}(\.\d{1,3}){3}$/.test(name);
}

/** Returns whether a name matches one of these; `*.` matches one label, `**.` one or more. */
export function isNamed(hosts: readonly string[], name: string): boolean {
  const wildcard = name.replace(/^[^.]+/, "*");
  return hosts.some((host) =>
    host === name || host === wildcard || (host.startsWith("**.") && name.endsWith(host.slice(2)))
  );
}

/** Returns whether an `Origin` is that of a page on this machine, on any port and with any scheme. */
export function isLocalOrigin(origin: string): boolean {
  const host = /^[a-z][a-z0-9+.-]*:\/\/([^/?#@\s]+)$/i.exec(origin)?.[1];
  if (host === undefined) return false;
  const name = hostnameOf(host);
  return isLocalhost(name) || name === "::1" || (isIpv4(name) && name.startsWith("127."));
}

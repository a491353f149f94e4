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
  return undefined;
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

/**
 * Addresses of data connections.
 *
 *   PORT h1,h2,h3,h4,p1,p2        RFC 959 section 4.1.2
 *   EPRT |1|192.0.2.1|2121|       RFC 2428 section 2; 1 is IPv4, 2 is IPv6
 *   227 text (h1,h2,h3,h4,p1,p2)
 *   229 text (|||port|)           RFC 2428 section 3
 *
 * @module
 */

/** Address at which a client accepts a data connection. */
export interface DataAddress {
  readonly hostname: string;
  readonly port: number;
}

/** Parses the argument of PORT; `undefined` for anything else. */
export function parsePort(argument: string): DataAddress | undefined {
  const parts = argument.trim().split(",").map((part) => part.trim());
  if (parts.length !== 6 || !parts.every((part) => /^\d{1,3}$/.test(part))) return undefined;
  const numbers = parts.map(Number);
  if (numbers.some((number) => number > 255)) return undefined;
  return { hostname: numbers.slice(0, 4).join("."), port: numbers[4]! * 256 + numbers[5]! };
}

/** Parses the argument of EPRT; `"family"` for a protocol family other than IPv4 and IPv6. */
export function parseExtendedPort(argument: string): DataAddress | "family" | undefined {
  const delimiter = argument[0] ?? "";
  if (!/^[\x21-\x7e]$/.test(delimiter)) return undefined;
  const [before, family, hostname, port, after, ...more] = argument.trim().split(delimiter);
  if (before !== "" || after !== "" || more.length > 0) return undefined;
  if (family === undefined || !/^\d+$/.test(family)) return undefined;
  if (family !== "1" && family !== "2") return "family";
  const fits = family === "1" ? isIpv4(hostname ?? "") : /^[\da-fA-F:.]+$/.test(hostname ?? "");
  if (!fits || port === undefined || !/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    return undefined;
  }
  return { hostname: hostname!, port: Number(port) };
}

/** Returns whether text is an IPv4 address in dotted form. */
export function isIpv4(text: string): boolean {
  const parts = text.split(".");
  return parts.length === 4 && parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) < 256);
}

/** Formats an address as `h1,h2,h3,h4,p1,p2`. */
export function formatPort({ hostname, port }: DataAddress): string {
  return [...hostname.split("."), port >> 8, port & 0xff].join(",");
}

/** Addresses that callbacks may use. */
/** An allowed origin: scheme, host and port, where `*` as the port or as the first label matches any. */
export interface OriginPattern {
  readonly scheme: string;
  readonly host: string;
  /** Absent for any port. */
  readonly port?: number;
}

/**
 * Default ports by scheme: RFC 9110 section 4.2, RFC 5321 section 4.5.4.2, HL7's assignment for MLLP, and that of
 * SpamAssassin for spamd.
 */
const DEFAULT_PORTS: Readonly<Record<string, number>> = {
  http: 80,
  https: 443,
  smtp: 25,
  mllp: 2575,
  spamd: 783,
};

const PATTERN =
  /^(?<scheme>[a-z]+):\/\/(?<host>\[[0-9a-f:.]+\]|(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*)(?::(?<port>\d{1,5}|\*))?$/i;

/** Parses `http://localhost:*`. Throws `RangeError` for anything else. */
export function parseOriginPattern(text: string): OriginPattern {
  const { scheme, host, port } = PATTERN.exec(text.trim())?.groups ?? {};
  const known = scheme === undefined ? undefined : DEFAULT_PORTS[scheme.toLowerCase()];
  if (scheme === undefined || host === undefined || known === undefined || Number(port) > 65_535) {
    throw new RangeError(
      `expected origins such as "http://localhost:*" or "https://app.example.com", with one of the ` +
        `schemes ${Object.keys(DEFAULT_PORTS).join(", ")}; not "${text}"`,
    );
  }
  return {
    scheme: scheme.toLowerCase(),
    host: bareHost(host),
    ...(port === "*" ? {} : { port: port === undefined ? known : Number(port) }),
  };
}

/** Returns scheme, host and port of an address; `undefined` for an invalid one. */
export function originOf(
  address: string,
): { scheme: string; host: string; port: number; url: URL } | undefined {
  const url = URL.parse(address);
  const scheme = url?.protocol.slice(0, -1) ?? "";
  const port = Number(url?.port || DEFAULT_PORTS[scheme]);
  if (url === null || !Object.hasOwn(DEFAULT_PORTS, scheme) || url.hostname === "") {
    return undefined;
  }
  return { scheme, host: bareHost(url.hostname), port, url };
}

/** Returns a host in lower case, without the brackets of an IPv6 address. */
function bareHost(host: string): string {
  return host.toLowerCase().replace(/^\[|\]$/g, "");
}

/** Returns whether one of the patterns matches the origin of an address. */
export function isAllowed(address: string, patterns: readonly OriginPattern[]): boolean {
  const origin = originOf(address);
  return origin !== undefined &&
    patterns.some(({ scheme, host, port }) =>
      scheme === origin.scheme && (port === undefined || port === origin.port) &&
      (host === origin.host ||
        (host.startsWith("*.") && origin.host.endsWith(host.slice(1)) &&
          !origin.host.slice(0, -host.length + 1).includes(".")))
    );
}

const LOOPBACK = /^127\.|^::1$|^::ffff:127\./i;
/**
 * Unspecified, link-local (with the metadata services of clouds) and multicast addresses: an allowed name never permits
 * them. RFC 6890 section 2.2.
 */
const SPECIAL = /^0\.|^169\.254\.|^2(?:2[4-9]|[3-5]\d)\.|^::$|^fe[89ab][0-9a-f]:|^ff[0-9a-f]{2}:/i;
/** The metadata service of Amazon EC2 over IPv6, which has an ordinary local address. */
const EC2_METADATA = "fd00:ec2::254";
/**
 * IPv6 addresses with an IPv4 address in them, in the form that the platform writes: mapped and compatible (RFC 4291
 * section 2.5.5), translated (RFC 2765 section 2.1, RFC 6052 section 2.1, RFC 8215), and 6to4 (RFC 3056 section 2).
 */
const EMBEDDED: readonly RegExp[] = [
  /^(?:::(?:ffff:(?:0:)?)?|64:ff9b:(?::|1:.*:))([0-9a-f]{1,4}):([0-9a-f]{1,4})$/,
  /^2002:([0-9a-f]{1,4}):([0-9a-f]{1,4}):/,
];

/** Names and addresses of this machine, and nothing that only begins like one. */
const THIS_MACHINE = /^(?:(?:[\w-]+\.)*localhost|127(?:\.\d{1,3}){3}|::1)$/;

/** Returns whether this machine, or an allowed origin, is at an address. */
export function mayConnect(address: string, patterns: readonly OriginPattern[]): boolean {
  const origin = originOf(address);
  return origin !== undefined &&
    (THIS_MACHINE.test(origin.host) || isAllowed(address, patterns));
}

/** Returns whether an allowed name may resolve to an address: a local name only to this machine. */
export function mayResolve(host: string, address: string): boolean {
  if (host === address) return true;
  const isLocalName = host === "localhost" || host.endsWith(".localhost");
  if (isLocalName) return LOOPBACK.test(address);
  const plain = toPlain(address);
  return ![plain, embeddedIn(plain)].some((one) => SPECIAL.test(one) || one === EC2_METADATA);
}

/** Returns an IPv6 address without its zone, as short as possible; any other unchanged. */
function toPlain(address: string): string {
  const url = URL.parse(`http://[${address.replace(/%.*$/, "")}]`);
  return url === null ? address : bareHost(url.hostname);
}

/** Returns the IPv4 address in an IPv6 address; one without unchanged. */
function embeddedIn(address: string): string {
  const found = EMBEDDED.map((form) => form.exec(address)).find((match) => match !== null);
  if (found === undefined) return address;
  const bits = found.slice(1).map((part) => parseInt(part, 16));
  return bits.flatMap((part) => [part >> 8, part & 255]).join(".");
}

/** Returns whether a pattern matches this machine only. */
export function isLocalPattern({ host }: OriginPattern): boolean {
  return host === "localhost" || host.endsWith(".localhost") || LOOPBACK.test(host);
}

/** Host and port of a socket. */
export interface HostPort {
  readonly hostname: string;
  readonly port: number;
}

/** `127.0.0.1:25` or `[::1]:25` (RFC 3986 section 3.2.2). */
export function formatAddress({ hostname, port }: HostPort): string {
  return hostname.includes(":") ? `[${hostname}]:${port}` : `${hostname}:${port}`;
}

/** Parses the output of `formatAddress`. Throws `SyntaxError` for anything else. */
export function parseAddress(text: string): HostPort {
  const match = /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(text);
  const port = Number(match?.[3]);
  if (match === null || port > 65_535) {
    throw new SyntaxError(`Cannot read address "${text}": expected host:port or [host]:port`);
  }
  return { hostname: (match[1] ?? match[2])!, port };
}

/** Formats a socket address as `host:port`; empty for one without a port. */
export function addressOf(address: Deno.Addr): string {
  return address.transport === "tcp" || address.transport === "udp" ? formatAddress(address) : "";
}

/** Returns whether binding failed because another program listens there. */
export function isAddressInUse(error: unknown): boolean {
  return error instanceof Deno.errors.AddrInUse ||
    (error instanceof Error && "code" in error && error.code === "EADDRINUSE");
}

import type { Logger } from "../log.ts";
import type { TlsIdentity } from "../tls/identity.ts";
import type { TlsTerminator } from "./tls_terminator.ts";

/**
 * Ends TLS, and asks clients for a certificate if the platform can, unless `asks` is false. Loaded with the first TLS
 * client, because most runs have none.
 */
export async function createTerminator(
  identity: TlsIdentity,
  options: { handshakeMs: number; log: Logger; alpnProtocols: readonly string[]; asks?: boolean },
): Promise<TlsTerminator> {
  const [{ Server }, net] = await Promise.all([import("node:tls"), import("node:net")]);
  // In Deno 2.5 that server is a thin wrapper around the platform's listener, and does not request a certificate.
  if (Server?.prototype instanceof net.Server) {
    const { AskingTerminator } = await import("./tls_loopback_server.ts");
    return new AskingTerminator(identity, options);
  }
  const { ListenerTerminator } = await import("./tls_loopback_listener.ts");
  return new ListenerTerminator(identity, options);
}

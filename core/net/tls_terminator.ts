import type { ClientCertificate } from "../events/event.ts";
import type { ByteConn } from "./socket_conn.ts";

/** The decrypted side of a TLS connection. */
export interface Decrypted<C extends ByteConn = ByteConn> {
  readonly conn: C;
  /** Certificate of the client, unchecked. */
  readonly certificate: ClientCertificate | undefined;
}

/** Both ends of a loopback connection: encrypted bytes go in at `near`, decrypted bytes come out at `far`. */
export interface TlsPassage<C extends ByteConn = ByteConn> {
  readonly near: Deno.TcpConn;
  /** Resolves after the handshake; rejects if it fails. */
  readonly far: Promise<Decrypted<C>>;
  /**
   * Waits until `near` may be written, and counts `bytes` that are about to be; absent if the platform stops reading by
   * itself while nobody reads at `far`.
   */
  room?(bytes: number): Promise<void> | undefined;
  /** Drops the far end, because the client is gone. */
  forget(): void;
}

/**
 * Ends TLS for connections accepted elsewhere. The platform cannot wrap a connection whose first bytes have been read, so
 * they are copied to a TLS server on loopback, which is opened on first use.
 */
export interface TlsTerminator {
  /**
   * Opens a passage before its handshake, for a client that asks for this host (RFC 6066 section 3). Rejects if there is
   * no certificate.
   */
  open(serverName?: string): Promise<TlsPassage>;
  stop(): Promise<void>;
}

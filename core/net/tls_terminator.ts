import type { ClientCertificate } from "../events/event.ts";
import type { ByteConn } from "./socket_conn.ts";

/** What came out of TLS. */
export interface Decrypted<C extends ByteConn = ByteConn> {
  readonly conn: C;
  /** What the client showed of itself, unchecked. */
  readonly certificate: ClientCertificate | undefined;
}

/** Both ends of one loopback connection: bytes put in at `near` come out decrypted at `far`. */
export interface TlsPassage<C extends ByteConn = ByteConn> {
  readonly near: Deno.TcpConn;
  /** Once both sides agree on TLS; rejects when they do not. */
  readonly far: Promise<Decrypted<C>>;
}

/**
 * Ends TLS for connections accepted elsewhere. The platform cannot wrap a connection whose first bytes have been read,
 * so they are copied to a TLS server on loopback, which is opened on first use.
 */
export interface TlsTerminator {
  /** A new passage; its handshake has not begun. Rejects when there is no certificate. */
  open(): Promise<TlsPassage>;
  /** Drops the passage whose near end has this port: its client has gone. */
  forget(port: number): void;
  stop(): Promise<void>;
}

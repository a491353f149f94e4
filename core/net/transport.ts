/** The part of the network that a session uses; tests use an in-memory pair. */
import type { Disturbance } from "../faults/outcome.ts";

/** Options of a read. */
export interface ReadOptions {
  /** Maximum time without a byte, in milliseconds. */
  readonly idleMs: number;
  /** The bytes are valid only until the next read, which saves a new buffer for each chunk. */
  readonly reuse?: boolean | undefined;
  /** Limit of that buffer, which otherwise grows while it is filled each time. */
  readonly maxReused?: number | undefined;
  /**
   * Buffer to read into, if it is not empty; bytes that arrived earlier, or come through TLS, may be elsewhere. A read
   * that times out continues, and may still write here; if the buffer has been detached meanwhile, the bytes are lost.
   */
  readonly into?: Uint8Array | undefined;
  /**
   * Reads one byte at a time, so that none waits behind urgent data (RFC 9293 section 3.8.5): the system ends a read
   * before it, and the platform then assumes that everything was read until new data arrives. Transports other than
   * sockets may return more.
   */
  readonly bytewise?: boolean | undefined;
}

/** One accepted or opened byte stream. */
export interface Transport extends AsyncDisposable {
  /** Remote address as `host:port`. */
  readonly peer: string;
  /** Address the peer reached, as `host:port`. */
  readonly local: string;
  /** Returns `undefined` at the end of the stream. Rejects with `IdleError` after `idleMs` without a byte. */
  read(options: ReadOptions): Promise<Uint8Array | undefined>;
  /** Rejects with `IdleError` if the peer does not take the bytes within `idleMs` (default 60 000). */
  write(bytes: Uint8Array, options?: { idleMs?: number }): Promise<void>;
  /** Closes now, without a farewell; a pending read or write rejects. Absent if disposing does the same. */
  abort?(): void;
  /**
   * Aborts once the connection is closed, and a second after the peer has ended its side: it may have gone, or only
   * closed its half. Read while nothing else reads, so as to notice. Absent where there is no network.
   */
  readonly gone?: AbortSignal | undefined;
  /** Applies a network fault from now on: `close` disposes of the connection. Absent without a network. */
  disturb?(what: Disturbance): void;
  /** Sockets on the machine that the client has reached, if it is not this one. */
  readonly sockets?: Sockets | undefined;
}

/** Nothing arrived, or nothing was taken, within the limit. */
export class IdleError extends Error {
  override name = "IdleError";
}

/** The peer disconnected in the middle of something. */
export class DisconnectedError extends Error {
  override name = "DisconnectedError";
}

/** The TLS handshake failed. */
export class HandshakeError extends DisconnectedError {
  override name = "HandshakeError";
}

/** TLS ended without close_notify, though the connection under it was closed in order (RFC 8446 section 6.1). */
export class TruncatedError extends DisconnectedError {
  override name = "TruncatedError";
}

/** Message to a client that loses its place. */
export const DISPLACED = "Too many connections, and this one has not logged in";

/** The place of a connection on its listener. */
export interface Place {
  /** The client has logged in, and keeps its place. */
  keep(): void;
  /** Aborts, with a `DisplacedError`, when another client gets the place. The conversation reports that and ends. */
  readonly lost: AbortSignal;
}

/** All places are taken, and this client has not logged in. */
export class DisplacedError extends Error {
  override name = "DisplacedError";
  override message = DISPLACED;
}

/** One received datagram. */
export interface Datagram {
  /** As received. */
  readonly bytes: Uint8Array;
  /** Sender as `host:port`. */
  readonly peer: string;
  /** Address it was sent to, as `host:port`. */
  readonly local: string;
  /** Replies to the sender, from the socket of the datagram. */
  reply(bytes: Uint8Array): Promise<void>;
}

/** A socket for accepting connections, opened by a session itself (FTP passive mode). */
export interface TcpListener extends AsyncDisposable {
  /** Bound port. */
  readonly port: number;
  /** Rejects with `IdleError` if nobody connects within `idleMs`. */
  accept(options: { idleMs: number }): Promise<Transport>;
}

/** A socket for datagrams, opened by a session itself (TFTP transfers). */
export interface UdpSocket extends AsyncDisposable {
  /** Bound port. */
  readonly port: number;
  /** Sends one datagram; `to` is `host:port`. */
  send(bytes: Uint8Array, to: string): Promise<void>;
  /**
   * Resolves with the next datagram, or with `undefined` once the socket is disposed of. With `reuse` its bytes are
   * valid only until the next call. One call at a time.
   */
  receive(options?: { reuse?: boolean }): Promise<Datagram | undefined>;
}

/** Sockets for connections that belong to another one, such as those for data of FTP. */
export type Sockets = Pick<Net, "listenTcp" | "connectTcp">;

/** Sockets that a session opens; tests replace them. */
export interface Net {
  /** Rejects if the port is not available. */
  listenTcp(options: { hostname: string; port: number }): Promise<TcpListener>;
  /** Rejects if the peer does not accept within `idleMs`. */
  connectTcp(options: { hostname: string; port: number; idleMs: number }): Promise<Transport>;
  /** Opens a socket on the given port, or on any free one. */
  openUdp(options: { hostname: string; port?: number }): Promise<UdpSocket>;
  /**
   * Server side of a TLS handshake on an accepted connection, with the service certificate. `isTransfer` is for one that
   * carries a file: its client may close without reading, and a missing close_notify is a `TruncatedError`.
   */
  startTls(
    wire: Transport,
    options: { handshakeMs: number; isTransfer?: boolean },
  ): Promise<Transport>;
}

import { reasonOf } from "../errors.ts";
import type { TlsIdentity } from "../tls/identity.ts";
import { closeQuietly, writeAll } from "./socket.ts";
import { TcpTransport } from "./tcp_transport.ts";
import { TicketHold } from "./ticket_hold.ts";
import { openConversation, openTransfer } from "./tls_passage.ts";
import {
  DisconnectedError,
  HandshakeError,
  IdleError,
  type Transport,
  TruncatedError,
} from "./transport.ts";
import { within } from "./within.ts";

/** The session's limits apply to the inner connection; the pump only ends with it or with the peer. */
const PUMP_IDLE_MS = 24 * 60 * 60 * 1000;
/** Each pump has one buffer of this size: about a TLS record (RFC 8446 section 5.1). */
const PUMP_BYTES = 16_384;

/**
 * Server side of a TLS handshake on an accepted connection, new or in use (RFC 3207, RFC 4217). The platform cannot wrap
 * it, so its bytes are pumped to a TLS server on loopback. Rejects with `IdleError` or `HandshakeError` if the handshake fails. `wire` stays the caller's to close, after
 * the transport.
 *
 * With `isTransfer` the connection carries a file: a read rejects with `TruncatedError` if the peer closes without
 * close_notify, and session tickets wait until data is sent. A conversation needs them at once: the client's first
 * command may wait for a reply to the end of its handshake (RFC 9293 section 3.7.4).
 */
export async function startTls(
  wire: Transport,
  { handshakeMs, identity, isTransfer = false }: {
    handshakeMs: number;
    identity: TlsIdentity;
    isTransfer?: boolean;
  },
): Promise<Transport> {
  const passage = isTransfer
    ? await openTransfer(identity)
    : await openConversation(identity, { handshakeMs });
  const { near } = passage;
  const tickets = isTransfer ? new TicketHold() : undefined;
  let closed = false;
  const into = new Uint8Array(PUMP_BYTES);
  const inward = pump(
    async (idle) => {
      const chunk = await wire.read({ ...idle, into, reuse: true, maxReused: PUMP_BYTES });
      closed = chunk === undefined;
      return chunk;
    },
    async (bytes) => {
      tickets?.receive(bytes);
      await passage.room?.(bytes.length);
      await writeAll(near, bytes);
    },
    async () => await near.closeWrite(),
  );
  const buffer = new Uint8Array(PUMP_BYTES);
  const outward = pump(
    () => readSome(near, buffer),
    async (bytes) => {
      const due = tickets?.send(bytes) ?? bytes;
      if (due.length > 0) await wire.write(due);
    },
    () => Promise.resolve(),
  ).finally(() => {
    closeQuietly(near);
    passage.done();
  });
  const speak = (): void => {
    // The next write reports whether they could be written.
    for (const kept of tickets?.release() ?? []) wire.write(kept).catch(() => {});
  };
  let inner: TcpTransport;
  try {
    const { conn } = await within(passage.far, handshakeMs, `No TLS handshake from ${wire.peer}`);
    inner = new TcpTransport(conn, { peer: wire.peer, local: wire.local });
  } catch (error) {
    // A pending handshake keeps its end open; without the other one it fails.
    closeQuietly(near);
    passage.forget();
    await outward;
    if (error instanceof IdleError) throw error;
    const reason = reasonOf(error);
    throw new HandshakeError(`Cannot agree on TLS with ${wire.peer}: ${reason}`);
  }
  void inward;
  return {
    peer: wire.peer,
    local: wire.local,
    sockets: wire.sockets,
    async read(limits) {
      try {
        return await inner.read(limits);
      } catch (error) {
        if (!closed || !isTruncated(error)) throw error;
        throw new TruncatedError(`${wire.peer} closed its connection without ending TLS`);
      }
    },
    write(bytes, limits) {
      speak();
      return inner.write(bytes, limits);
    },
    get gone() {
      return wire.gone;
    },
    disturb(what) {
      if (what.kind !== "reset") return inner.disturb(what);
      // Only the connection around TLS can be reset.
      wire.disturb?.(what);
      closeQuietly(near);
      inner.abort();
    },
    abort() {
      closeQuietly(near);
      inner.abort();
    },
    async [Symbol.asyncDispose]() {
      speak();
      await inner[Symbol.asyncDispose]();
      // All written bytes must be on their way before the caller closes the outer connection.
      await outward;
    },
  };
}

function isTruncated(error: unknown): boolean {
  return error instanceof DisconnectedError && error.cause instanceof Deno.errors.UnexpectedEof;
}

async function pump(
  read: (options: { idleMs: number }) => Promise<Uint8Array | undefined>,
  write: (bytes: Uint8Array) => Promise<void>,
  end: () => Promise<void>,
): Promise<void> {
  try {
    for (;;) {
      const chunk = await read({ idleMs: PUMP_IDLE_MS });
      if (chunk === undefined) break;
      await write(chunk);
    }
  } catch {
    // Either end is gone; the session's next read reports it.
  }
  try {
    await end();
  } catch {
    // Fully closed.
  }
}

async function readSome(conn: Deno.Conn, buffer: Uint8Array): Promise<Uint8Array | undefined> {
  const count = await conn.read(buffer);
  return count === null ? undefined : buffer.subarray(0, count);
}

import { reasonOf } from "../errors.ts";
import type { TlsIdentity } from "../tls/identity.ts";
import { acceptNext } from "./accept.ts";
import { connectResettable, listenResettable } from "./resettable.ts";
import { isGone } from "./socket.ts";
import type { ByteConn } from "./socket_conn.ts";
import { startTls } from "./start_tls.ts";
import { TcpTransport } from "./tcp_transport.ts";
import {
  DisconnectedError,
  IdleError,
  type Net,
  type TcpListener,
  type Transport,
} from "./transport.ts";
import { openUdpSocket } from "./udp.ts";
import { within } from "./within.ts";

const NOTHING = new Uint8Array();

/** Sockets of a client, which does not listen. */
export const CLIENT_NET: Pick<Net, "connectTcp" | "openUdp"> = {
  connectTcp,
  openUdp: openUdpSocket,
};

/** The machine's network. */
export function createNet(
  options: {
    tls: TlsIdentity;
    /** Whether connections must be such that a fault can reset them; they cost a little more. */
    resettable?(): boolean;
  },
): Net {
  const { resettable = () => false } = options;
  return {
    ...CLIENT_NET,
    connectTcp: (where) => connectTcp({ ...where, resettable: resettable() }),
    listenTcp: async (where) =>
      openListener(resettable() ? await listenResettable(where) : listen(where)),
    startTls: (wire, limits) => startTls(wire, { ...limits, identity: options.tls }),
  };
}

interface Listening {
  readonly port: number;
  accept(): Promise<ByteConn>;
  close(): void;
}

function listen(where: { hostname: string; port: number }): Listening {
  const listener = Deno.listen(where);
  return {
    port: listener.addr.port,
    accept: () => listener.accept(),
    close: () => listener.close(),
  };
}

function openListener(listener: Listening): TcpListener {
  let accepting: Promise<ByteConn> | undefined;
  /** Its result, which no longer needs a timeout. */
  let accepted: ByteConn | undefined;
  let open = true;
  const begin = (): Promise<ByteConn> => {
    const pending = accepting = acceptNext(listener);
    pending.then((conn) => {
      if (accepting === pending) accepted = conn;
    }, () => {
      if (accepting === pending) accepting = undefined;
    });
    return pending;
  };
  // A client connects before it sends its command, so the listener accepts ahead of it.
  begin();
  return {
    port: listener.port,
    async accept({ idleMs }) {
      for (;;) {
        // The next call takes over an accept that outlived its timeout, so no connection is lost.
        const conn = accepted ??
          await within(accepting ?? begin(), idleMs, `No connection for ${idleMs} ms`);
        accepting = undefined;
        accepted = undefined;
        if (await isAlive(conn)) return new TcpTransport(conn);
        conn.close();
      }
    },
    async [Symbol.asyncDispose]() {
      if (!open) return;
      open = false;
      listener.close();
      const late = await accepting?.catch(() => undefined);
      late?.close();
    },
  };
}

/** Returns whether a connection has not been reset since it was accepted: then even writing nothing fails. */
async function isAlive(conn: ByteConn): Promise<boolean> {
  try {
    await conn.write(NOTHING);
    return true;
  } catch (error) {
    if (isGone(error)) return false;
    throw error;
  }
}

async function connectTcp(
  { hostname, port, idleMs, resettable = false }: {
    hostname: string;
    port: number;
    idleMs: number;
    resettable?: boolean;
  },
): Promise<Transport> {
  const cancel = new AbortController();
  const where = { hostname, port, signal: cancel.signal };
  const connecting: Promise<ByteConn> = resettable ? connectResettable(where) : Deno.connect(where);
  try {
    return new TcpTransport(
      await within(connecting, idleMs, `Cannot connect to ${hostname}:${port} in ${idleMs} ms`),
    );
  } catch (error) {
    cancel.abort();
    connecting.then((conn) => conn.close(), () => {});
    if (error instanceof IdleError) throw error;
    const reason = reasonOf(error);
    throw new DisconnectedError(`Cannot connect to ${hostname}:${port}: ${reason}`);
  }
}

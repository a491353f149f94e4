import { reasonOf } from "../errors.ts";
import type { TlsIdentity } from "../tls/identity.ts";
import { acceptNext } from "./accept.ts";
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

/** Sockets of a client, which does not listen. */
export const CLIENT_NET: Pick<Net, "connectTcp" | "openUdp"> = {
  connectTcp,
  openUdp: openUdpSocket,
};

/** The machine's network. */
export function createNet(options: { tls: TlsIdentity }): Net {
  return {
    ...CLIENT_NET,
    listenTcp: (where) => Promise.resolve(openListener(where)),
    startTls: (wire, { handshakeMs }) => startTls(wire, { handshakeMs, identity: options.tls }),
  };
}

function openListener(where: { hostname: string; port: number }): TcpListener {
  const listener = Deno.listen(where);
  let accepting: Promise<Deno.TcpConn> | undefined;
  let open = true;
  return {
    port: listener.addr.port,
    async accept({ idleMs }) {
      // The next call takes over an accept that outlived its time-out, so no connection is lost.
      const pending = accepting ??= acceptNext(listener);
      try {
        const conn = await within(pending, idleMs, `Nobody connected for ${idleMs} ms`);
        accepting = undefined;
        return new TcpTransport(conn);
      } catch (error) {
        if (!(error instanceof IdleError)) accepting = undefined;
        throw error;
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

async function connectTcp(
  { hostname, port, idleMs }: { hostname: string; port: number; idleMs: number },
): Promise<Transport> {
  const cancel = new AbortController();
  const connecting = Deno.connect({ hostname, port, signal: cancel.signal });
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

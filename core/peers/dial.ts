import { formatAddress, type HostPort } from "../net/address.ts";
import { closeQuietly } from "../net/socket.ts";
import { TcpTransport } from "../net/tcp_transport.ts";
import { DisconnectedError, type Sockets, type TcpListener } from "../net/transport.ts";
import { within } from "../net/within.ts";
import { readFrame, writeFrame } from "./frame.ts";
import { sealAsCaller, type SealedConn } from "./sealed.ts";

/** Maximum wait for a connection to another instance, and for its response, in milliseconds. */
const DIAL_MS = 2000;

/** Where an instance takes connections of the others, and the key that encrypts them. */
export interface PeerAddress extends HostPort {
  readonly key: string;
  /** False for a version that does not encrypt. */
  readonly isSealed: boolean;
}

/** Opens a connection to another instance with a request. Rejects if it cannot be reached, or refuses. */
export async function dial(
  { hostname, port, key, isSealed }: PeerAddress,
  request: Readonly<Record<string, unknown>>,
  { answerMs = DIAL_MS }: { answerMs?: number } = {},
): Promise<{ readonly conn: SealedConn; readonly answer: Readonly<Record<string, unknown>> }> {
  if (!isSealed) {
    throw new DisconnectedError(
      "the other instance is of an older version, whose connections are not encrypted; update it",
    );
  }
  const cancel = new AbortController();
  const connecting = Deno.connect({ hostname, port, signal: cancel.signal });
  let plain: Deno.TcpConn;
  try {
    plain = await within(connecting, DIAL_MS, "it does not answer");
  } catch (error) {
    cancel.abort();
    connecting.then(closeQuietly, () => {});
    throw error;
  }
  try {
    plain.setNoDelay(true);
    const conn = await within(sealAsCaller(plain, key), DIAL_MS, "it does not answer");
    await writeFrame(conn, request);
    const answer = await within(readFrame(conn), answerMs, "it does not answer");
    if (typeof answer.error === "string") throw new DisconnectedError(answer.error);
    return { conn, answer };
  } catch (error) {
    closeQuietly(plain);
    throw error;
  }
}

/** Sockets on the machine of another instance, for a client that has connected there. */
export function socketsOf(home: PeerAddress, { from }: { readonly from: string }): Sockets {
  return {
    async listenTcp({ hostname, port }) {
      const { conn, answer } = await dial(home, { listen: { hostname, port, from } });
      return toListener(conn, Number(answer.port));
    },
    async connectTcp({ hostname, port, idleMs }) {
      const request = { connect: { hostname, port } };
      const { conn, answer } = await dial(home, request, { answerMs: idleMs + DIAL_MS });
      const peer = formatAddress({ hostname, port });
      return new TcpTransport(conn, { peer, local: String(answer.local) });
    },
  };
}

/** A listener for one connection, which then comes through `conn`. */
function toListener(conn: SealedConn, port: number): TcpListener {
  const accepted = readFrame(conn);
  // Reported by `accept`.
  accepted.catch(() => {});
  let isTaken = false;
  return {
    port,
    async accept({ idleMs }) {
      const { peer, local } = await within(accepted, idleMs, `Nobody connected for ${idleMs} ms`);
      if (isTaken) throw new DisconnectedError("The port takes one connection");
      isTaken = true;
      // The other side reads it, so that it notices if this one gives up.
      await writeFrame(conn, { go: true });
      return new TcpTransport(conn, { peer: String(peer), local: String(local) });
    },
    [Symbol.asyncDispose]() {
      if (!isTaken) closeQuietly(conn);
      return Promise.resolve();
    },
  };
}

import type { Server, Socket } from "node:net";
import { isAddressInUse } from "./address.ts";
import { type ByteConn, SocketConn } from "./socket_conn.ts";

/** Attempts to bind the port, and the pause between two, in milliseconds. */
const TRIES = 200;
const PAUSE_MS = 5;

/** Accepts connections. */
interface Listening {
  accept(): Promise<ByteConn>;
  close(): void;
}

interface Address {
  readonly hostname: string;
  readonly port: number;
}

/**
 * A listener of the platform until a fault needs to reset connections, then one of `node:net` on the same port. The
 * platform's connections cannot be reset: they lack SO_LINGER, and closing one sends a reset only if data was left
 * unread. Connections accepted before the change stay as they are.
 */
export class ResettableListener implements Listening {
  readonly #where: Address;
  #inner: Listening;
  #changing: Promise<void> | undefined;
  #closed = false;

  constructor(inner: Listening, where: Address) {
    this.#inner = inner;
    this.#where = where;
  }

  async accept(): Promise<ByteConn> {
    for (;;) {
      // Its rejection may come only when another one has its place.
      const inner = this.#inner;
      try {
        return await inner.accept();
      } catch (error) {
        await this.#changing;
        if (this.#closed || inner === this.#inner) throw error;
      }
    }
  }

  close(): void {
    this.#closed = true;
    this.#inner.close();
  }

  /** Makes later connections resettable. Accepts none for a moment. Rejects if another program takes the port. */
  makeResettable(): Promise<void> {
    return this.#changing ??= this.#change();
  }

  async #change(): Promise<void> {
    if (this.#closed) return;
    this.#inner.close();
    // The platform frees the port once the pending accept has ended.
    for (let tries = 1;; tries++) {
      try {
        this.#inner = await listenResettable(this.#where);
        break;
      } catch (error) {
        if (!isAddressInUse(error) || tries === TRIES) throw error;
        await new Promise((go) => setTimeout(go, PAUSE_MS));
      }
    }
    if (this.#closed) this.#inner.close();
  }
}

/** Listens for connections that can be reset. Rejects if the port is not available. */
export async function listenResettable(where: Address): Promise<Listening & { port: number }> {
  const { createServer } = await import("node:net");
  const sockets = new Waiting();
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    sockets.add(socket);
  });
  await listen(server, where);
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : where.port,
    accept: () => sockets.next(),
    close() {
      sockets.close();
      server.close();
    },
  };
}

/** Opens a connection that can be reset; `signal` gives up. */
export async function connectResettable(
  { hostname: host, port, signal }: Address & { signal: AbortSignal },
): Promise<ByteConn> {
  const { connect } = await import("node:net");
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect({ host, port, allowHalfOpen: true, noDelay: true });
  const giveUp = (): void => void socket.destroy(new Error("It took too long"));
  signal.addEventListener("abort", giveUp, { once: true });
  socket.once("error", reject);
  socket.once("connect", resolve);
  try {
    await promise;
  } finally {
    signal.removeEventListener("abort", giveUp);
  }
  const conn = new SocketConn(socket);
  socket.off("error", reject);
  return conn;
}

function listen(server: Server, { hostname: host, port }: Address): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen({ host, port }, () => {
    server.off("error", reject);
    resolve();
  });
  return promise;
}

/** Accepted connections that wait for `accept()`. */
class Waiting {
  readonly #held: SocketConn[] = [];
  #taker: PromiseWithResolvers<ByteConn> | undefined;
  #closed = false;

  add(socket: Socket): void {
    const conn = new SocketConn(socket);
    const taker = this.#taker;
    this.#taker = undefined;
    if (taker !== undefined) taker.resolve(conn);
    else this.#held.push(conn);
  }

  next(): Promise<ByteConn> {
    const conn = this.#held.shift();
    if (conn !== undefined) return Promise.resolve(conn);
    if (this.#closed) return Promise.reject(new Deno.errors.BadResource("The listener is closed"));
    return (this.#taker = Promise.withResolvers<ByteConn>()).promise;
  }

  close(): void {
    this.#closed = true;
    for (const conn of this.#held) conn.close();
    this.#taker?.reject(new Deno.errors.BadResource("The listener is closed"));
  }
}

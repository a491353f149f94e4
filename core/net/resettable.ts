import type { Server, Socket } from "node:net";
import { isAddressInUse } from "./address.ts";
import { type ByteConn, SocketConn } from "./socket_conn.ts";

/** How often the port is asked for, and the pause between, in milliseconds. */
const TRIES = 200;
const PAUSE_MS = 5;

/** What takes connections. */
interface Listening {
  accept(): Promise<ByteConn>;
  close(): void;
}

/**
 * A listener of the platform until a fault wants to reset connections. Those that it accepts cannot be reset: it offers
 * no SO_LINGER, and closing sends a reset only where something was left unread. Those of `node:net` can, so that from
 * then on such a one listens on the same port; connections that are open already stay what they are.
 */
export class ResettableListener implements Listening {
  readonly #where: { hostname: string; port: number };
  #inner: Listening;
  #changing: Promise<void> | undefined;
  #closed = false;

  constructor(inner: Listening, where: { hostname: string; port: number }) {
    this.#inner = inner;
    this.#where = where;
  }

  async accept(): Promise<ByteConn> {
    for (;;) {
      try {
        return await this.#inner.accept();
      } catch (error) {
        const inner = this.#inner;
        await this.#changing;
        if (this.#closed || inner === this.#inner) throw error;
      }
    }
  }

  close(): void {
    this.#closed = true;
    this.#inner.close();
  }

  /** From now on connections can be reset. Nothing is accepted for a moment. Rejects when the port is lost meanwhile. */
  makeResettable(): Promise<void> {
    return this.#changing ??= this.#change();
  }

  async #change(): Promise<void> {
    if (this.#closed) return;
    const { createServer } = await import("node:net");
    const sockets = new Waiting();
    const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
      sockets.add(socket);
    });
    this.#inner.close();
    // The platform lets go of the port once the accept that is under way has ended.
    for (let tries = 1;; tries++) {
      try {
        await listen(server, this.#where);
        break;
      } catch (error) {
        if (!isAddressInUse(error) || tries === TRIES) throw error;
        await new Promise((go) => setTimeout(go, PAUSE_MS));
      }
    }
    this.#inner = {
      accept: () => sockets.next(),
      close() {
        sockets.close();
        server.close();
      },
    };
    if (this.#closed) this.#inner.close();
  }
}

function listen(
  server: Server,
  { hostname: host, port }: { hostname: string; port: number },
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen({ host, port }, () => {
    server.off("error", reject);
    resolve();
  });
  return promise;
}

/** Connections that came and that nobody has taken yet. */
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

import type { Logger } from "../log.ts";
import { acceptLoop } from "./accept.ts";
import { closeQuietly } from "./socket.ts";
import type { TlsIdentity } from "../tls/identity.ts";
import type { Decrypted, TlsPassage, TlsTerminator } from "./tls_terminator.ts";

/** Ends TLS with the platform's listener, which does not request a client certificate. */
export class ListenerTerminator implements TlsTerminator {
  readonly #identity: TlsIdentity;
  readonly #log: Logger;
  readonly #alpnProtocols: readonly string[] | undefined;
  readonly #stopping = new AbortController();
  /** Waits by client port. */
  readonly #waiting = new Map<number, PromiseWithResolvers<Deno.TlsConn>>();
  /** Connections without a wait so far. */
  readonly #arrived = new Map<number, Deno.TlsConn>();
  #opening = 0;
  #listening: Promise<Deno.TlsListener> | undefined;
  #loop: Promise<void> | undefined;

  /** `alpnProtocols` to negotiate; without them ALPN is off. */
  constructor(
    identity: TlsIdentity,
    { log, alpnProtocols }: { log: Logger; alpnProtocols?: readonly string[] },
  ) {
    this.#alpnProtocols = alpnProtocols;
    this.#identity = identity;
    this.#log = log;
  }

  async open(): Promise<TlsPassage<Deno.TlsConn>> {
    this.#listening ??= this.#listen();
    // A retry may succeed.
    this.#listening.catch(() => this.#listening = undefined);
    const listener = await this.#listening;
    this.#opening++;
    let near: Deno.TcpConn | undefined;
    try {
      near = await Deno.connect({ hostname: "127.0.0.1", port: listener.addr.port });
      near.setNoDelay(true);
      const { port } = near.localAddr;
      const far = await this.#farEnd(port);
      return { near, far: agree(far), forget: () => void this.#waiting.delete(port) };
    } catch (error) {
      if (near !== undefined) closeQuietly(near);
      throw error;
    } finally {
      this.#opening--;
      if (this.#opening === 0) this.#closeStrangers();
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    const listener = await this.#listening?.catch(() => undefined);
    if (listener !== undefined) closeQuietly(listener);
    await this.#loop;
    for (const waiter of this.#waiting.values()) {
      waiter.reject(new Deno.errors.Interrupted("The server stops"));
    }
  }

  async #listen(): Promise<Deno.TlsListener> {
    const { cert, key } = await this.#identity.certificate();
    this.#stopping.signal.throwIfAborted();
    const listener = Deno.listenTls({
      hostname: "127.0.0.1",
      port: 0,
      cert,
      key,
      ...(this.#alpnProtocols && { alpnProtocols: [...this.#alpnProtocols] }),
    });
    this.#loop = acceptLoop(listener, {
      signal: this.#stopping.signal,
      log: this.#log,
      port: listener.addr.port,
      take: (conn) => this.#take(conn),
    });
    return listener;
  }

  /** Either end of a connection may be registered first. */
  #farEnd(port: number): Promise<Deno.TlsConn> {
    const arrived = this.#arrived.get(port);
    this.#arrived.delete(port);
    if (arrived !== undefined) return Promise.resolve(arrived);
    const waiter = Promise.withResolvers<Deno.TlsConn>();
    this.#waiting.set(port, waiter);
    return waiter.promise;
  }

  #take(conn: Deno.TlsConn): void {
    const { port } = conn.remoteAddr as Deno.NetAddr;
    const waiter = this.#waiting.get(port);
    this.#waiting.delete(port);
    if (waiter !== undefined) waiter.resolve(conn);
    else if (this.#opening > this.#arrived.size) this.#arrived.set(port, conn);
    else closeQuietly(conn);
  }

  /** Closes connections of other programs on this machine. */
  #closeStrangers(): void {
    for (const conn of this.#arrived.values()) closeQuietly(conn);
    this.#arrived.clear();
  }
}

async function agree(conn: Deno.TlsConn): Promise<Decrypted<Deno.TlsConn>> {
  try {
    await conn.handshake();
    return { conn, certificate: undefined };
  } catch (error) {
    closeQuietly(conn);
    throw error;
  }
}

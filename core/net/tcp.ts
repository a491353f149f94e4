import type { TlsIdentity } from "../tls/identity.ts";
import { listenAll } from "./listen.ts";
import type { ConnNames, Load, RefusedConnection, Server } from "./server.ts";
import { Places } from "./places.ts";
import { ResettableListener } from "./resettable.ts";
import type { ByteConn } from "./socket_conn.ts";
import { splice, type SplicedConn } from "./splice.ts";
import { startTls } from "./start_tls.ts";
import { TcpTransport } from "./tcp_transport.ts";
import type { Place, Transport } from "./transport.ts";
import { acceptLoop } from "./accept.ts";
import { type Logger, silentLogger } from "../log.ts";
import { within } from "./within.ts";

export type { Server } from "./server.ts";

/** Options of `serveTcp`. */
export interface ServeTcpOptions {
  /** `localhost` listens on both loopback addresses. */
  readonly hostname: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Maximum number of connections; further ones get `busyReply` and are closed. */
  readonly maxConnections: number;
  readonly busyReply?: Uint8Array;
  /** TLS from the first byte. */
  readonly tls?: TlsIdentity;
  /** Passes connections on to another instance. */
  readonly relay?: Relay;
  /** Reports failed accepts, if given. */
  readonly log?: Logger;
  /** Whether clients log in: a full listener then frees the place of one that has not done so. */
  readonly logsIn?: boolean;
  /** Called for each connection that is refused, or closed, because `maxConnections` are open. */
  onFull?(turned: RefusedConnection): void;
  /** Holds one conversation; the connection is closed when it ends. */
  serve(wire: Transport, place: Place): Promise<void>;
  /** Called with the error of `serve`; the other conversations go on. */
  onError(error: unknown, wire: Transport): void;
}

/** Finds the instance that serves a client. */
export interface Relay {
  /** Returns a connection to another instance that serves this client; nothing if this one does. */
  open(client: Pick<Transport, "peer" | "local">): Promise<SplicedConn | undefined>;
}

/** Connections over the cap that get the busy reply at the same time; more are closed silently. */
const MAX_TURNED_AWAY = 64;
const BUSY_IDLE_MS = 1000;
const HANDSHAKE_MS = 10_000;
/** Time for a conversation to notice that it was cut. */
const CUT_MS = 1000;

/** Accepts connections and holds a conversation on each. Rejects if it cannot bind. */
export async function serveTcp(options: ServeTcpOptions): Promise<Server> {
  // Without a certificate, it must not listen.
  await options.tls?.certificate();
  const { bound, port } = listenAll(options, (where) => {
    const listener = Deno.listen(where);
    const { port } = listener.addr;
    const { hostname } = where;
    return { bound: new ResettableListener(listener, { hostname, port }), port };
  });
  const conversations = new Conversations(options);
  const stopping = new AbortController();
  const loops = bound.map((listener) =>
    acceptLoop(listener, {
      signal: stopping.signal,
      log: options.log ?? silentLogger,
      port,
      take: (conn) => conversations.take(conn),
    })
  );
  let stopped: Promise<void> | undefined;
  return {
    hostname: options.hostname,
    port,
    load: () => conversations.load(),
    async makeResettable() {
      for (const listener of bound) await listener.makeResettable();
    },
    adopting: { adopt: (conn, names) => conversations.take(conn, names) },
    cut: ({ graceMs }) => conversations.cut(graceMs),
    stop({ graceMs }) {
      return stopped ??= (async () => {
        stopping.abort();
        for (const listener of bound) listener.close();
        conversations.hurry();
        await Promise.all(loops);
        await conversations.end(graceMs);
      })();
    },
  };
}

class Conversations {
  readonly #options: ServeTcpOptions;
  readonly #running = new Map<TcpTransport, Promise<void>>();
  readonly #places = new Places<TcpTransport>();
  #turnedAway = 0;
  #refused = 0;
  #served = 0;

  constructor(options: ServeTcpOptions) {
    this.#options = options;
  }

  /**
   * `names` are those of a connection that another instance passes on. Resolves when the conversation has ended.
   */
  take(conn: ByteConn, names?: ConnNames): Promise<void> {
    const wire = new TcpTransport(conn, names);
    const busy = this.load().connections >= this.#options.maxConnections &&
      !this.#makeRoom();
    if (busy) this.#refuse(wire.peer);
    if (busy && this.#turnedAway >= MAX_TURNED_AWAY) {
      wire.abort();
      return Promise.resolve();
    }
    const isPassedOn = names !== undefined;
    const running = (busy ? this.#turnAway(wire) : this.#hold(wire, conn, { isPassedOn }))
      .finally(() => this.#running.delete(wire));
    this.#running.set(wire, running);
    return running;
  }

  cut(graceMs: number): void {
    for (const [wire, running] of this.#running) {
      const timer = setTimeout(() => wire.abort(), graceMs);
      void running.finally(() => clearTimeout(timer));
    }
  }

  load(): Load {
    const { maxConnections } = this.#options;
    const connections = this.#served - this.#places.losing;
    return { connections, maxConnections, refused: this.#refused };
  }

  /** Frees the place of a client that has not logged in, if there is one. */
  #makeRoom(): boolean {
    if (this.#options.logsIn !== true || this.#places.losing >= MAX_TURNED_AWAY) return false;
    const loser = this.#places.takeAway();
    if (loser !== undefined) this.#refuse(loser.peer);
    return loser !== undefined;
  }

  #refuse(peer: string): void {
    this.#refused++;
    this.#options.onFull?.({ peer, ...this.load() });
  }

  /** Shortens the closing of connections from now on. */
  hurry(): void {
    for (const wire of this.#running.keys()) wire.hurry();
  }

  async end(graceMs: number): Promise<void> {
    if (this.#running.size === 0) return;
    const all = Promise.all(this.#running.values());
    try {
      await within(all.then(() => {}), graceMs, "Conversations are still open");
    } catch {
      for (const wire of this.#running.keys()) wire.abort();
      // A conversation that waits for something other than its peer must not delay the stop.
      await within(all.then(() => {}), CUT_MS, "Conversations went on").catch(() => {});
    }
  }

  async #hold(
    wire: TcpTransport,
    conn: ByteConn,
    { isPassedOn }: { isPassedOn: boolean },
  ): Promise<void> {
    this.#served++;
    const place = this.#places.take(wire);
    try {
      const far = isPassedOn ? undefined : await this.#options.relay?.open(wire);
      if (far !== undefined) {
        // Whether its client logs in is known there.
        place.keep();
        await splice(conn, far);
        return wire.abort();
      }
      const { tls: identity } = this.#options;
      if (identity !== undefined) {
        await using inner = await startTls(wire, { handshakeMs: HANDSHAKE_MS, identity });
        return await this.#options.serve(inner, place);
      }
      await this.#options.serve(wire, place);
    } catch (error) {
      this.#report(error, wire);
    } finally {
      this.#served--;
      this.#places.leave(wire);
      await wire[Symbol.asyncDispose]();
    }
  }

  async #turnAway(wire: TcpTransport): Promise<void> {
    this.#turnedAway++;
    try {
      const { busyReply } = this.#options;
      if (busyReply !== undefined) await wire.write(busyReply, { idleMs: BUSY_IDLE_MS });
    } catch {
      // Gone before the reply.
    } finally {
      await wire[Symbol.asyncDispose]();
      this.#turnedAway--;
    }
  }

  #report(error: unknown, wire: Transport): void {
    try {
      this.#options.onError(error, wire);
    } catch {
      // A failing report must not stop the listener.
    }
  }
}

import { ConfigError, reasonOf } from "../errors.ts";
import type { Logger } from "../log.ts";
import { acceptLoop } from "../net/accept.ts";
import { addressOf, formatAddress, parseAddress } from "../net/address.ts";
import type { Adopting, Server } from "../net/server.ts";
import { closeQuietly } from "../net/socket.ts";
import { splice } from "../net/splice.ts";
import { within } from "../net/within.ts";
import { type PeerAddress, socketsOf } from "./dial.ts";
import { readFrame, writeFrame } from "./frame.ts";
import { sealAsCalled, type SealedConn, UnsealedError } from "./sealed.ts";

/** Maximum wait for the request of a new connection, in milliseconds. */
const REQUEST_MS = 2000;
/** Maximum wait for a client that another instance connects to, in milliseconds. */
const CONNECT_MS = 10_000;
/** Maximum time that a port is open for a client, in milliseconds. */
const LISTEN_MS = 600_000;
/** Maximum wait for the end of closed connections, in milliseconds. */
const CLOSED_MS = 1000;
/** Connections of other instances at a time, and those of them without a request yet. */
const MAX_CONNECTIONS = 4096;
const MAX_UNKNOWN = 128;
/** Strangers refused before a port is closed. */
const MAX_STRANGERS = 16;

/** Options of the port. */
export interface PeerPortOptions {
  /** Host under which the other instances reach it. */
  readonly host: string;
  /** Addresses to listen on, in order: the first that is of this machine. */
  readonly binds: readonly string[];
  /** 0 takes any free port. */
  readonly port: number;
  readonly log: Logger;
}

/** A server that takes over connections while this instance serves them. */
export interface AdoptingServer {
  readonly server: Adopting;
  /** Whether this instance serves its clients now. */
  isOpen(): boolean;
}

/**
 * The port for connections between instances: clients of another one that this one serves, and sockets that a session
 * here opens on the machine of another one. The key, which is in NATS alone, encrypts them.
 */
export class PeerPort implements Server {
  readonly hostname: string;
  readonly port: number;
  readonly #key = crypto.getRandomValues(new Uint8Array(32)).toHex();
  readonly #host: string;
  readonly #listener: Deno.TcpListener;
  readonly #log: Logger;
  readonly #servers = new Map<string, AdoptingServer>();
  readonly #stopping = new AbortController();
  readonly #open = new Set<{ close(): void }>();
  /** Ports that wait for a client. */
  readonly #waiting = new Set<{ close(): void }>();
  readonly #running = new Set<Promise<void>>();
  readonly #loop: Promise<void>;
  /** Connections without a request, the oldest first. */
  readonly #unknown = new Set<Deno.TcpConn>();
  #hasWarned = false;

  /** Throws `ConfigError` if it cannot listen. */
  static open(options: PeerPortOptions): PeerPort {
    const { binds, port, host } = options;
    let reason = "";
    for (const hostname of binds) {
      try {
        return new PeerPort(Deno.listen({ hostname, port }), options);
      } catch (error) {
        reason ||= reasonOf(error);
      }
    }
    throw new ConfigError(
      `Cannot listen on ${formatAddress({ hostname: binds[0] ?? host, port })} for other ` +
        `instances: ${reason}; set [storage.nats] peer_host (--nats-peer-host) and peer_port`,
    );
  }

  constructor(listener: Deno.TcpListener, { host, log }: PeerPortOptions) {
    this.#listener = listener;
    this.#host = host;
    this.#log = log;
    const { hostname, port } = listener.addr;
    this.hostname = hostname;
    this.port = port;
    const { signal } = this.#stopping;
    const take = (conn: Deno.TcpConn): void => this.#take(conn);
    this.#loop = acceptLoop(listener, { signal, log, port, take });
  }

  /** What the other instances need to reach this one. */
  get address(): PeerAddress {
    return { hostname: this.#host, port: this.port, key: this.#key, isSealed: true };
  }

  /** Takes over connections for a listener. */
  serve(on: string, server: AdoptingServer): void {
    this.#servers.set(on, server);
  }

  async stop({ graceMs }: { graceMs: number }): Promise<void> {
    this.#stopping.abort();
    closeQuietly(this.#listener);
    for (const one of this.#waiting) closeQuietly(one);
    await this.#loop;
    const all = Promise.all(this.#running).then(() => {});
    await within(all, graceMs, "Connections are still open").catch(() => {});
    for (const one of this.#open) closeQuietly(one);
    // Their work ends once it notices.
    await within(all, CLOSED_MS, "Closed connections are still in use").catch(() => {});
  }

  #take(conn: Deno.TcpConn): void {
    if (this.#open.size >= MAX_CONNECTIONS) {
      this.#log.warn("Too many connections of other instances", { limit: MAX_CONNECTIONS });
      return closeQuietly(conn);
    }
    // Another instance sends its request at once, so the oldest is a stranger.
    const [oldest] = this.#unknown;
    if (oldest !== undefined && this.#unknown.size >= MAX_UNKNOWN) {
      this.#unknown.delete(oldest);
      closeQuietly(oldest);
    }
    this.#open.add(conn);
    this.#unknown.add(conn);
    const running = this.#handle(conn).catch((error) => {
      closeQuietly(conn);
      this.#log.debug("Lost a connection of another instance", { reason: reasonOf(error) });
    }).finally(() => {
      this.#open.delete(conn);
      this.#running.delete(running);
    });
    this.#running.add(running);
  }

  async #handle(plain: Deno.TcpConn): Promise<void> {
    let conn: SealedConn;
    let request: Readonly<Record<string, unknown>>;
    try {
      plain.setNoDelay(true);
      const agreeing = sealAsCalled(plain, this.#key);
      conn = await within(agreeing, REQUEST_MS, "its handshake did not end in time");
      request = await within(readFrame(conn), REQUEST_MS, "it sends no request");
    } catch (error) {
      this.#warnOnce(error);
      throw error;
    } finally {
      this.#unknown.delete(plain);
    }
    try {
      if (isRecord(request.serve)) return await this.#adopt(plain, conn, request.serve);
      if (isRecord(request.listen)) return await this.#listen(conn, request.listen);
      if (isRecord(request.connect)) return await this.#connect(conn, request.connect);
      throw new Error("its request is unknown");
    } catch (error) {
      await writeFrame(conn, { error: reasonOf(error) });
      throw error;
    }
  }

  #warnOnce(error: unknown): void {
    if (!(error instanceof UnsealedError) || this.#hasWarned) return;
    this.#hasWarned = true;
    this.#log.warn("An instance of an older version does not encrypt its connections: update it");
  }

  async #adopt(
    plain: Deno.TcpConn,
    conn: SealedConn,
    about: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const found = this.#servers.get(String(about.on));
    if (found?.isOpen() !== true) throw new Error("this instance does not serve it");
    const [peer, local] = [String(about.peer), String(about.local)];
    const { hostname, port, key } = isRecord(about.home) ? about.home : {};
    const isSealed = true;
    const home = { hostname: String(hostname), port: Number(port), key: String(key), isSealed };
    const from = parseAddress(peer).hostname;
    await writeFrame(conn, { ok: true });
    // From here on it belongs to that listener.
    this.#open.delete(plain);
    await found.server.adopt(conn, { peer, local, sockets: socketsOf(home, { from }) });
  }

  async #listen(conn: SealedConn, about: Readonly<Record<string, unknown>>): Promise<void> {
    const [hostname, from] = [String(about.hostname), String(about.from)];
    const listener = Deno.listen({ hostname, port: Number(about.port) });
    this.#waiting.add(listener);
    let client: Deno.TcpConn;
    let go: Promise<unknown>;
    try {
      await writeFrame(conn, { port: listener.addr.port });
      // Ends when the other instance no longer needs the port.
      go = readFrame(conn);
      const over = go.then(() => Promise.reject(new Error("it sent more than its request")));
      const accepting = acceptFrom(listener, from);
      over.catch(() => {});
      accepting.catch(() => {});
      client = await within(Promise.race([accepting, over]), LISTEN_MS, "nobody connected");
    } finally {
      this.#waiting.delete(listener);
      closeQuietly(listener);
    }
    this.#open.add(client);
    try {
      const peer = addressOf(client.remoteAddr);
      await writeFrame(conn, { peer, local: addressOf(client.localAddr) });
      await go;
      await splice(client, conn);
    } finally {
      closeQuietly(client);
      closeQuietly(conn);
      this.#open.delete(client);
    }
  }

  async #connect(conn: SealedConn, about: Readonly<Record<string, unknown>>): Promise<void> {
    const [hostname, port] = [String(about.hostname), Number(about.port)];
    const cancel = new AbortController();
    const connecting = Deno.connect({ hostname, port, signal: cancel.signal });
    let client: Deno.TcpConn;
    try {
      client = await within(connecting, CONNECT_MS, "it does not answer");
    } catch (error) {
      cancel.abort();
      connecting.then(closeQuietly, () => {});
      const reason = reasonOf(error);
      throw new Error(`Cannot connect to ${formatAddress({ hostname, port })}: ${reason}`);
    }
    this.#open.add(client);
    try {
      await writeFrame(conn, { local: addressOf(client.localAddr) });
      await splice(client, conn);
    } finally {
      closeQuietly(client);
      this.#open.delete(client);
    }
  }
}

/** Accepts the connection of one host. */
async function acceptFrom(listener: Deno.TcpListener, from: string): Promise<Deno.TcpConn> {
  for (let turned = 0; turned < MAX_STRANGERS; turned++) {
    const conn = await listener.accept();
    if (plain(conn.remoteAddr.hostname) === plain(from)) return conn;
    closeQuietly(conn);
  }
  throw new Error(`Only other hosts connected, none from ${from}`);
}

/** An IPv4-mapped address as IPv4. */
function plain(hostname: string): string {
  return hostname.toLowerCase().replace(/^::ffff:(?=\d+\.)/, "");
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

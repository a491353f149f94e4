import type { Socket } from "node:net";
import type { Server as TlsServer, TLSSocket } from "node:tls";
import type { ClientCertificate } from "../events/event.ts";
import { SocketConn } from "./socket_conn.ts";
import type { Certificate, TlsIdentity } from "../tls/identity.ts";
import type { Decrypted, TlsPassage, TlsTerminator } from "./tls_terminator.ts";

/**
 * Maximum bytes on their way to the platform's TLS, unless they are one piece; it keeps a buffer of this size and half of
 * it for each connection.
 */
const WINDOW_BYTES = 32_768;
/** Decrypted bytes that wait to be read; beyond it, writing pauses. */
const UNREAD_BYTES = 32_768;
/** Pause between two looks whether the platform has read what was written, in milliseconds. */
const LOOK_MS = 1;

/** Handshake errors kept for closing connections; those of other programs' connections are never fetched. */
const MAX_FAILURES = 16;

/** A connection from its start, and the limit of its handshake. */
interface Accepted {
  readonly socket: Socket;
  readonly late: ReturnType<typeof setTimeout>;
}

/** Maximum number of servers for the certificates of single names; the oldest go. */
const MAX_NAMED = 100;

/** Options of a server. */
interface ServerOptions {
  readonly handshakeMs: number;
  readonly alpnProtocols: readonly string[];
  /** Whether clients are asked for a certificate; they are by default. */
  readonly asks?: boolean;
}

/**
 * Ends TLS with servers of `node:tls`, which may ask for a client certificate: never required, and not checked. Each
 * certificate has its own: a server that chooses one by the host of its client keeps the memory of every connection that
 * ends before it has chosen.
 */
export class AskingTerminator implements TlsTerminator {
  readonly #identity: TlsIdentity;
  readonly #options: ServerOptions;
  readonly #common: AskingServer;
  /** Servers of certificates for a single name, by name. */
  readonly #named = new Map<string, AskingServer>();

  constructor(identity: TlsIdentity, options: ServerOptions) {
    this.#identity = identity;
    this.#options = options;
    this.#common = new AskingServer(() => identity.certificate(), options);
  }

  async open(serverName?: string): Promise<TlsPassage<SocketConn>> {
    const own = serverName && await this.#identity.certificateFor?.(serverName);
    return await (own ? this.#serverFor(serverName.toLowerCase(), own) : this.#common).open();
  }

  async stop(): Promise<void> {
    await Promise.all([this.#common, ...this.#named.values()].map((server) => server.stop()));
  }

  #serverFor(name: string, certificate: Certificate): AskingServer {
    const known = this.#named.get(name);
    if (known !== undefined) return known;
    const server = new AskingServer(() => Promise.resolve(certificate), this.#options);
    this.#named.set(name, server);
    const [oldest] = this.#named;
    if (this.#named.size > MAX_NAMED && oldest !== undefined) {
      this.#named.delete(oldest[0]);
      // Its connections go on.
      void oldest[1].stop();
    }
    return server;
  }
}

/** A server of one certificate, opened on first use. */
class AskingServer {
  readonly #certificate: () => Promise<Certificate>;
  readonly #handshakeMs: number;
  /** Waits by client port. */
  readonly #waiting = new Map<number, PromiseWithResolvers<Decrypted<SocketConn>>>();
  /** Connections by client port. */
  readonly #accepted = new Map<number, Accepted>();
  /** Errors of handshakes whose connections are about to close: the platform reports the error first, without a port. */
  readonly #failures: Error[] = [];
  #listening: Promise<TlsServer> | undefined;
  #stopped = false;

  readonly #alpnProtocols: readonly string[];
  readonly #asks: boolean;

  constructor(
    certificate: () => Promise<Certificate>,
    { handshakeMs, alpnProtocols, asks = true }: ServerOptions,
  ) {
    this.#alpnProtocols = alpnProtocols;
    this.#asks = asks;
    this.#certificate = certificate;
    this.#handshakeMs = handshakeMs;
  }

  async open(): Promise<TlsPassage<SocketConn>> {
    this.#listening ??= this.#listen();
    // A retry may succeed.
    this.#listening.catch(() => this.#listening = undefined);
    const server = await this.#listening;
    const address = server.address();
    if (address === null || typeof address === "string") throw stopped();
    const near = await Deno.connect({ hostname: "127.0.0.1", port: address.port });
    near.setNoDelay(true);
    // Nothing has been sent yet, so the handshake cannot finish before the wait begins.
    const waiter = Promise.withResolvers<Decrypted<SocketConn>>();
    const { port } = near.localAddr;
    this.#waiting.set(port, waiter);
    const flow = new Flow(() => this.#accepted.get(port)?.socket);
    waiter.promise.then(({ conn }) => flow.far = conn, () => {});
    return {
      near,
      far: waiter.promise,
      room: (bytes) => flow.room(bytes),
      forget: () => {
        this.#waiting.delete(port);
        // The platform leaves some connections with failed handshakes open.
        this.#accepted.get(port)?.socket.destroy();
      },
    };
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    const server = await this.#listening?.catch(() => undefined);
    for (const waiter of this.#waiting.values()) waiter.reject(stopped());
    this.#waiting.clear();
    if (server === undefined) return;
    // The owners close their connections; the server only has to stop accepting.
    const closed = Promise.withResolvers<void>();
    server.close(() => closed.resolve());
    await closed.promise;
  }

  async #listen(): Promise<TlsServer> {
    // Loaded with the first TLS client: most runs have none.
    const { createServer } = await import("node:tls");
    const { cert, key } = await this.#certificate();
    if (this.#stopped) throw stopped();
    const server = createServer({
      cert,
      key,
      ALPNProtocols: [...this.#alpnProtocols],
      requestCert: this.#asks,
      rejectUnauthorized: false,
      // None: the platform would keep each socket until its timer ends, however early it closes.
      handshakeTimeout: -1,
    });
    server.on("secureConnection", (socket) => this.#take(socket));
    server.on("tlsClientError", (error) => {
      this.#failures.push(error);
      if (this.#failures.length > MAX_FAILURES) this.#failures.shift();
    });
    server.on("connection", (socket: Socket) => {
      // Else a response after the session tickets waits for their acknowledgement, which the other end delays.
      socket.setNoDelay(true);
      const { remotePort = 0 } = socket;
      // Longer than the limit of the waiting side, whose message is better: for connections of other programs.
      const late = setTimeout(() => socket.destroy(), 2 * this.#handshakeMs);
      this.#accepted.set(remotePort, { socket, late });
      socket.once("close", () => {
        clearTimeout(late);
        if (this.#accepted.get(remotePort)?.socket === socket) this.#accepted.delete(remotePort);
        this.#closed(remotePort);
      });
    });
    const listening = Promise.withResolvers<void>();
    server.once("error", listening.reject);
    server.listen(0, "127.0.0.1", listening.resolve);
    await listening.promise;
    return server;
  }

  #take(socket: TLSSocket): void {
    clearTimeout(this.#accepted.get(socket.remotePort ?? 0)?.late);
    const waiter = this.#waiterOf(socket.remotePort);
    // Closes connections of other programs on this machine.
    if (waiter === undefined) return void socket.destroy();
    const certificate = this.#asks ? certificateOf(socket) : undefined;
    waiter.resolve({ conn: new SocketConn(socket), certificate });
  }

  #closed(port: number): void {
    const waiter = this.#waiterOf(port);
    if (waiter === undefined) return;
    waiter.reject(this.#failures.shift() ?? new Error("The connection ended before its handshake"));
  }

  #waiterOf(port = 0): PromiseWithResolvers<Decrypted<SocketConn>> | undefined {
    const waiter = this.#waiting.get(port);
    this.#waiting.delete(port);
    return waiter;
  }
}

/**
 * Flow control of one passage. The platform's TLS keeps reading and decrypting while nobody reads the result: without
 * this, one client could fill the memory.
 */
class Flow {
  /** The decrypted side, after the handshake. */
  far: SocketConn | undefined;
  readonly #socket: () => Socket | undefined;
  #written = 0;

  constructor(socket: () => Socket | undefined) {
    this.#socket = socket;
  }

  /** See `TlsPassage.room`. */
  room(bytes: number): Promise<void> | undefined {
    if (this.#isFull(bytes)) return this.#wait(bytes);
    this.#written += bytes;
    return undefined;
  }

  async #wait(bytes: number): Promise<void> {
    while (this.#isFull(bytes)) await (this.#isUnread ? this.far?.moved() : this.#passed());
    this.#written += bytes;
  }

  /** Resolves when bytes may have been read: decrypted ones show it at once, parts of a record only by looking. */
  async #passed(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, LOOK_MS);
    this.far?.moved().then(resolve);
    await promise;
    clearTimeout(timer);
  }

  #isFull(bytes: number): boolean {
    const socket = this.#socket();
    // Gone: the next write reports it.
    if (socket === undefined || socket.destroyed) return false;
    const waiting = this.#written - socket.bytesRead;
    return this.#isUnread || (waiting > 0 && waiting + bytes > WINDOW_BYTES);
  }

  /** Whether much is decrypted that nobody has read. */
  get #isUnread(): boolean {
    return this.far !== undefined && this.far.backlog > UNREAD_BYTES;
  }
}

function stopped(): Error {
  return new Deno.errors.Interrupted("The server stops");
}

function certificateOf(socket: TLSSocket): ClientCertificate | undefined {
  const certificate = socket.getPeerCertificate();
  // An empty object means no certificate.
  if (certificate?.fingerprint256 === undefined) return undefined;
  return {
    subject: toText(certificate.subject),
    issuer: toText(certificate.issuer),
    serial: certificate.serialNumber,
    not_before: certificate.valid_from,
    not_after: certificate.valid_to,
    fingerprint: certificate.fingerprint256,
  };
}

/** Formats a distinguished name as `C=US, CN=name`. */
function toText(name: object): string {
  return Object.entries(name)
    .flatMap(([type, values]) => [values].flat().map((value) => `${type}=${value}`))
    .join(", ");
}

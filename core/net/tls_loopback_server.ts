import type { Socket } from "node:net";
import type { Server as TlsServer, TLSSocket } from "node:tls";
import type { ClientCertificate } from "../events/event.ts";
import { SocketConn } from "./socket_conn.ts";
import type { TlsIdentity } from "../tls/identity.ts";
import type { Decrypted, TlsPassage, TlsTerminator } from "./tls_terminator.ts";

/** Reasons kept for connections about to close; those of other programs' connections are never asked for. */
const MAX_FAILURES = 16;

/** Ends TLS with the server of `node:tls`, which asks for a client certificate: taken as it is, and never required. */
export class AskingTerminator implements TlsTerminator {
  readonly #identity: TlsIdentity;
  readonly #handshakeMs: number;
  /** Who waits for the connection that comes from a port. */
  readonly #waiting = new Map<number, PromiseWithResolvers<Decrypted>>();
  /** Connections by the port that they come from. */
  readonly #sockets = new Map<number, Socket>();
  /** Why handshakes failed whose connections are about to close: the platform names the reason first, without a port. */
  readonly #failures: Error[] = [];
  #listening: Promise<TlsServer> | undefined;
  #stopped = false;

  readonly #alpnProtocols: readonly string[];

  constructor(
    identity: TlsIdentity,
    { handshakeMs, alpnProtocols }: { handshakeMs: number; alpnProtocols: readonly string[] },
  ) {
    this.#alpnProtocols = alpnProtocols;
    this.#identity = identity;
    this.#handshakeMs = handshakeMs;
  }

  async open(): Promise<TlsPassage> {
    this.#listening ??= this.#listen();
    // What failed may work the next time.
    this.#listening.catch(() => this.#listening = undefined);
    const server = await this.#listening;
    const address = server.address();
    if (address === null || typeof address === "string") throw stopped();
    const near = await Deno.connect({ hostname: "127.0.0.1", port: address.port });
    near.setNoDelay(true);
    // Nothing has been sent yet, so that the handshake cannot be over before somebody waits for it.
    const waiter = Promise.withResolvers<Decrypted>();
    this.#waiting.set(near.localAddr.port, waiter);
    return { near, far: waiter.promise };
  }

  forget(port: number): void {
    this.#waiting.delete(port);
    // The platform does not close each one whose handshake failed.
    this.#sockets.get(port)?.destroy();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    const server = await this.#listening?.catch(() => undefined);
    for (const waiter of this.#waiting.values()) waiter.reject(stopped());
    this.#waiting.clear();
    if (server === undefined) return;
    // Connections are their owners' to close; the server only has to take no more.
    const closed = Promise.withResolvers<void>();
    server.close(() => closed.resolve());
    await closed.promise;
  }

  async #listen(): Promise<TlsServer> {
    // Loaded when the first client speaks TLS: most never do.
    const { createServer } = await import("node:tls");
    const { cert, key } = await this.#identity.certificate();
    if (this.#stopped) throw stopped();
    const server = createServer({
      cert,
      key,
      ALPNProtocols: [...this.#alpnProtocols],
      requestCert: true,
      rejectUnauthorized: false,
      // Behind the limit of the one who waits, whose words are better.
      handshakeTimeout: 2 * this.#handshakeMs,
    });
    server.on("secureConnection", (socket) => this.#take(socket));
    server.on("tlsClientError", (error) => {
      this.#failures.push(error);
      if (this.#failures.length > MAX_FAILURES) this.#failures.shift();
    });
    server.on("connection", (socket: Socket) => {
      const { remotePort = 0 } = socket;
      this.#sockets.set(remotePort, socket);
      socket.once("close", () => {
        if (this.#sockets.get(remotePort) === socket) this.#sockets.delete(remotePort);
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
    const waiter = this.#waiterOf(socket.remotePort);
    // Other programs of this machine have no business here.
    if (waiter === undefined) socket.destroy();
    else waiter.resolve({ conn: new SocketConn(socket), certificate: certificateOf(socket) });
  }

  #closed(port: number): void {
    const waiter = this.#waiterOf(port);
    if (waiter === undefined) return;
    waiter.reject(this.#failures.shift() ?? new Error("The connection ended before its handshake"));
  }

  #waiterOf(port = 0): PromiseWithResolvers<Decrypted> | undefined {
    const waiter = this.#waiting.get(port);
    this.#waiting.delete(port);
    return waiter;
  }
}

function stopped(): Error {
  return new Deno.errors.Interrupted("The server stops");
}

function certificateOf(socket: TLSSocket): ClientCertificate | undefined {
  const certificate = socket.getPeerCertificate();
  // An empty object stands for none.
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

/** A distinguished name as `C=US, CN=name`. */
function toText(name: object): string {
  return Object.entries(name)
    .flatMap(([type, values]) => [values].flat().map((value) => `${type}=${value}`))
    .join(", ");
}

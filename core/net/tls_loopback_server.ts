import type { Socket } from "node:net";
import type { Server as TlsServer, TLSSocket } from "node:tls";
import type { ClientCertificate } from "../events/event.ts";
import { SocketConn } from "./socket_conn.ts";
import type { TlsIdentity } from "../tls/identity.ts";
import type { Decrypted, TlsPassage, TlsTerminator } from "./tls_terminator.ts";

/** Handshake errors kept for closing connections; those of other programs' connections are never fetched. */
const MAX_FAILURES = 16;

/** Ends TLS with the server of `node:tls`, which asks for a client certificate: never required, and not checked. */
export class AskingTerminator implements TlsTerminator {
  readonly #identity: TlsIdentity;
  readonly #handshakeMs: number;
  /** Waits by client port. */
  readonly #waiting = new Map<number, PromiseWithResolvers<Decrypted>>();
  /** Connections by client port. */
  readonly #sockets = new Map<number, Socket>();
  /** Errors of handshakes whose connections are about to close: the platform reports the error first, without a port. */
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
    // A retry may succeed.
    this.#listening.catch(() => this.#listening = undefined);
    const server = await this.#listening;
    const address = server.address();
    if (address === null || typeof address === "string") throw stopped();
    const near = await Deno.connect({ hostname: "127.0.0.1", port: address.port });
    near.setNoDelay(true);
    // Nothing has been sent yet, so the handshake cannot finish before the wait begins.
    const waiter = Promise.withResolvers<Decrypted>();
    this.#waiting.set(near.localAddr.port, waiter);
    return { near, far: waiter.promise };
  }

  forget(port: number): void {
    this.#waiting.delete(port);
    // The platform leaves some connections with failed handshakes open.
    this.#sockets.get(port)?.destroy();
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
    const { createSecureContext, createServer } = await import("node:tls");
    const { cert, key } = await this.#identity.certificate();
    if (this.#stopped) throw stopped();
    const server = createServer({
      cert,
      key,
      ALPNProtocols: [...this.#alpnProtocols],
      requestCert: true,
      rejectUnauthorized: false,
      SNICallback: (name, done) => {
        // Without a context, the certificate above serves.
        const own = this.#identity.certificateFor?.(name) ?? Promise.resolve(undefined);
        own.then(
          (found) => done(null, found === undefined ? undefined : createSecureContext(found)),
          (error: Error) => done(error),
        );
      },
      // Longer than the limit of the waiting side, whose message is better.
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
    // Closes connections of other programs on this machine.
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

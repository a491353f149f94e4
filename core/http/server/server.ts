import { acceptLoop } from "../../net/accept.ts";
import { addressOf } from "../../net/address.ts";
import { listenAll } from "../../net/listen.ts";
import type { Load, Server } from "../../net/server.ts";
import { ResettableListener } from "../../net/resettable.ts";
import { settle } from "../../net/within.ts";
import { closeQuietly, writeAll } from "../../net/socket.ts";
import type { ByteConn } from "../../net/socket_conn.ts";
import { createTerminator } from "../../net/tls_loopback.ts";
import type { Decrypted, TlsTerminator } from "../../net/tls_terminator.ts";
import type { RefusedHead } from "../../plugin.ts";
import { type Answer, settledAnswer, toResponse } from "../answer.ts";
import type { HttpCall } from "../call.ts";
import { isNamed } from "../host.ts";
import { BodyIncompleteError } from "./body/body.ts";
import { Connection, type ConnectionContext } from "./connection.ts";
import type { Http1Context } from "./http1/connection.ts";
import { MAX_HEAD_BYTES } from "./http1/head.ts";
import { InnerServer } from "./http2/inner_server.ts";
import type { HttpServerOptions } from "./options.ts";
import type { TlsContext } from "./tls/connection.ts";
import type { Admitted, Answered } from "./wire/answer_room.ts";
import { FRONT_LIMITS, type FrontLimits } from "./wire/limits.ts";
import type { Served } from "./wire/wire.ts";

export type { HttpServerOptions } from "./options.ts";

const MAX_CONNECTIONS = 2000;
/** Time for handlers to notice that their connections were cut. */
const CUT_MS = 1000;

const BUSY = new TextEncoder().encode(
  "HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain; charset=utf-8\r\n" +
    "Content-Length: 49\r\nConnection: close\r\n\r\nCannot accept another connection: try again later",
);

/**
 * Serves HTTP/1 and HTTP/2 on one port, each in the clear and inside TLS. The first bytes of a connection tell them
 * apart. HTTP/1 is answered on the connection itself; HTTP/2 is carried to a server of the platform. Rejects when it
 * cannot bind.
 */
export function openHttpServer(options: HttpServerOptions): Promise<Server> {
  const { bound, port } = listenAll(options, (where) => {
    const listener = Deno.listen(where);
    const { port } = listener.addr;
    const { hostname } = where;
    return { bound: new ResettableListener(listener, { hostname, port }), port };
  });
  return Promise.resolve(new HttpServer(options, { listeners: bound, port }));
}

class HttpServer implements Server {
  readonly hostname: string;
  readonly port: number;
  readonly #options: HttpServerOptions;
  readonly #limits: FrontLimits;
  readonly #listeners: readonly ResettableListener[];
  readonly #loops: readonly Promise<void>[];
  readonly #stopping = new AbortController();
  readonly #connections = new Map<Served, Promise<void>>();
  readonly #context: ConnectionContext;
  readonly #inner: InnerServer;
  /** Clients; over TLS each has two connections. */
  #clients = 0;
  /** Created for the first client that speaks TLS. */
  #tls: Promise<TlsTerminator> | undefined;
  #sweeper: ReturnType<typeof setInterval> | undefined;
  #refused = 0;
  #stopped: Promise<void> | undefined;

  constructor(
    options: HttpServerOptions,
    { listeners, port }: { listeners: readonly ResettableListener[]; port: number },
  ) {
    this.hostname = options.hostname;
    this.port = port;
    this.#options = options;
    this.#limits = { ...FRONT_LIMITS, ...options.limits };
    this.#listeners = listeners;
    const { log, h2c } = options;
    const limits = this.#limits;
    this.#inner = new InnerServer({
      bodyMs: limits.bodyMs,
      log,
      answer: (call) => this.#settled(call),
      admit: (answer, request) => this.#admit(answer, request),
      fault: (error) => this.#fault(error),
    });
    this.#context = {
      limits,
      log,
      onRefused: options.onRefused,
      headRoom: options.headRoom,
      http1: this.#http1Context(),
      http2: { limits, h2c, memory: options.memory, inner: () => this.#inner },
      tls: this.#tlsContext(),
    };
    this.#loops = listeners.map((listener) =>
      acceptLoop(listener, {
        signal: this.#stopping.signal,
        log,
        port,
        take: (conn) => this.#take(conn),
      })
    );
  }

  load(): Load {
    const { maxConnections = MAX_CONNECTIONS } = this.#options;
    return { connections: this.#clients, maxConnections, refused: this.#refused };
  }

  async makeResettable(): Promise<void> {
    for (const listener of this.#listeners) await listener.makeResettable();
  }

  stop({ graceMs }: { graceMs: number }): Promise<void> {
    return this.#stopped ??= this.#stop(Math.min(graceMs, this.#options.stopMs ?? Infinity));
  }

  async #stop(graceMs: number): Promise<void> {
    this.#stopping.abort();
    for (const listener of this.#listeners) closeQuietly(listener);
    await Promise.all(this.#loops);
    for (const connection of this.#connections.keys()) connection.finish();
    const shut = this.#inner.shutdown();
    await settle(Promise.all([shut, ...this.#connections.values()]), graceMs);
    for (const connection of this.#connections.keys()) connection.abort();
    await (await this.#tls)?.stop();
    await settle(Promise.all([shut, ...this.#connections.values()]), CUT_MS);
    clearInterval(this.#sweeper);
  }

  #http1Context(): Http1Context {
    const options = this.#options;
    return {
      limits: this.#limits,
      maxHeadBytes: options.maxHeadBytes ?? MAX_HEAD_BYTES,
      memory: options.memory,
      isTunnel: (target) => isTunnel(options, target),
      refuseTunnel: (target) => options.tls === undefined ? undefined : tunnelRefusal(target),
      answer: (call) => this.#handle(call),
      instead: (pending, error) => pending.instead(error).catch((error) => this.#refuse(error)),
      admit: (answer, request) => this.#admit(answer, request),
      refuse: (refusal) => this.#refusalOf(refusal),
      onBroken: (target, error) =>
        options.log.error("Cannot send a complete response", { target, error }),
    };
  }

  #tlsContext(): TlsContext {
    const { tls, log } = this.#options;
    const limits = this.#limits;
    const terminator = tls === undefined ? undefined : () =>
      this.#tls ??= createTerminator(tls, {
        handshakeMs: limits.headMs,
        log,
        alpnProtocols: ["h2", "http/1.1"],
      });
    return {
      limits,
      log,
      memory: this.#options.memory,
      ...(terminator === undefined ? {} : { terminator }),
      serveInner: ({ conn, certificate }: Decrypted, { facts }) =>
        this.#serve(new Connection(conn, this.#context, { facts, certificate })),
    };
  }

  #take(conn: ByteConn): void {
    if (this.#clients >= this.load().maxConnections) {
      this.#turnAway(conn);
      return;
    }
    conn.setNoDelay?.(true);
    this.#clients++;
    this.#serve(new Connection(conn, this.#context)).finally(() => this.#clients--);
  }

  #serve(connection: Served): Promise<void> {
    if (this.#stopping.signal.aborted) connection.finish();
    const ended = connection.run().finally(() => this.#leave(connection));
    this.#connections.set(connection, ended);
    this.#sweeper ??= setInterval(() => this.#sweep(), this.#sweepMs());
    return ended;
  }

  #leave(connection: Served): void {
    this.#connections.delete(connection);
    if (this.#connections.size > 0) return;
    clearInterval(this.#sweeper);
    this.#sweeper = undefined;
  }

  #turnAway(conn: ByteConn): void {
    this.#refused++;
    this.#options.onFull?.({ peer: addressOf(conn.remoteAddr), ...this.load() });
    writeAll(conn, BUSY).catch(() => {}).finally(() => closeQuietly(conn));
  }

  #sweep(): void {
    const now = performance.now();
    for (const connection of this.#connections.keys()) connection.sweep(now);
  }

  #sweepMs(): number {
    const shortest = Object.values(this.#limits).reduce((least, ms) => Math.min(least, ms), 1000);
    return Math.max(5, shortest / 4);
  }

  /** Synchronous if the handler is: each promise slows a capture down. */
  #handle(call: HttpCall): Answer | Promise<Answer> {
    let answer: Answer | Promise<Answer>;
    try {
      answer = this.#options.handler(call);
      if (call.method === "HEAD") answer = bodiless(answer);
    } catch (error) {
      return this.#refuse(error);
    }
    return answer instanceof Promise ? answer.catch((error) => this.#refuse(error)) : answer;
  }

  async #settled(call: HttpCall): Promise<Answer> {
    try {
      return await settledAnswer(await this.#handle(call));
    } catch (error) {
      return this.#refuse(error);
    }
  }

  #admit(answer: Answer, request: Answered): Promise<Admitted> | undefined {
    return this.#options.answerRoom?.admit(answer, request, {
      refuse: (refusal) => this.#refusalOf(refusal),
      note: (record) => this.#options.onRefused(record),
    });
  }

  #refusalOf(refusal: RefusedHead): Response {
    return this.#options.refuseHead?.(refusal) ?? plainRefusal(refusal);
  }

  #refuse(error: unknown): Response {
    if (!(error instanceof BodyIncompleteError)) return this.#fault(error);
    return new Response(`${error.message}\n`, { status: 400, headers: { connection: "close" } });
  }

  #fault(error: unknown): Response {
    this.#options.log.error("Cannot answer a request", { error });
    return new Response("Cannot answer this request: an unexpected error, see the log\n", {
      status: 500,
    });
  }
}

function plainRefusal({ status, reason }: RefusedHead): Response {
  const headers = { "content-type": "text/plain; charset=utf-8" };
  return new Response(`${reason}\n`, { status, headers });
}

/** If tunnels are answered at all, any other host counts as unreachable. */
function tunnelRefusal(target: string): RefusedHead {
  const reason = `Cannot open a tunnel to "${target}": nothing leaves this machine; ` +
    "tunnels are only accepted to the HTTPS ports of the hosts that providers stand in for, " +
    "as the first request of a connection";
  return { status: 502, reason };
}

/** 443, and the other ports that vendors serve HTTPS on: those of Apple's push service. */
const TUNNELS = /^([^:]+):(?:443|2195|2196|2197)$/;

function isTunnel({ tls, tunnelHosts }: HttpServerOptions, target: string): boolean {
  const host = TUNNELS.exec(target)?.[1]?.toLowerCase();
  if (tls === undefined || host === undefined) return false;
  return isNamed(tunnelHosts ?? [], host);
}

/**
 * The head of a response, with the length that its body would have (RFC 9110 section 9.3.2). The
 * platform would send the body of a response to HEAD over HTTP/2, which clients treat as a protocol
 * error.
 */
async function bodiless(answer: Answer | Promise<Answer>): Promise<Response> {
  const response = toResponse(await settledAnswer(await answer));
  const { body, headers } = response;
  const endless = headers.get("content-type")?.startsWith("text/event-stream") === true;
  if (body === null || endless || headers.has("content-length")) {
    await body?.cancel();
    return new Response(null, response);
  }
  // At most one chunk of a long list is held.
  let length = 0;
  for await (const chunk of body) length += chunk.length;
  const bare = new Response(null, response);
  bare.headers.set("content-length", String(length));
  return bare;
}

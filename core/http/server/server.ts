import type { NewRejected } from "../../events/journal.ts";
import type { Logger } from "../../log.ts";
import { acceptLoop } from "../../net/accept.ts";
import { addressOf } from "../../net/address.ts";
import { listenAll } from "../../net/listen.ts";
import type { Load, Server, TurnedAway } from "../../net/server.ts";
import { IdleError } from "../../net/transport.ts";
import { within } from "../../net/within.ts";
import type { TlsIdentity } from "../../tls/identity.ts";
import type { RefusedHead } from "../../plugin.ts";
import type { HttpCall, HttpHandler } from "../call.ts";
import { isNamed } from "../host.ts";
import { BodyIncompleteError } from "./body/body.ts";
import { DirectConnection, type DirectContext } from "./http1/direct.ts";
import { FrontConnection } from "./front.ts";
import type { FrontContext } from "./front_context.ts";
import { MAX_HEAD_BYTES } from "./http1/h1.ts";
import { FRONT_LIMITS, type FrontLimits } from "./wire/limits.ts";
import type { Served } from "./wire/served.ts";
import { dropUnread } from "./body/timed_body.ts";
import { closeQuietly, isGone, writeAll } from "../../net/socket.ts";
import { createTerminator, type Decrypted, type TlsTerminator } from "./tls/tls.ts";

/** What `openHttpServer` needs. */
export interface HttpServerOptions {
  /** `localhost` listens on both loopback addresses. */
  readonly hostname: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Whether HTTP/2 with prior knowledge is served in the clear. */
  readonly h2c: boolean;
  /** Takes TLS on the same port, told apart by its first byte. */
  readonly tls?: TlsIdentity;
  /**
   * Hosts that `CONNECT host:443` is answered for, here and never there, so that a client that has the service as its
   * proxy needs no other change; `*.` stands for one label. Only with `tls`.
   */
  readonly tunnelHosts?: readonly string[];
  /** Simultaneous connections, 2000 unless given; more get 503. */
  readonly maxConnections?: number;
  readonly limits?: Partial<FrontLimits>;
  /** Longest request head of HTTP/1 in bytes; `MAX_HEAD_BYTES` unless given. */
  readonly maxHeadBytes?: number;
  /**
   * The longest body that a request of HTTP/1 may announce to be read, in bytes, but 64 KiB at least; the handler is
   * to answer one with a longer body without it. Any length unless given.
   */
  maxBodyBytes?(asked: { readonly method: string; readonly target: string }): number;
  /** Upper bound of the grace that a stop gives, in milliseconds. */
  readonly stopMs?: number;
  readonly handler: HttpHandler;
  /**
   * Whether plain requests of HTTP/1.1 are answered without the inner server: much quicker for large bodies, but a
   * handler learns that its client has gone when it reads or writes, not before.
   */
  readonly direct?: boolean;
  /** The answer to a request whose head is refused; plain text unless given. */
  refuseHead?(refusal: RefusedHead): Response;
  /** Told of what never reaches the handler: malformed, refused and unfinished requests. */
  onRefused(record: NewRejected): void;
  /** Told of each connection that is turned away because `maxConnections` are held. */
  onFull?(turned: TurnedAway): void;
  readonly log: Logger;
}

const MAX_CONNECTIONS = 2000;
/** How long an answer over HTTP/2 waits for the end of its request. */
const HOLD_MS = 1000;
/** How long handlers may take to notice that their connections were cut. */
const CUT_MS = 1000;

const BUSY = new TextEncoder().encode(
  "HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain; charset=utf-8\r\n" +
    "Content-Length: 47\r\nConnection: close\r\n\r\nCannot take another connection: try again later",
);

/**
 * Serves HTTP/1 and HTTP/2 on one port: a front tells them apart and pumps each connection to an inner server of the
 * platform, which alone would hide the version, the client's own header spelling and refuse upgrade offers.
 * Rejects when it cannot bind.
 */
export function openHttpServer(options: HttpServerOptions): Promise<Server> {
  const { bound, port } = listenAll(options, (where) => {
    const listener = Deno.listen(where);
    return { bound: listener, port: listener.addr.port };
  });
  return Promise.resolve(new HttpServer(options, { listeners: bound, port }));
}

class HttpServer implements Server {
  readonly hostname: string;
  readonly port: number;
  readonly #options: HttpServerOptions;
  readonly #limits: FrontLimits;
  readonly #listeners: readonly Deno.TcpListener[];
  readonly #loops: readonly Promise<void>[];
  /** Opened again, should it ever fail. */
  #inner: Deno.HttpServer<Deno.NetAddr> | undefined;
  readonly #stopping = new AbortController();
  readonly #fronts = new Map<Served, Promise<void>>();
  /** By the port from which a connection reaches the inner server. */
  readonly #byPort = new Map<number, FrontConnection>();
  readonly #context: FrontContext;
  readonly #direct: DirectContext;
  /** Made for the first client that speaks TLS. */
  #tls: Promise<TlsTerminator> | undefined;
  #sweeper: ReturnType<typeof setInterval> | undefined;
  #refused = 0;
  #stopped: Promise<void> | undefined;

  constructor(
    options: HttpServerOptions,
    { listeners, port }: { listeners: readonly Deno.TcpListener[]; port: number },
  ) {
    this.hostname = options.hostname;
    this.port = port;
    this.#options = options;
    this.#limits = { ...FRONT_LIMITS, ...options.limits };
    this.#listeners = listeners;
    this.#context = {
      limits: this.#limits,
      h2c: options.h2c,
      log: options.log,
      onRefused: options.onRefused,
      connect: (front) => this.#connect(front),
      ...(options.tls === undefined ? {} : { connectTls: (front) => this.#connectTls(front) }),
      maxHeadBytes: options.maxHeadBytes ?? MAX_HEAD_BYTES,
      maxBodyBytes: (head) => options.maxBodyBytes?.(head) ?? Infinity,
      isTunnel: (target) => isTunnel(options, target),
      disconnect: (inner) => this.#byPort.delete((inner.localAddr as Deno.NetAddr).port),
    };
    this.#direct = {
      limits: this.#limits,
      log: options.log,
      onRefused: options.onRefused,
      maxHeadBytes: this.#context.maxHeadBytes,
      answer: (call) => this.#handle(call),
      passOn: (conn, given) => new FrontConnection(conn, this.#context, { given }),
    };
    this.#inner = this.#openInner();
    this.#loops = listeners.map((listener) =>
      acceptLoop(listener, {
        signal: this.#stopping.signal,
        log: options.log,
        port,
        take: (conn) => this.#take(conn),
      })
    );
  }

  #openInner(): Deno.HttpServer<Deno.NetAddr> {
    const inner = Deno.serve({
      hostname: "127.0.0.1",
      port: 0,
      onListen: () => {},
      onError: (error) => this.#fault(error),
    }, (request, info) => this.#answer(request, info));
    // Such as for want of file descriptors; its own accept loop does not go on after that.
    inner.finished.catch((error) => {
      this.#options.log.error("Cannot go on with the inner server: opening another", { error });
      if (this.#inner === inner) this.#inner = undefined;
    });
    return inner;
  }

  load(): Load {
    const { maxConnections = MAX_CONNECTIONS } = this.#options;
    return { connections: this.#fronts.size, maxConnections, refused: this.#refused };
  }

  stop({ graceMs }: { graceMs: number }): Promise<void> {
    return this.#stopped ??= this.#stop(Math.min(graceMs, this.#options.stopMs ?? Infinity));
  }

  async #stop(graceMs: number): Promise<void> {
    this.#stopping.abort();
    for (const listener of this.#listeners) closeQuietly(listener);
    await Promise.all(this.#loops);
    for (const front of this.#fronts.keys()) front.finish();
    const shut = this.#inner?.shutdown().catch(() => {});
    await settle(Promise.all([shut, ...this.#fronts.values()]), graceMs);
    for (const front of this.#fronts.keys()) front.abort();
    await (await this.#tls)?.stop();
    await settle(Promise.all([shut, ...this.#fronts.values()]), CUT_MS);
    clearInterval(this.#sweeper);
  }

  #take(conn: Deno.TcpConn): void {
    if (this.#fronts.size >= this.load().maxConnections) {
      this.#turnAway(conn);
      return;
    }
    conn.setNoDelay(true);
    this.#serve(
      this.#options.direct === true
        ? new DirectConnection(conn, this.#direct)
        : new FrontConnection(conn, this.#context),
    );
  }

  #serve(front: Served): void {
    if (this.#stopping.signal.aborted) front.finish();
    this.#fronts.set(front, front.run().finally(() => this.#leave(front)));
    this.#sweeper ??= setInterval(() => this.#sweep(), this.#sweepMs());
  }

  #leave(front: Served): void {
    this.#fronts.delete(front);
    if (this.#fronts.size > 0) return;
    clearInterval(this.#sweeper);
    this.#sweeper = undefined;
  }

  #turnAway(conn: Deno.TcpConn): void {
    this.#refused++;
    this.#options.onFull?.({ peer: addressOf(conn.remoteAddr), ...this.load() });
    writeAll(conn, BUSY).catch(() => {}).finally(() => closeQuietly(conn));
  }

  #sweep(): void {
    const now = performance.now();
    for (const front of this.#fronts.keys()) front.sweep(now);
  }

  #sweepMs(): number {
    const shortest = Object.values(this.#limits).reduce((least, ms) => Math.min(least, ms), 1000);
    return Math.max(5, shortest / 4);
  }

  async #connect(front: FrontConnection): Promise<Deno.TcpConn> {
    this.#inner ??= this.#openInner();
    const inner = await Deno.connect({ hostname: "127.0.0.1", port: this.#inner.addr.port });
    inner.setNoDelay(true);
    this.#byPort.set(inner.localAddr.port, front);
    return inner;
  }

  async #connectTls(outer: FrontConnection): Promise<Deno.TcpConn> {
    this.#tls ??= createTerminator(this.#options.tls!, {
      handshakeMs: this.#limits.headMs,
      log: this.#options.log,
    });
    const tls = await this.#tls;
    const { near, far } = await tls.open();
    this.#shakeHands(far, { outer, forget: () => tls.forget(near.localAddr.port) });
    return near;
  }

  /** Serves what comes out of TLS, once there is a handshake; a client that does not finish it is cut by its limits. */
  async #shakeHands(
    far: Promise<Decrypted>,
    { outer, forget }: { outer: FrontConnection; forget: () => void },
  ): Promise<void> {
    let decrypted: Decrypted;
    try {
      const message = `Nothing came for ${this.#limits.headMs} ms`;
      decrypted = await within(far, this.#limits.headMs, message);
    } catch (error) {
      if (error instanceof IdleError) outer.abort();
      else outer.drain();
      const reason = error instanceof Error ? error.message : String(error);
      if (isGone(error)) {
        this.#options.log.debug(
          "A client left in its TLS handshake: it may not trust the CA of this service",
          { peer: outer.peer, reason },
        );
      } else {
        this.#options.onRefused({
          peer: outer.peer,
          reason: `Cannot agree on TLS: ${reason}; the client must trust the CA of this service`,
          raw: new Uint8Array(),
        });
      }
      forget();
      return;
    }
    outer.agree();
    const { conn, certificate } = decrypted;
    const inner = new FrontConnection(conn, this.#context, {
      outer: { front: outer, certificate },
    });
    this.#serve(inner);
    await this.#fronts.get(inner);
    outer.drain();
  }

  #answer(
    request: Request,
    info: Deno.ServeHandlerInfo<Deno.NetAddr>,
  ): Response | Promise<Response> {
    const front = this.#byPort.get(info.remoteAddr.port);
    if (front === undefined) {
      return new Response("Cannot take a connection that did not come through the front\n", {
        status: 403,
        headers: { connection: "close" },
      });
    }
    const call = front.take(request);
    if (call === undefined) {
      this.#options.log.error("Cannot match a request with its head", { peer: front.peer });
      queueMicrotask(() => front.abort());
      return new Response(null, { status: 400, headers: { connection: "close" } });
    }
    const answered = () => front.answered();
    info.completed.then(answered, answered);
    return "reason" in call ? this.#refuse(call) : this.#answerCall(call, front);
  }

  async #answerCall(call: HttpCall, front: FrontConnection): Promise<Response> {
    const response = await this.#handle(call);
    if (front.leave(call)) response.headers.set("connection", "close");
    const dropping = dropUnread(call, this.#limits.bodyMs);
    return dropping === undefined ? response : await heldOpen(response, dropping);
  }

  #refuse(refusal: RefusedHead): Response {
    const response = this.#options.refuseHead?.(refusal) ??
      new Response(`${refusal.reason}\n`, {
        status: refusal.status,
        headers: { "content-type": "text/plain; charset=utf-8" },
      });
    response.headers.set("connection", "close");
    return response;
  }

  async #handle(call: HttpCall): Promise<Response> {
    try {
      const response = await this.#options.handler(call);
      return call.method === "HEAD" ? await bodiless(response) : response;
    } catch (error) {
      if (!(error instanceof BodyIncompleteError)) return this.#fault(error);
      return new Response(`${error.message}\n`, { status: 400, headers: { connection: "close" } });
    }
  }

  #fault(error: unknown): Response {
    this.#options.log.error("Cannot answer a request", { error });
    return new Response("Cannot answer this request: an unexpected fault, see the log\n", {
      status: 500,
    });
  }
}

function isTunnel({ tls, tunnelHosts }: HttpServerOptions, target: string): boolean {
  const host = /^([^:]+):443$/.exec(target)?.[1]?.toLowerCase();
  if (tls === undefined || host === undefined) return false;
  return isNamed(tunnelHosts ?? [], host);
}

/**
 * An answer that does not end before `until`: one that ends before its request does, over HTTP/2, takes the rest of the
 * stream with it. It is sent before that only where that takes its time, because curl 7 stops in the middle of its body
 * then, and calls the stream broken.
 */
async function heldOpen(response: Response, until: Promise<void>): Promise<Response> {
  if (response.body === null) {
    await until;
    return response;
  }
  let isOver = false;
  await settle(until.then(() => isOver = true), HOLD_MS);
  if (isOver) return response;
  const body = response.body.pipeThrough(new TransformStream({ flush: () => until }));
  return new Response(body, response);
}

/**
 * The head of an answer, with the length its body would have (RFC 9110 section 9.3.2). Not left to the platform: over
 * HTTP/2 it sends the body of an answer to HEAD, which clients take for a protocol error.
 */
async function bodiless(response: Response): Promise<Response> {
  const { body, headers } = response;
  const endless = headers.get("content-type")?.startsWith("text/event-stream") === true;
  if (body === null || endless || headers.has("content-length")) {
    await body?.cancel();
    return new Response(null, response);
  }
  const { byteLength } = await response.arrayBuffer();
  const bare = new Response(null, response);
  bare.headers.set("content-length", String(byteLength));
  return bare;
}

/** Waits for `all`, but no longer than `ms`. */
async function settle(all: Promise<unknown>, ms: number): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([all.catch(() => {}), late]);
  clearTimeout(timer);
}

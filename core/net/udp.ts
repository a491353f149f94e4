import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { formatAddress, type HostPort, parseAddress } from "./address.ts";
import { TimeSlice } from "../time_slice.ts";
import { listenAll } from "./listen.ts";
import type { Server } from "./server.ts";
import type { Datagram, UdpSocket } from "./transport.ts";

/** Largest possible UDP payload. */
const MAX_DATAGRAM_BYTES = 65_535;
/** Datagrams handled at a time, and queued ones where the platform cannot leave them in the kernel. */
const MAX_IN_FLIGHT = 256;

/** A bound socket of either platform interface. */
interface RawUdp {
  readonly local: HostPort;
  send(bytes: Uint8Array, to: HostPort): Promise<void>;
  /** Returns `undefined` once closed. The bytes belong to the caller, or with `reuse` are valid until the next call. */
  receive(
    options?: { reuse?: boolean },
  ): Promise<{ bytes: Uint8Array; from: HostPort } | undefined>;
  close(): void;
}

/** Options of `serveUdp`. */
export interface ServeUdpOptions {
  /** `localhost` listens on both loopback addresses. */
  readonly hostname: string;
  /** 0 takes any free port. */
  readonly port: number;
  receive(datagram: Datagram): void | Promise<void>;
  /** Called with an error of `receive` or of the socket; the listener continues. */
  onError(error: unknown): void;
}

/** Serves datagrams. Rejects if it cannot bind. */
export async function serveUdp(options: ServeUdpOptions): Promise<Server> {
  const sockets = await bindAll(options);
  const inFlight = new Set<Promise<void>>();
  const loops = sockets.map((socket) => receiveLoop(socket, inFlight, options));
  return {
    hostname: options.hostname,
    port: sockets[0]!.local.port,
    async stop({ graceMs }) {
      for (const socket of sockets) socket.close();
      await Promise.all(loops);
      await settled(inFlight, graceMs);
    },
  };
}

/** A socket of a session. */
export async function openUdpSocket(
  options: { hostname: string; port?: number },
): Promise<UdpSocket> {
  const raw = await bindUdp({ hostname: options.hostname, port: options.port ?? 0 });
  // A session has one peer: its address is parsed and formatted once.
  let last: { readonly text: string; readonly peer: HostPort } | undefined;
  return {
    port: raw.local.port,
    send(bytes, to) {
      if (last?.text !== to) last = { text: to, peer: parseAddress(to) };
      return raw.send(bytes, last.peer);
    },
    async receive(options) {
      const received = await raw.receive(options);
      if (received === undefined) return undefined;
      const { hostname, port } = received.from;
      const isLast = last?.peer.port === port && last.peer.hostname === hostname;
      return toDatagram(raw, received, isLast ? last?.text : undefined);
    },
    [Symbol.asyncDispose]() {
      raw.close();
      return Promise.resolve();
    },
  };
}

async function receiveLoop(
  socket: RawUdp,
  inFlight: Set<Promise<void>>,
  options: ServeUdpOptions,
): Promise<void> {
  const slice = new TimeSlice();
  for (;;) {
    if (inFlight.size >= MAX_IN_FLIGHT) await Promise.race(inFlight);
    // Queued datagrams arrive without a turn of the event loop between them.
    if (slice.over) await slice.yieldToEventLoop();
    let received: Awaited<ReturnType<RawUdp["receive"]>>;
    const askedMs = performance.now();
    try {
      received = await socket.receive();
    } catch (error) {
      options.onError(error);
      continue;
    }
    if (received === undefined) return;
    slice.waited(askedMs);
    const handling = handle(toDatagram(socket, received), options);
    if (handling === undefined) continue;
    const handled = handling.catch(options.onError).finally(() => inFlight.delete(handled));
    inFlight.add(handled);
  }
}

/** Returns nothing if the datagram is handled already: a burst then costs no promise for each. */
function handle(datagram: Datagram, options: ServeUdpOptions): Promise<void> | undefined {
  try {
    return options.receive(datagram) ?? undefined;
  } catch (error) {
    options.onError(error);
    return undefined;
  }
}

function toDatagram(
  socket: RawUdp,
  { bytes, from }: { bytes: Uint8Array; from: HostPort },
  peer = formatAddress(from),
): Datagram {
  return {
    bytes,
    peer,
    get local() {
      return formatAddress(socket.local);
    },
    reply: (answer) => socket.send(answer, from),
  };
}

async function settled(inFlight: ReadonlySet<Promise<void>>, graceMs: number): Promise<void> {
  if (inFlight.size === 0) return;
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, graceMs);
  await Promise.race([Promise.allSettled(inFlight), late]);
  clearTimeout(timer);
}

async function bindAll(where: { hostname: string; port: number }): Promise<readonly RawUdp[]> {
  if (hasNative()) return listenAll(where, toBound(bindNative)).bound;
  const hostname = where.hostname === "localhost" ? "127.0.0.1" : where.hostname;
  return [await bindNode({ hostname, port: where.port })];
}

function toBound(
  bind: (where: HostPort) => RawUdp,
): (where: HostPort) => { bound: RawUdp; port: number } {
  return (where) => {
    const bound = bind(where);
    return { bound, port: bound.local.port };
  };
}

function bindUdp(where: HostPort): Promise<RawUdp> {
  return hasNative() ? Promise.resolve(bindNative(where)) : bindNode(where);
}

/** `Deno.listenDatagram` exists only with the unstable `net` feature. */
function hasNative(): boolean {
  return "listenDatagram" in Deno;
}

function bindNative(where: HostPort): RawUdp {
  const conn = Deno.listenDatagram({ ...where, transport: "udp" });
  const buffer = new Uint8Array(MAX_DATAGRAM_BYTES);
  let open = true;
  return {
    local: conn.addr as Deno.NetAddr,
    async send(bytes, { hostname, port }) {
      await conn.send(bytes, { transport: "udp", hostname, port });
    },
    async receive({ reuse = false } = {}) {
      if (!open) return undefined;
      try {
        const [view, from] = await conn.receive(buffer);
        return { bytes: reuse ? view : view.slice(), from: from as Deno.NetAddr };
      } catch (error) {
        if (!open) return undefined;
        throw error;
      }
    },
    close() {
      if (open) conn.close();
      open = false;
    },
  };
}

async function bindNode(where: HostPort): Promise<RawUdp> {
  const socket = createSocket(where.hostname.includes(":") ? "udp6" : "udp4");
  const bound = once(socket, "listening");
  socket.bind(where.port, where.hostname);
  await bound;
  const address = socket.address();
  return new NodeUdp(socket, { hostname: address.address, port: address.port });
}

class NodeUdp implements RawUdp {
  readonly local: HostPort;
  readonly #socket: Socket;
  readonly #waiting: { bytes: Uint8Array; from: HostPort }[] = [];
  #open = true;
  #changed = Promise.withResolvers<void>();
  #failure: Error | undefined;

  constructor(socket: Socket, local: HostPort) {
    this.local = local;
    this.#socket = socket;
    socket.on("message", (message, { address, port }) => {
      // Drops the newest, as the kernel does with a full receive buffer.
      if (this.#waiting.length >= MAX_IN_FLIGHT) return;
      this.#waiting.push({ bytes: Uint8Array.from(message), from: { hostname: address, port } });
      this.#tell();
    });
    socket.on("error", (error) => {
      this.#failure = error;
      this.#tell();
    });
  }

  send(bytes: Uint8Array, to: HostPort): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#socket.send(bytes, to.port, to.hostname, (error) => error ? reject(error) : resolve());
    return promise;
  }

  async receive(): Promise<{ bytes: Uint8Array; from: HostPort } | undefined> {
    for (;;) {
      if (!this.#open) return undefined;
      const received = this.#waiting.shift();
      if (received !== undefined) return received;
      const failure = this.#failure;
      this.#failure = undefined;
      if (failure !== undefined) throw failure;
      await this.#changed.promise;
    }
  }

  close(): void {
    if (this.#open) this.#socket.close();
    this.#open = false;
    this.#tell();
  }

  #tell(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}

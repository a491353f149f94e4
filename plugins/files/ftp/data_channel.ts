import { reasonOf } from "../../../core/errors.ts";
import { formatAddress, parseAddress } from "../../../core/net/address.ts";
import {
  HandshakeError,
  IdleError,
  type Net,
  type Sockets,
  type TcpListener,
  type Transport,
} from "../../../core/net/transport.ts";
import type { DataAddress } from "./codec/address.ts";

/** Timeout of an active connection. */
const CONNECT_MS = 10_000;
/** Timeout of a TLS handshake. */
const HANDSHAKE_MS = 10_000;
/**
 * Time for a client to close its side after a download. Most do so at once. After that many downloads in a row without,
 * the client is one that keeps it open until the reply, and is not waited for again.
 */
const CLOSE_MS = 200;
const KEPT_OPEN = 3;
/** Strangers refused before a passive port is closed. */
const MAX_STRANGERS = 16;

/** Levels of RFC 2228 section 3 that RFC 4217 allows for data connections: clear or private. */
export type Protection = "C" | "P";

/**
 * Dynamic ports (RFC 6335 section 6) above those that Linux gives to clients (`ip_local_port_range`), of which one in six
 * was taken after some thousand files; and how many are tried before the system chooses one.
 */
const DYNAMIC_PORTS = { first: 61_000, last: 65_535 };
const GUESSES = 4;

/** Ports of passive mode, both included. */
export interface PortRange {
  readonly first: number;
  readonly last: number;
}

/** No data connection is possible; 522 if it lacks the required protection (RFC 4217). */
export class DataConnectionError extends Error {
  override name = "DataConnectionError";

  constructor(message: string, readonly code: 425 | 522 = 425) {
    super(message);
  }
}

/** Opens the data connections of one session: one at a time, and only to or from the client's own address. */
export class DataChannel {
  readonly #net: Net;
  /** Of the machine that the client has reached. */
  readonly #sockets: Sockets;
  readonly #local: string;
  readonly #peer: string;
  readonly #ports: PortRange | undefined;
  readonly #acceptMs: number;
  #passive: TcpListener | undefined;
  #active: DataAddress | undefined;
  /** The listener for the client. */
  #awaited: TcpListener | undefined;
  /** Downloads in a row whose connection the client kept open. */
  #keptOpen = 0;

  constructor(
    control: Pick<Transport, "peer" | "local" | "sockets">,
    options: { net: Net; ports: PortRange | undefined; acceptMs: number },
  ) {
    this.#net = options.net;
    this.#sockets = control.sockets ?? options.net;
    this.#local = plainHost(control.local);
    this.#peer = plainHost(control.peer);
    this.#ports = options.ports;
    this.#acceptMs = options.acceptMs;
  }

  /** Address of this machine that the client reached. */
  get local(): string {
    return this.#local;
  }

  /** Whether PASV, EPSV, PORT or EPRT has prepared a connection. */
  get ready(): boolean {
    return this.#passive !== undefined || this.#active !== undefined;
  }

  /** Listens for the client, and closes whatever was prepared before. Returns the port. */
  async listen(): Promise<number> {
    await this.close();
    this.#passive = await this.#open();
    return this.#passive.port;
  }

  /**
   * Prepares a connection to the client. Returns `undefined` if that is allowed, or else the reason: any other address,
   * or a system port, could be another service (RFC 2577 section 3).
   */
  async connectTo(address: DataAddress): Promise<string | undefined> {
    if (plainHost(formatAddress(address)) !== this.#peer) {
      return `Data connections go only to ${this.#peer}, where this connection comes from`;
    }
    if (address.port < 1024) return "Data connections go only to ports from 1024 up";
    await this.close();
    this.#active = address;
    return undefined;
  }

  /** Returns the prepared connection, within TLS if `protection` requires it. Rejects with `DataConnectionError`. */
  async connect(protection: Protection): Promise<Transport> {
    const wire = await this.#connect();
    return protection === "P" ? await this.#protect(wire) : wire;
  }

  /** Stops waiting for the client: a pending `connect` rejects. */
  async giveUp(): Promise<void> {
    await this.#awaited?.[Symbol.asyncDispose]();
  }

  /**
   * Ends a connection over which everything was sent, and waits for the client to close it too. It has then read
   * the reply 150, and cannot get both replies at once, which Erlang's client takes for a transfer without data.
   */
  async end(wire: Transport, protection: Protection): Promise<void> {
    if (this.#keptOpen < KEPT_OPEN) {
      const closing = wire[Symbol.asyncDispose]().then(() => true);
      const { promise: late, resolve } = Promise.withResolvers<boolean>();
      const timer = setTimeout(() => resolve(false), CLOSE_MS);
      const isClosed = await Promise.race([closing, late]);
      clearTimeout(timer);
      this.#keptOpen = isClosed ? 0 : this.#keptOpen + 1;
      if (isClosed) return;
    }
    if (protection === "C") cut(wire);
    // Its end takes time, such as for close_notify.
    else void wire[Symbol.asyncDispose]();
  }

  /** Drops what was prepared. */
  async close(): Promise<void> {
    this.#active = undefined;
    const passive = this.#passive;
    this.#passive = undefined;
    await passive?.[Symbol.asyncDispose]();
  }

  async #connect(): Promise<Transport> {
    const [passive, active] = [this.#passive, this.#active];
    this.#passive = undefined;
    this.#active = undefined;
    this.#awaited = passive;
    try {
      if (passive !== undefined) return await this.#accept(passive);
      if (active !== undefined) {
        return await this.#sockets.connectTcp({ ...active, idleMs: CONNECT_MS });
      }
    } catch (error) {
      if (error instanceof DataConnectionError) throw error;
      const reason = reasonOf(error);
      throw new DataConnectionError(`Cannot open a data connection: ${reason}`);
    } finally {
      this.#awaited = undefined;
      await passive?.[Symbol.asyncDispose]();
    }
    throw new DataConnectionError("Use PASV, EPSV, PORT or EPRT first");
  }

  /** RFC 4217 section 7: the client starts the handshake, whichever side opened the connection. */
  async #protect(wire: Transport): Promise<Transport> {
    let inner: Transport;
    try {
      inner = await this.#net.startTls(wire, { handshakeMs: HANDSHAKE_MS, isTransfer: true });
    } catch (error) {
      await wire[Symbol.asyncDispose]();
      if (!(error instanceof IdleError || error instanceof HandshakeError)) throw error;
      throw new DataConnectionError(`The data connection is not private: ${error.message}`, 522);
    }
    let closing: Promise<void> | undefined;
    const close = async (): Promise<void> => {
      await inner[Symbol.asyncDispose]();
      await wire[Symbol.asyncDispose]();
    };
    return {
      peer: wire.peer,
      local: wire.local,
      read: (limits) => inner.read(limits),
      write: (bytes, limits) => inner.write(bytes, limits),
      disturb: (what) => inner.disturb?.(what),
      abort() {
        wire.abort?.();
        inner.abort?.();
      },
      [Symbol.asyncDispose]: () => closing ??= close(),
    };
  }

  async #accept(listener: TcpListener): Promise<Transport> {
    for (let turned = 0; turned < MAX_STRANGERS; turned++) {
      const wire = await listener.accept({ idleMs: this.#acceptMs });
      if (plainHost(wire.peer) === this.#peer) return wire;
      await wire[Symbol.asyncDispose]();
    }
    throw new IdleError(`Only other hosts connected, not ${this.#peer}`);
  }

  async #open(): Promise<TcpListener> {
    const hostname = this.#local;
    const { first, last } = this.#ports ?? DYNAMIC_PORTS;
    const count = last - first + 1;
    const start = Math.floor(Math.random() * count);
    let reason = "";
    for (let i = 0; i < count; i++) {
      // The system takes milliseconds to find a port after thousands of connections: guessing one is faster.
      if (this.#ports === undefined && i === GUESSES) {
        return await this.#sockets.listenTcp({ hostname, port: 0 });
      }
      try {
        return await this.#sockets.listenTcp({ hostname, port: first + (start + i) % count });
      } catch (error) {
        reason = reasonOf(error);
      }
    }
    throw new DataConnectionError(`No port of ${first}-${last} is free: ${reason}`);
  }
}

/** Closes a connection without waiting for the client. */
export function cut(wire: Transport): void {
  if (wire.abort !== undefined) wire.abort();
  else void wire[Symbol.asyncDispose]();
}

/** Returns the host of an address, with an IPv4-mapped address as IPv4. */
function plainHost(address: string): string {
  return parseAddress(address).hostname.toLowerCase().replace(/^::ffff:(?=\d+\.)/, "");
}

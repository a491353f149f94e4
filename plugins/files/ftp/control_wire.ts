import { WireError } from "../../../core/bytes/decoder.ts";
import { toLatin1 } from "../../../core/bytes/latin1.ts";
import { IdleWait } from "../../../core/net/idle_wait.ts";
import {
  DisconnectedError,
  HandshakeError,
  IdleError,
  type ReadOptions,
  type Transport,
} from "../../../core/net/transport.ts";
import { FIRST_TELNET, isAbort, isUrgent } from "./codec/command.ts";

const LF = 0x0a;
const CR = 0x0d;
/** The session limits its own waits, not the read in the background. */
const READ_IDLE_MS = 24 * 60 * 60 * 1000;
/** Limit of a reused buffer: thousands of clients may each fill one. */
const MAX_REUSED_BYTES = 65_536;
const OWN_BUFFER: ReadInto = { reuse: true, maxReused: MAX_REUSED_BYTES };
/** First byte of a TLS handshake: RFC 8446 section 5.1. */
const TLS_HANDSHAKE = 0x16;

type ReadInto = Pick<ReadOptions, "reuse" | "maxReused" | "into">;

/**
 * The control connection. It is also read during a transfer, to notice an ABOR or the end of the client. Keeps received
 * bytes until they are read. A line is valid only until more bytes arrive.
 */
export class ControlWire {
  readonly #wire: Transport;
  readonly #arrivals = new IdleWait<void>((idleMs) =>
    `Nothing was received from ${this.#wire.peer} for ${idleMs} ms`
  );
  #unread: Uint8Array = new Uint8Array();
  #pending: Promise<void> | undefined;
  #failure: Error | undefined;
  #ended = false;
  #skipping = false;
  #closely: "always" | "where lines begin" | "no" = "no";

  constructor(wire: Transport) {
    this.#wire = wire;
  }

  /** Whether the client has closed its side, or disconnected. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Bytes received and not yet read. */
  get waiting(): number {
    return this.#unread.length;
  }

  /**
   * Whether the unread bytes leave it open if the client continues: they end inside a command, or with a QUIT, which
   * some clients send when they leave in the middle of a transfer.
   */
  get leavesOpen(): boolean {
    if (this.#unread.length === 0 || this.hasAbort) return false;
    if (this.#unread.at(-1) !== LF) return true;
    const last = this.#unread.subarray(this.#unread.lastIndexOf(LF, -2) + 1);
    return /^QUIT\r?\n$/i.test(toLatin1(last));
  }

  /** Whether the unread bytes contain an ABOR. */
  get hasAbort(): boolean {
    if (this.#unread.length === 0) return false;
    let rest = this.#unread;
    for (let end = rest.indexOf(LF); end >= 0; end = rest.indexOf(LF)) {
      if (isAbort(rest.subarray(0, end + 1))) return true;
      rest = rest.subarray(end + 1);
    }
    return isAbort(rest);
  }

  /**
   * Starts a transfer. An ABOR may now follow a telnet Synch, which is urgent data, so until `transferred`, and up to
   * the first line that cannot be an ABOR, bytes are read one at a time. That costs little then.
   */
  transferring(): void {
    this.#closely = "always";
  }

  /** Ends a transfer. The client may not know yet, and abort it. */
  transferred(): void {
    this.#closely = "where lines begin";
  }

  /** Resolves when more bytes have arrived, or the end. */
  arrival(into?: ReadInto): Promise<void> {
    if (this.#ended) return Promise.resolve();
    return this.#pending ??= this.#read(into);
  }

  /**
   * Returns the next line with its line end; `undefined` at the end of the stream. Throws `WireError` "limit" for a
   * longer one, whose rest is then skipped. Rejects with `IdleError`, with `DisconnectedError` inside a line, and with
   * `HandshakeError` if TLS begins instead of a command.
   */
  async line(
    { maxBytes, idleMs }: { maxBytes: number; idleMs: number },
  ): Promise<Uint8Array | undefined> {
    let endMs = Infinity;
    for (;;) {
      if (this.#unread[0] === TLS_HANDSHAKE && !this.#skipping) {
        throw new HandshakeError(
          "The client began with a TLS handshake: set tls, and configure the client to send AUTH TLS first (explicit FTPS)",
        );
      }
      const end = this.#unread.indexOf(LF);
      if (this.#skipping) {
        this.#take(end < 0 ? this.#unread.length : end + 1);
        if (end >= 0) this.#skipping = false;
        if (end >= 0) continue;
      } else {
        const cut = this.#cutAt(end);
        if (cut > maxBytes || (cut === 0 && this.#unread.length > maxBytes)) {
          this.#skipping = cut === 0;
          this.#take(cut === 0 ? this.#unread.length : cut);
          throw new WireError("limit", `Cannot read a command of more than ${maxBytes} bytes`);
        }
        if (cut > 0) {
          if (!this.#mayCallOff(0)) this.#closely = "no";
          return this.#take(cut);
        }
      }
      if (this.#ended) return this.#finish();
      // A command that arrives byte by byte has no more time than silence.
      if (this.#unread.length > 0 || this.#skipping) {
        endMs = Math.min(endMs, performance.now() + idleMs);
      }
      if (performance.now() > endMs) {
        throw new IdleError(`${this.#wire.peer} took more than ${idleMs} ms over one command`);
      }
      await this.#arrivals.within(this.arrival(), idleMs);
    }
  }

  /**
   * Returns the connection for TLS. Unread bytes arrived in the clear and must not count as sent in private, so they
   * are dropped; a pending read continues for the new owner. The caller closes the connection.
   */
  handOver(): Transport {
    this.stop();
    this.#unread = new Uint8Array();
    return this.rest;
  }

  /** Returns the connection, with the unread bytes. The caller closes it. */
  get rest(): Transport {
    const wire = this.#wire;
    return {
      peer: wire.peer,
      local: wire.local,
      read: async (into) => {
        while (this.#unread.length === 0 && !this.#ended) await this.arrival(into);
        return this.#unread.length > 0 ? this.#take(this.#unread.length) : this.#finish();
      },
      write: (bytes, options) => wire.write(bytes, options),
      abort: () => wire.abort?.(),
      disturb: (what) => wire.disturb?.(what),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
  }

  /** Rejects the pending wait for a line with this error. */
  interrupt(error: Error): void {
    this.#arrivals.reject(error);
  }

  /** Stops the timer; no line can be read after that. */
  stop(): void {
    this.#arrivals.stop();
  }

  write(bytes: Uint8Array, idleMs: number): Promise<void> {
    return this.#wire.write(bytes, { idleMs });
  }

  /** Returns the end of the next line; 0 if it has not arrived. */
  #cutAt(end: number): number {
    // A command sent as urgent data loses its last byte, so the next one follows its CR.
    const head = this.#unread.subarray(0, end < 0 ? this.#unread.length : end + 1);
    const cr = head.indexOf(CR) + 1;
    return cr > 0 && head[cr] !== LF && isUrgent(head.subarray(0, cr)) ? cr : end + 1;
  }

  #take(count: number): Uint8Array {
    const taken = this.#unread.subarray(0, count);
    this.#unread = this.#unread.subarray(count);
    return taken;
  }

  #finish(): undefined {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#unread.length === 0) return undefined;
    throw new DisconnectedError(`${this.#wire.peer} disconnected in the middle of a command`);
  }

  /** Returns whether the line at an index may be an ABOR, or the rest of one. */
  #mayCallOff(at: number): boolean {
    const first = this.#unread[at];
    return first === undefined || first >= FIRST_TELNET ||
      "Aa\r\n".includes(String.fromCharCode(first));
  }

  async #read({ reuse, maxReused, into }: ReadInto = OWN_BUFFER): Promise<void> {
    const bytewise = this.#closely === "always" ||
      this.#closely === "where lines begin" &&
        this.#mayCallOff(this.#unread.lastIndexOf(LF) + 1);
    // What has not been read yet must stay as it is.
    const where = this.#unread.length === 0 ? { reuse, maxReused, into } : {};
    try {
      const chunk = await this.#wire.read({ idleMs: READ_IDLE_MS, bytewise, ...where });
      if (chunk === undefined) this.#ended = true;
      else if (this.#unread.length === 0) this.#unread = chunk;
      else {
        const joined = new Uint8Array(this.#unread.length + chunk.length);
        joined.set(this.#unread);
        joined.set(chunk, this.#unread.length);
        this.#unread = joined;
      }
    } catch (error) {
      this.#ended = true;
      this.#failure = error instanceof Error ? error : new Error(String(error));
    } finally {
      this.#pending = undefined;
    }
  }
}

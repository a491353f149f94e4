import { join } from "../bytes/concat.ts";
import { WireError } from "../bytes/decoder.ts";
import { ByteGatherer } from "../bytes/gatherer.ts";
import { Pace } from "./pace.ts";
import { DisconnectedError, IdleError, type Transport } from "./transport.ts";

const LF = 0x0a;
const NOTHING = new Uint8Array();
/** Limit of a reused buffer: thousands of connections may each fill one. */
const MAX_REUSED_BYTES = 65_536;

/**
 * Reads lines, a number of bytes, or the next bytes from one `Transport`. Keeps received bytes until they are read, so
 * framing may change in mid-stream and pipelined commands are not lost. Reads must not overlap.
 */
export class BufferedWire implements Transport {
  readonly #wire: Transport;
  readonly #reuse: boolean;
  #unread: Uint8Array = NOTHING;
  /** The rest of an overlong line has yet to arrive. */
  #skipping = false;

  /** With `reuse`, bytes are valid only until the next read, which saves a new buffer for each chunk. */
  constructor(wire: Transport, { reuse = false }: { readonly reuse?: boolean } = {}) {
    this.#wire = wire;
    this.#reuse = reuse;
  }

  get peer(): string {
    return this.#wire.peer;
  }

  get local(): string {
    return this.#wire.local;
  }

  /** Bytes received and not yet read. */
  get buffered(): number {
    return this.#unread.length;
  }

  /**
   * Returns the next line with its line end as sent (LF, usually CR LF); `undefined` at the end of the stream.
   * A line of more than `maxBytes`, line end included, throws `WireError` "limit"; its rest is then skipped, so that the
   * next call returns the line after it. Rejects with `DisconnectedError` if the stream ends inside a line, and with
   * `IdleError` if nothing arrives for `idleMs` or the line takes longer, byte by byte.
   */
  line(limits: { maxBytes: number; idleMs: number }): Promise<Uint8Array | undefined> {
    // Pipelined commands: the line has already arrived.
    const end = this.#skipping ? -1 : this.#unread.indexOf(LF);
    if (end < 0 || end >= limits.maxBytes) return this.#readLine(limits);
    const line = this.#unread.subarray(0, end + 1);
    this.#unread = this.#unread.subarray(end + 1);
    return Promise.resolve(line);
  }

  async #readLine(
    { maxBytes, idleMs }: { maxBytes: number; idleMs: number },
  ): Promise<Uint8Array | undefined> {
    if (this.#skipping && !await this.#skipLine(idleMs)) return undefined;
    if (this.#unread.length === 0) {
      // Most lines arrive alone, and in one chunk.
      const read = await this.#read(idleMs);
      if (read === undefined) return undefined;
      const length = read.indexOf(LF) + 1;
      if (length > 0 && length === read.length && length <= maxBytes) return read;
      this.#unread = read;
    }
    const gathered = new ByteGatherer(maxBytes);
    let endMs = Infinity;
    for (;;) {
      const chunk = await this.#next({ idleMs }, gathered);
      if (chunk === undefined) {
        if (gathered.length === 0) return undefined;
        throw new DisconnectedError(`${this.peer} disconnected in the middle of a line`);
      }
      const end = chunk.indexOf(LF);
      const taken = end < 0 ? chunk : chunk.subarray(0, end + 1);
      this.unread(chunk.subarray(taken.length));
      if (gathered.length + taken.length > maxBytes) {
        this.#skipping = end < 0;
        throw new WireError("limit", `Cannot read a line of more than ${maxBytes} bytes`);
      }
      const isFirst = gathered.length === 0;
      if (isFirst && end >= 0) return taken;
      gathered.append(taken);
      if (end >= 0) return gathered.take();
      if (isFirst) endMs = performance.now() + idleMs;
      else if (performance.now() > endMs) {
        throw new IdleError(`${this.peer} took more than ${idleMs} ms over one line`);
      }
    }
  }

  /**
   * Returns exactly `length` bytes, which the caller limits; `undefined` if the stream ends before the first of them.
   * Rejects with `DisconnectedError` if it ends between them.
   */
  async exact(length: number, { idleMs }: { idleMs: number }): Promise<Uint8Array | undefined> {
    if (length === 0) return NOTHING;
    const gathered = new ByteGatherer(length);
    for (;;) {
      const missing = length - gathered.length;
      const chunk = await this.#next({ idleMs, maxBytes: missing }, gathered);
      if (chunk === undefined) {
        if (missing === length) return undefined;
        throw new DisconnectedError(`${this.peer} disconnected ${missing} bytes early`);
      }
      if (chunk.length === length) return chunk;
      gathered.append(chunk);
      if (gathered.length === length) return gathered.take();
    }
  }

  /** Returns the next bytes as they arrive, at most `maxBytes`; `undefined` at the end of the stream. */
  async chunk(
    { idleMs, maxBytes = Infinity }: { idleMs: number; maxBytes?: number },
  ): Promise<Uint8Array | undefined> {
    let chunk = this.#unread;
    this.#unread = NOTHING;
    while (chunk.length === 0) {
      const read = await this.#read(idleMs);
      if (read === undefined) return undefined;
      chunk = read;
    }
    if (chunk.length <= maxBytes) return chunk;
    this.#unread = chunk.subarray(maxBytes);
    return chunk.subarray(0, maxBytes);
  }

  /** Puts bytes back, to be read next. */
  unread(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#unread = this.#unread.length === 0 ? bytes : join([bytes, this.#unread]);
  }

  /**
   * Drops the bytes received and not yet read, and returns their number. Needed before a TLS handshake: commands sent in
   * the clear must not count as sent in private (CVE-2011-0411).
   */
  discard(): number {
    const { length } = this.#unread;
    this.#unread = NOTHING;
    return length;
  }

  read(options: { idleMs: number }): Promise<Uint8Array | undefined> {
    return this.chunk(options);
  }

  write(bytes: Uint8Array, options?: { idleMs?: number }): Promise<void> {
    return this.#wire.write(bytes, options);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#wire[Symbol.asyncDispose]() as Promise<void>;
  }

  #read(idleMs: number): Promise<Uint8Array | undefined> {
    return this.#wire.read({ idleMs, reuse: this.#reuse, maxReused: MAX_REUSED_BYTES });
  }

  /** Returns the next chunk. If none arrives in time, puts the gathered bytes back, so that nothing is lost. */
  async #next(
    limits: { idleMs: number; maxBytes?: number },
    gathered: ByteGatherer,
  ): Promise<Uint8Array | undefined> {
    try {
      return await this.chunk(limits);
    } catch (error) {
      this.unread(gathered.take());
      throw error;
    }
  }

  /** Returns false at the end of the stream. */
  async #skipLine(idleMs: number): Promise<boolean> {
    const pace = new Pace({ idleMs, what: "a line" });
    for (;;) {
      const chunk = await pace.next((limits) => this.chunk(limits));
      if (chunk === undefined) return false;
      const end = chunk.indexOf(LF);
      if (end < 0) continue;
      this.#skipping = false;
      this.unread(chunk.subarray(end + 1));
      return true;
    }
  }
}

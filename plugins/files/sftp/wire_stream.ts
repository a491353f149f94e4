import { Buffer } from "node:buffer";
import { Duplex } from "node:stream";
import { concat } from "../../../core/bytes/concat.ts";
import { returnScratch, takeScratch } from "../../../core/bytes/scratch.ts";
import type { Transport } from "../../../core/net/transport.ts";

/** Beginning of every identification line: RFC 4253 section 4.2. */
const BEGINNING = new TextEncoder().encode("SSH-");
/** Longest identification line with its CR LF: RFC 4253 section 4.2. */
const MAX_IDENTIFICATION_BYTES = 255;
/** Version 2, or 1.99 of a peer that also speaks version 1: RFC 4253 section 5.1. */
const IDENTIFICATION = /^SSH-(?:2\.0|1\.99)-[!-~]+(?: [^\0]*)?$/;
const LF = 0x0a;
/** Unsent bytes at which a writer has to wait. */
const HIGH_WATER_BYTES = 256 * 1024;
/** Maximum number of unread responses of a peer; beyond it, reading from the peer pauses. */
const MAX_UNSENT_BYTES = 512 * 1024;

/** Bytes passed on in one turn: many where they are processed quickly, few where each packet is slow. */
const PART_BYTES = { least: 4096, most: 256 * 1024 };
/** Copies of each byte that the library makes. */
const COPIES = 2;
/** Longest work in one turn, in milliseconds. */
const STRETCH_MS = 10;
/** Timeout for sending DISCONNECT. */
const FAREWELL_MS = 1000;

/** The peer does not speak SSH version 2. */
export class NoSshError extends Error {
  override name = "NoSshError";
}

/**
 * A connection as the stream that the SSH library reads and writes. The library never waits for room for its responses,
 * so reading from a peer that leaves them unread pauses. The stream ends when either side does; the connection
 * itself is closed by its owner.
 */
export class WireStream extends Duplex {
  readonly #wire: Transport;
  readonly #idleMs: number;
  readonly #waste: (bytes: number) => Promise<void> | undefined;
  /** The identification line so far; nothing once it is complete. */
  #beginning: Uint8Array | undefined = new Uint8Array();
  #moved = 0;
  #partBytes = PART_BYTES.most;
  readonly #unfilled = new WeakMap<ArrayBufferLike, Promise<void>>();
  #isReading = false;
  #isWanted = false;

  /** `waste` counts bytes that are garbage once they have been decrypted, and may wait for a collection. */
  constructor(
    wire: Transport,
    { idleMs, waste = () => undefined }: {
      idleMs: number;
      waste?: (bytes: number) => Promise<void> | undefined;
    },
  ) {
    super({ writableHighWaterMark: HIGH_WATER_BYTES });
    this.#wire = wire;
    this.#idleMs = idleMs;
    this.#waste = waste;
    for (const event of ["end", "finish"] as const) this.once(event, () => this.destroy());
  }

  /** Bytes read and written so far. */
  get moved(): number {
    return this.#moved;
  }

  /** Bytes that are written next will not be known before the promise resolves: they are sent then, in their turn. */
  later(bytes: Uint8Array<ArrayBuffer>, filled: Promise<void>): void {
    this.#unfilled.set(bytes.buffer, filled);
    // Those of a stream that has ended are never written.
    filled.catch(() => {});
  }

  /** Runs `write`, and sends its output at once. */
  together(write: () => void): void {
    this.cork();
    write();
    this.uncork();
  }

  /** Stops reading, sends the remaining output as far as the peer accepts it, and ends. */
  finish(): void {
    if (this.destroyed) return;
    this.pause();
    this.end();
    const timer = setTimeout(() => this.destroy(), FAREWELL_MS);
    this.once("close", () => clearTimeout(timer));
  }

  override _read(): void {
    this.#isWanted = true;
    if (!this.#isReading) this.#readOn().catch((error) => this.destroy(error));
  }

  /** Reads while more is wanted. Never twice at a time: both reads would get the next bytes. */
  async #readOn(): Promise<void> {
    this.#isReading = true;
    while (this.#isWanted && !this.destroyed) {
      this.#isWanted = false;
      if (this.writableLength > MAX_UNSENT_BYTES) await this.#drained();
      const chunk = await this.#wire.read({ idleMs: this.#idleMs });
      if (!this.destroyed) await this.#take(chunk);
    }
    this.#isReading = false;
  }

  #drained(): Promise<void> {
    return new Promise((resolve) => this.once("drain", resolve).once("close", resolve));
  }

  async #take(chunk: Uint8Array | undefined): Promise<void> {
    if (chunk === undefined) {
      // The library would wait for the rest of a login that has not begun.
      if (this.#beginning !== undefined) this.destroy();
      else this.push(null);
      return;
    }
    this.#moved += chunk.length;
    if (this.#beginning === undefined) return await this.#pass(chunk);
    const begun = concat([this.#beginning, chunk]);
    const fault = faultOf(begun);
    if (fault !== undefined) throw new NoSshError(fault);
    this.#beginning = begun.includes(LF) ? undefined : begun;
    if (this.#beginning === undefined) await this.#pass(begun);
    else this.#isWanted = true;
  }

  /** Passes on a chunk, in several turns if it is slow to process. */
  async #pass(chunk: Uint8Array): Promise<void> {
    for (let at = 0; at < chunk.length && !this.destroyed;) {
      const part = chunk.subarray(at, at + this.#partBytes);
      at += part.length;
      const begunMs = performance.now();
      this.together(() => this.push(Buffer.from(part.buffer, part.byteOffset, part.length)));
      if (performance.now() - begunMs < STRETCH_MS) {
        this.#partBytes = Math.min(2 * this.#partBytes, PART_BYTES.most);
      } else {
        this.#partBytes = Math.max(part.length >> 1, PART_BYTES.least);
        await new Promise((resolve) => setTimeout(resolve, 0));
      }
      const collected = this.#waste(COPIES * part.length);
      if (collected !== undefined) await collected;
    }
  }

  override _write(
    chunk: Uint8Array,
    _encoding: string,
    done: (error?: Error | null) => void,
  ): void {
    this.#moved += chunk.length;
    const filled = this.#unfilled.get(chunk.buffer);
    const written = filled === undefined
      ? this.#wire.write(chunk)
      : filled.then(() => this.#wire.write(chunk));
    written.then(() => done(), done);
  }

  override _writev(
    chunks: readonly { readonly chunk: Uint8Array }[],
    done: (error?: Error | null) => void,
  ): void {
    const filled = chunks.map(({ chunk }) => this.#unfilled.get(chunk.buffer))
      .filter((one) => one !== undefined);
    if (filled.length === 0) this.#writeJoined(chunks, done);
    else Promise.all(filled).then(() => this.#writeJoined(chunks, done), done);
  }

  #writeJoined(
    chunks: readonly { readonly chunk: Uint8Array }[],
    done: (error?: Error | null) => void,
  ): void {
    const joined = takeScratch(chunks.reduce((sum, { chunk }) => sum + chunk.length, 0));
    let at = 0;
    for (const { chunk } of chunks) {
      joined.set(chunk, at);
      at += chunk.length;
    }
    this._write(joined, "", (error) => {
      // The platform may still use a buffer that it could not write in time.
      if (!error) returnScratch(joined);
      done(error);
    });
  }
}

/** Returns why the first bytes are not an identification line of SSH version 2, if they are not. */
function faultOf(begun: Uint8Array): string | undefined {
  if (BEGINNING.some((byte, i) => i < begun.length && begun[i] !== byte)) {
    return "Expected SSH, and the client began with something else";
  }
  const end = begun.indexOf(LF);
  if (end >= MAX_IDENTIFICATION_BYTES || end < 0 && begun.length >= MAX_IDENTIFICATION_BYTES) {
    return `Cannot accept an identification line of more than ${MAX_IDENTIFICATION_BYTES} bytes`;
  }
  const line = new TextDecoder("latin1").decode(begun.subarray(0, Math.max(end, 0)))
    .replace(/\r$/, "");
  if (end < 0 || IDENTIFICATION.test(line)) return undefined;
  return `Expected an identification line of SSH version 2, got ${JSON.stringify(line)}`;
}

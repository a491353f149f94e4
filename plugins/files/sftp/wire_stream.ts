import { Buffer } from "node:buffer";
import { Duplex } from "node:stream";
import type { Transport } from "../../../core/net/transport.ts";

/** What every SSH peer says first: RFC 4253 section 4.2. */
const BEGINNING = new TextEncoder().encode("SSH-");

/** The peer speaks something else than SSH. */
export class NoSshError extends Error {
  override name = "NoSshError";
}

/** An accepted connection as the stream that the SSH library reads and writes. */
export class WireStream extends Duplex {
  readonly #wire: Transport;
  readonly #idleMs: number;
  /** Bytes of the beginning that have come. */
  #begun = 0;

  constructor(wire: Transport, options: { idleMs: number }) {
    super();
    this.#wire = wire;
    this.#idleMs = options.idleMs;
  }

  override _read(): void {
    this.#wire.read({ idleMs: this.#idleMs }).then(
      (chunk) => this.#take(chunk),
      (error) => this.destroy(error),
    );
  }

  #take(chunk: Uint8Array | undefined): void {
    if (chunk === undefined) {
      // The library would wait for the rest of a login that nobody has begun.
      if (this.#begun < BEGINNING.length) this.destroy();
      else this.push(null);
    } else if (this.#mayBegin(chunk)) {
      this.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length));
    } else this.destroy(new NoSshError("Expected SSH, and the client began with something else"));
  }

  /** The library would wait for a line that is one, for as long as a login may take. */
  #mayBegin(chunk: Uint8Array): boolean {
    for (const byte of chunk.subarray(0, BEGINNING.length - this.#begun)) {
      if (byte !== BEGINNING[this.#begun++]) return false;
    }
    return true;
  }

  override _write(
    chunk: Uint8Array,
    _encoding: string,
    done: (error?: Error | null) => void,
  ): void {
    this.#wire.write(chunk).then(() => done(), done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    // A read that still waits must not hold the connection open.
    this.#wire.abort?.();
    done(error);
  }
}

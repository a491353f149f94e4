import { Buffer } from "node:buffer";
import { Duplex } from "node:stream";
import type { Transport } from "../../../core/net/transport.ts";

/** An accepted connection as the stream that the SSH library reads and writes. */
export class WireStream extends Duplex {
  readonly #wire: Transport;
  readonly #idleMs: number;

  constructor(wire: Transport, options: { idleMs: number }) {
    super();
    this.#wire = wire;
    this.#idleMs = options.idleMs;
  }

  override _read(): void {
    this.#wire.read({ idleMs: this.#idleMs }).then(
      (chunk) =>
        this.push(
          chunk === undefined ? null : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length),
        ),
      (error) => this.destroy(error),
    );
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

import { WireError } from "./decoder.ts";

/** A cursor over bytes, big endian. Every read checks its length first and throws `WireError` "truncated". */
export class ByteReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }
  u8(): number {
    return this.#view.getUint8(this.#skip(1));
  }
  u16(): number {
    return this.#view.getUint16(this.#skip(2));
  }
  u32(): number {
    return this.#view.getUint32(this.#skip(4));
  }
  u64(): bigint {
    return this.#view.getBigUint64(this.#skip(8));
  }
  /** A view, not a copy. */
  bytes(length: number): Uint8Array {
    const at = this.#skip(length);
    return this.#bytes.subarray(at, at + length);
  }
  /** Reads length-prefixed bytes, as in SSH and XDR; `max` limits the length that a peer may claim. */
  block(max: number): Uint8Array {
    const length = this.u32();
    if (length > max) {
      throw new WireError(
        "limit",
        `Cannot read a block of ${length} bytes: at most ${max} allowed`,
      );
    }
    return this.bytes(length);
  }

  #skip(length: number): number {
    if (length > this.left) {
      throw new WireError("truncated", `Cannot read ${length} bytes: ${this.left} left`);
    }
    const at = this.#at;
    this.#at += length;
    return at;
  }
}

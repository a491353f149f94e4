/**
 * XDR (RFC 4506): everything is a multiple of four bytes, big endian; opaque bytes are filled up with zeros.
 *
 *   unsigned int    4 bytes          unsigned hyper   8 bytes
 *   bool            0 or 1           opaque[n]        n bytes, filled up
 *   opaque<n>, string<n>             length, bytes, filled up
 *
 * @module
 */
import { WireError } from "../../../../core/bytes/decoder.ts";

const WORD = 2 ** 32;
/** Shorter bytes are not worth a write of their own. */
const TAIL_BYTES = 16 * 1024;

/** A cursor over XDR. Every read checks what is left, and throws `WireError`. Bytes handed out are views. */
export class XdrReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Everything not read yet. */
  get rest(): Uint8Array {
    return this.#bytes.subarray(this.#at);
  }

  u32(): number {
    return this.#view.getUint32(this.#skip(4));
  }

  /** Beyond 2^53 not exact: no offset or size of such a height is ever taken. */
  u64(): number {
    const at = this.#skip(8);
    return this.#view.getUint32(at) * WORD + this.#view.getUint32(at + 4);
  }

  bool(): boolean {
    const value = this.u32();
    if (value > 1) throw new WireError("syntax", `Cannot read ${value} as a boolean: 0 and 1 are`);
    return value === 1;
  }

  /** One of the values 0 to `last`. */
  choice(last: number): number {
    const value = this.u32();
    if (value <= last) return value;
    throw new WireError("syntax", `Cannot read ${value} as a choice: 0 to ${last} are`);
  }

  /** opaque[length] */
  fixed(length: number): Uint8Array {
    const at = this.#skip(length + padding(length));
    return this.#bytes.subarray(at, at + length);
  }

  /** opaque<max> */
  opaque(max: number): Uint8Array {
    const length = this.u32();
    if (length <= max) return this.fixed(length);
    throw new WireError("limit", `Cannot read ${length} bytes of opaque data: at most ${max} are`);
  }

  #skip(length: number): number {
    if (length > this.#bytes.length - this.#at) {
      throw new WireError(
        "truncated",
        `Cannot read ${length} bytes of XDR: ${this.#bytes.length - this.#at} are left`,
      );
    }
    const at = this.#at;
    this.#at += length;
    return at;
  }
}

/** Builds XDR, chained. */
export class XdrWriter {
  #bytes: Uint8Array;
  #view: DataView;
  #length = 0;
  #tail: Uint8Array | undefined;

  /** `room` in bytes is what is taken at first; it grows. */
  constructor(room = 256) {
    this.#bytes = new Uint8Array(room);
    this.#view = new DataView(this.#bytes.buffer);
  }

  get length(): number {
    return this.#length;
  }

  u32(value: number): this {
    this.#grow(4);
    this.#view.setUint32(this.#length, value);
    this.#length += 4;
    return this;
  }

  /** `value` is a whole number of at most 2^53. */
  u64(value: number): this {
    return this.u32(Math.floor(value / WORD)).u32(value % WORD);
  }

  bool(value: boolean): this {
    return this.u32(value ? 1 : 0);
  }

  /** opaque[n] */
  fixed(value: Uint8Array): this {
    this.room(value.length).set(value);
    return this;
  }

  /** opaque<n> */
  opaque(value: Uint8Array): this {
    return this.u32(value.length).fixed(value);
  }

  /** opaque<n>, the last thing written; long bytes are not copied: `take` gives what they come behind, `tail` them. */
  opaqueLast(value: Uint8Array): this {
    if (value.length < TAIL_BYTES || padding(value.length) > 0) return this.opaque(value);
    this.#tail = value;
    return this.u32(value.length);
  }

  /** Room for opaque[length], filled with zeros, to be written to before anything else is. */
  room(length: number): Uint8Array {
    this.#grow(length + padding(length));
    const room = this.#bytes.subarray(this.#length, this.#length + length);
    this.#length += length + padding(length);
    return room;
  }

  /** Puts a value in the place of one written before. */
  replaceU32(at: number, value: number): this {
    this.#view.setUint32(at, value);
    return this;
  }

  /** Forgets everything behind the first `length` bytes. */
  cut(length: number): void {
    this.#bytes.fill(0, length, this.#length);
    this.#length = length;
    this.#tail = undefined;
  }

  /** What comes behind everything that `take` gives. */
  get tail(): Uint8Array | undefined {
    return this.#tail;
  }

  /** What was written; the writer is not to be used any more. */
  take(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  #grow(by: number): void {
    const needed = this.#length + by;
    if (needed <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, needed));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
    this.#view = new DataView(grown.buffer);
  }
}

/** Zeros behind `length` bytes. */
function padding(length: number): number {
  return -length & 3;
}

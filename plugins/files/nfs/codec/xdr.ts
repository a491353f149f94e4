/**
 * XDR (RFC 4506): every item is a multiple of four bytes, big endian; opaque bytes are padded with zeros.
 *
 *   unsigned int    4 bytes          unsigned hyper   8 bytes
 *   bool            0 or 1           opaque[n]        n bytes, padding
 *   opaque<n>, string<n>             length, bytes, padding
 *
 * @module
 */
import { WireError } from "../../../../core/bytes/decoder.ts";
import { grown } from "../../../../core/bytes/grow.ts";

const WORD = 2 ** 32;
/** Shorter bytes are not worth a separate write. */
const TAIL_BYTES = 16 * 1024;
/** Up to this many bytes a loop is faster than a copy by the platform. */
const LOOP_BYTES = 64;
const NO_TAIL: readonly Uint8Array[] = [];
const ZEROS = new Uint8Array(3);

/** A cursor over XDR. Every read checks the remaining length, and throws `WireError`. Returned bytes are views. */
export class XdrReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** The unread bytes. */
  get rest(): Uint8Array {
    return this.#bytes.subarray(this.#at);
  }

  u32(): number {
    return u32At(this.#bytes, this.#skip(4));
  }

  /** Beyond 2^53 not exact: no such offset or size is ever valid. */
  u64(): number {
    const at = this.#skip(8);
    return u32At(this.#bytes, at) * WORD + u32At(this.#bytes, at + 4);
  }

  bool(): boolean {
    const value = this.u32();
    if (value > 1) {
      throw new WireError("syntax", `Cannot read ${value} as a boolean: expected 0 or 1`);
    }
    return value === 1;
  }

  /** Reads one of the values 0 to `last`. */
  choice(last: number): number {
    const value = this.u32();
    if (value <= last) return value;
    throw new WireError("syntax", `Cannot read ${value} as a choice: expected 0 to ${last}`);
  }

  /** opaque[length] */
  fixed(length: number): Uint8Array {
    const at = this.#skip(length + padding(length));
    return this.#bytes.subarray(at, at + length);
  }

  /** opaque<max> */
  opaque(max: number): Uint8Array {
    return this.fixed(this.#lengthUpTo(max));
  }

  /** Reads opaque<> if it equals `expected`, and nothing otherwise. */
  passOpaque(expected: Uint8Array): boolean {
    const { length } = expected;
    const end = this.#at + 4 + length + padding(length);
    if (end > this.#bytes.length || u32At(this.#bytes, this.#at) !== length) return false;
    const start = this.#at + 4;
    for (let i = 0; i < length; i++) if (this.#bytes[start + i] !== expected[i]) return false;
    this.#at = end;
    return true;
  }

  /** Skips opaque<max>. */
  skipOpaque(max: number): void {
    const length = this.#lengthUpTo(max);
    this.#skip(length + padding(length));
  }

  #lengthUpTo(max: number): number {
    const length = this.u32();
    if (length <= max) return length;
    throw new WireError(
      "limit",
      `Cannot read ${length} bytes of opaque data: at most ${max} are allowed`,
    );
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
  #bytes: Uint8Array<ArrayBuffer>;
  #length = 0;
  #tail: readonly Uint8Array[] = NO_TAIL;
  #loan: Disposable | undefined;

  /** `room` is the initial size in bytes; it grows. */
  constructor(room = 256) {
    this.#bytes = new Uint8Array(room);
  }

  get length(): number {
    return this.#length;
  }

  u32(value: number): this {
    return this.replaceU32(this.#advance(4), value);
  }

  /** `value` is a whole number of at most 2^53. */
  u64(value: number): this {
    return this.u32(Math.floor(value / WORD)).u32(value >>> 0);
  }

  bool(value: boolean): this {
    return this.u32(value ? 1 : 0);
  }

  /** opaque[n] */
  fixed(value: Uint8Array): this {
    this.#put(value);
    for (let left = padding(value.length); left > 0; left--) this.#bytes[this.#advance(1)] = 0;
    return this;
  }

  /** opaque<n> */
  opaque(value: Uint8Array): this {
    return this.u32(value.length).fixed(value);
  }

  /**
   * opaque<n> of several parts, which must be the last item. Long ones are not copied: `take` returns the bytes before
   * them, and `tail` the parts. Ends the loan of the parts once they are copied; otherwise `takeLoan` returns it.
   */
  opaqueLast(parts: readonly Uint8Array[], loan?: Disposable): this {
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    this.u32(length);
    const filling = ZEROS.subarray(0, padding(length));
    if (length >= TAIL_BYTES) {
      this.#tail = filling.length === 0 ? parts : [...parts, filling];
      this.#loan = loan;
    } else {
      for (const part of parts) this.#put(part);
      this.#put(filling);
      loan?.[Symbol.dispose]();
    }
    return this;
  }

  /** Replaces a value written earlier. */
  replaceU32(at: number, value: number): this {
    const bytes = this.#bytes;
    bytes[at] = value >>> 24;
    bytes[at + 1] = value >>> 16;
    bytes[at + 2] = value >>> 8;
    bytes[at + 3] = value;
    return this;
  }

  /** Drops everything after the first `length` bytes. */
  cut(length: number): void {
    this.#length = length;
    this.#tail = NO_TAIL;
  }

  /** The bytes that follow those of `take`. */
  get tail(): readonly Uint8Array[] {
    return this.#tail;
  }

  /** Returns the loan of the parts in `tail`, to be ended once they are sent. */
  takeLoan(): Disposable | undefined {
    const loan = this.#loan;
    this.#loan = undefined;
    return loan;
  }

  /** Returns the written bytes: a view, valid until the next write. */
  take(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  #put(value: Uint8Array): void {
    const { length } = value;
    const at = this.#advance(length);
    if (length > LOOP_BYTES) this.#bytes.set(value, at);
    else for (let i = 0; i < length; i++) this.#bytes[at + i] = value[i]!;
  }

  /** Reserves bytes, and returns where they start. */
  #advance(by: number): number {
    const at = this.#length;
    this.#length = at + by;
    if (this.#length > this.#bytes.length) this.#bytes = grown(this.#bytes, this.#length);
    return at;
  }
}

/** Writes the padding after `length` bytes. */
function padding(length: number): number {
  return -length & 3;
}

/** Reads the four bytes at `at` as an unsigned number; they must exist. */
export function u32At(bytes: Uint8Array, at: number): number {
  return ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>>
    0;
}

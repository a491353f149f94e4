/**
 * Record marking (RFC 5531 section 11): a record is a sequence of fragments, each with a mark of four bytes: the top
 * bit is set on the last fragment, the others are its length.
 *
 * @module
 */
import { type Decoder, WireError } from "../../../../core/bytes/decoder.ts";
import { grownSize, resized } from "../../../../core/bytes/grow.ts";
import { u32At } from "./xdr.ts";

const MARK_BYTES = 4;
const LAST = 0x8000_0000;
/** Fragments of one record: without a limit, empty ones would never end. */
const MAX_FRAGMENTS = 1024;
/** Largest buffer kept for the next record that spans several chunks. A longer record is read straight into its buffer. */
const KEPT_BYTES = 64 * 1024;

/** Extracts records from a stream. Allocates memory for received bytes, never for the length in a mark. */
export class RecordDecoder implements Decoder<Uint8Array> {
  readonly #maxBytes: number;
  readonly #mark = new Uint8Array(MARK_BYTES);
  #markBytes = 0;
  /** Rest of the current fragment. */
  #missing = 0;
  #last = false;
  /** The current record: total length in its marks, bytes received, and fragments. */
  #promised = 0;
  #length = 0;
  #fragments = 0;
  /** Holds a record that spans several chunks; reused for the next one. */
  #joined = new Uint8Array(0);

  constructor(options: { maxBytes: number }) {
    this.#maxBytes = options.maxBytes;
  }

  /** Whether a record has begun and not ended. */
  get inside(): boolean {
    return this.#markBytes > 0 || this.#fragments > 0;
  }

  /** Whether the current record is worth reading into `room`, which saves a copy and a buffer for chunks. */
  get isLong(): boolean {
    return this.#markBytes === MARK_BYTES && this.#length + this.#missing > KEPT_BYTES;
  }

  /** Size of the buffer once `room` has been asked for. */
  get bytesWithRoom(): number {
    return this.#sizeFor(this.#length + 1);
  }

  /** Returns where the next bytes of a long record go. Push what was read before asking again. */
  room(): Uint8Array {
    this.#grow(this.#length + 1);
    return this.#joined.subarray(this.#length, this.#length + this.#missing);
  }

  /** Returns whether a chunk was read into `room`. */
  owns({ buffer }: Uint8Array): boolean {
    return buffer === this.#joined.buffer;
  }

  /** Size of the buffer once a chunk of this many bytes has been pushed inside a record. */
  bytesWith(chunkBytes: number): number {
    const length = this.#fragments > 0 ? this.#length + chunkBytes : 0;
    return grownSize(this.#joined.length, Math.min(length, this.#maxBytes), this.#maxBytes);
  }

  /** Frees the buffer at once, which would otherwise wait for a garbage collection. Drops a record that has not ended. */
  release(): void {
    this.#joined = resized(this.#joined, 0);
    this.#length = 0;
  }

  /** Yields records, each a view of `chunk` or of a reused buffer: use it before taking the next one. */
  push(chunk: Uint8Array): Iterable<Uint8Array> {
    return this.#isRecord(chunk) ? [this.#take(chunk.subarray(MARK_BYTES))] : this.#cut(chunk);
  }

  /** Most chunks are exactly one record in one fragment. */
  #isRecord(chunk: Uint8Array): boolean {
    const { length } = chunk;
    return length > MARK_BYTES && length - MARK_BYTES <= this.#maxBytes &&
      this.#markBytes === 0 && this.#fragments === 0 &&
      u32At(chunk, 0) === markOf(length - MARK_BYTES);
  }

  *#cut(chunk: Uint8Array): Generator<Uint8Array> {
    let left = chunk;
    while (left.length > 0) {
      if (this.#markBytes < MARK_BYTES) {
        const taken = left.subarray(0, MARK_BYTES - this.#markBytes);
        this.#mark.set(taken, this.#markBytes);
        this.#markBytes += taken.length;
        left = left.subarray(taken.length);
        if (this.#markBytes === MARK_BYTES) this.#begin();
      } else {
        const part = left.subarray(0, this.#missing);
        const isWhole = this.#last && this.#length === 0 && part.length === this.#missing &&
          !this.owns(part);
        if (!isWhole) this.#join(part);
        this.#missing -= part.length;
        left = left.subarray(part.length);
        if (isWhole) yield this.#take(part);
      }
      if (this.#markBytes === MARK_BYTES && this.#missing === 0) {
        this.#markBytes = 0;
        if (this.#last) yield this.#take(this.#joined.subarray(0, this.#length));
      }
    }
  }

  end(): void {
    if (!this.inside) return;
    throw new WireError("truncated", "Cannot read a record: the connection ended inside it");
  }

  #begin(): void {
    const mark = u32At(this.#mark, 0);
    this.#last = mark >= LAST;
    this.#missing = this.#last ? mark - LAST : mark;
    this.#promised += this.#missing;
    if (this.#promised > this.#maxBytes) {
      throw new WireError(
        "limit",
        `Cannot read a record of ${this.#promised} bytes: at most ${this.#maxBytes} are allowed`,
      );
    }
    if (++this.#fragments > MAX_FRAGMENTS) {
      throw new WireError(
        "limit",
        `Cannot read a record of more than ${MAX_FRAGMENTS} fragments`,
      );
    }
  }

  /** Adds to the current record; its buffer grows with the received bytes. */
  #join(part: Uint8Array): void {
    const length = this.#length + part.length;
    if (!this.owns(part)) {
      this.#grow(length);
      this.#joined.set(part, this.#length);
    }
    this.#length = length;
  }

  #grow(length: number): void {
    const bytes = this.#sizeFor(length);
    // Moved, because copies would leave as much garbage as there are records.
    if (bytes > this.#joined.length) this.#joined = resized(this.#joined, bytes);
  }

  #sizeFor(length: number): number {
    return grownSize(this.#joined.length, Math.max(length, KEPT_BYTES), this.#maxBytes);
  }

  #take(record: Uint8Array): Uint8Array {
    // A large buffer is not kept for the small calls that follow. An empty record may be a view of it.
    if (this.#length === 0 && this.#joined.length > KEPT_BYTES && !this.owns(record)) {
      this.release();
    }
    this.#markBytes = 0;
    this.#last = false;
    this.#promised = 0;
    this.#length = 0;
    this.#fragments = 0;
    return record;
  }
}

/** Writes the mark of a record of one fragment. */
export function markOf(length: number): number {
  return LAST + length;
}

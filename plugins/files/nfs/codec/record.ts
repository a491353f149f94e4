/**
 * Record marking (RFC 5531 section 11): a record is a row of fragments, each with four bytes before it; the top bit
 * says that it is the last one, the others how long it is.
 *
 * @module
 */
import { type Decoder, WireError } from "../../../../core/bytes/decoder.ts";

const MARK_BYTES = 4;
const LAST = 0x8000_0000;
/** Fragments of one record: without a limit, empty ones would never end. */
const MAX_FRAGMENTS = 1024;
/** Pieces that wait to be joined: each costs more than a byte. */
const MAX_PIECES = 256;

/** Takes records out of a stream. What is kept is what has arrived, never what a mark promises. */
export class RecordDecoder implements Decoder<Uint8Array> {
  readonly #maxBytes: number;
  readonly #mark = new Uint8Array(MARK_BYTES);
  #markBytes = 0;
  /** Of the fragment at hand. */
  #missing = 0;
  #last = false;
  #pieces: Uint8Array[] = [];
  #length = 0;
  #fragments = 0;

  constructor(options: { maxBytes: number }) {
    this.#maxBytes = options.maxBytes;
  }

  /** A record is a view on `chunk` where it lies in it whole. */
  *push(chunk: Uint8Array): Generator<Uint8Array> {
    let left = chunk;
    while (left.length > 0) {
      if (this.#markBytes < MARK_BYTES) {
        const taken = left.subarray(0, MARK_BYTES - this.#markBytes);
        this.#mark.set(taken, this.#markBytes);
        this.#markBytes += taken.length;
        left = left.subarray(taken.length);
        if (this.#markBytes === MARK_BYTES) this.#begin();
      } else {
        const piece = left.subarray(0, this.#missing);
        this.#pieces.push(piece);
        if (this.#pieces.length > MAX_PIECES) this.#pieces = [concat(this.#pieces)];
        this.#missing -= piece.length;
        left = left.subarray(piece.length);
      }
      if (this.#markBytes === MARK_BYTES && this.#missing === 0) {
        this.#markBytes = 0;
        if (this.#last) yield this.#take();
      }
    }
  }

  end(): void {
    if (this.#markBytes === 0 && this.#fragments === 0) return;
    throw new WireError("truncated", "Cannot read a record: the connection ended inside it");
  }

  #begin(): void {
    const mark = new DataView(this.#mark.buffer).getUint32(0);
    this.#last = mark >= LAST;
    this.#missing = this.#last ? mark - LAST : mark;
    this.#length += this.#missing;
    if (this.#length > this.#maxBytes) {
      throw new WireError(
        "limit",
        `Cannot read a record of ${this.#length} bytes: at most ${this.#maxBytes} are`,
      );
    }
    if (++this.#fragments > MAX_FRAGMENTS) {
      throw new WireError(
        "limit",
        `Cannot read a record of more than ${MAX_FRAGMENTS} fragments`,
      );
    }
  }

  #take(): Uint8Array {
    const [only, ...more] = this.#pieces;
    const record = only !== undefined && more.length === 0 ? only : concat(this.#pieces);
    this.#pieces = [];
    this.#length = 0;
    this.#fragments = 0;
    return record;
  }
}

/** The mark of a record in one fragment. */
export function markOf(length: number): number {
  return LAST + length;
}

function concat(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

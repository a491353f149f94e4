/** Bytes that become text at once: a multiple of three, so that pieces of base64 join without padding. */
const PIECE_BYTES = 48 * 1024;

/**
 * A text that is decoded from bytes while it is written, chunk by chunk, so that it is never in memory as a whole. Its
 * bytes must not change meanwhile.
 */
export abstract class LongText {
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Of its bytes: about as many as it has characters. */
  get length(): number {
    return this.#bytes.length;
  }

  /** In order. */
  *pieces(): Generator<string> {
    const toText = this.converter();
    for (let at = 0; at < this.#bytes.length; at += PIECE_BYTES) {
      const end = at + PIECE_BYTES;
      yield toText(this.#bytes.subarray(at, end), end >= this.#bytes.length);
    }
  }

  /** The whole text, for `JSON.stringify`. */
  toJSON(): string {
    return [...this.pieces()].join("");
  }

  /** What makes text of the bytes that come next. */
  abstract converter(): (bytes: Uint8Array, isLast: boolean) => string;
}

/** Bytes in base64 (RFC 4648 section 4). */
export class Base64Text extends LongText {
  converter(): (bytes: Uint8Array) => string {
    return (bytes) => bytes.toBase64();
  }
}

/** Bytes decoded as UTF-8. */
export class Utf8Text extends LongText {
  converter(): (bytes: Uint8Array, isLast: boolean) => string {
    const decoder = new TextDecoder();
    return (bytes, isLast) => decoder.decode(bytes, { stream: !isLast });
  }
}

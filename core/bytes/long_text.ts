/** Bytes converted at once: a multiple of three, so that chunks of base64 join without padding. */
const CHUNK_BYTES = 48 * 1024;

/**
 * A text that is decoded from bytes while it is written, chunk by chunk, so that it is never in memory as a whole. Its
 * bytes must not change.
 */
export abstract class LongText {
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Number of bytes, which is about its length. */
  get length(): number {
    return this.#bytes.length;
  }

  /** Yields the chunks in order. */
  *chunks(): Generator<string> {
    const toText = this.converter();
    for (let at = 0; at < this.#bytes.length; at += CHUNK_BYTES) {
      const end = at + CHUNK_BYTES;
      yield toText(this.#bytes.subarray(at, end), end >= this.#bytes.length);
    }
  }

  /** The whole text, for `JSON.stringify`. */
  toJSON(): string {
    return [...this.chunks()].join("");
  }

  /** Decodes the next bytes. */
  abstract converter(): (bytes: Uint8Array, isLast: boolean) => string;
}

/** Encodes bytes in base64 (RFC 4648 section 4). */
export class Base64Text extends LongText {
  converter(): (bytes: Uint8Array) => string {
    return (bytes) => bytes.toBase64();
  }
}

/** Decodes bytes as UTF-8. */
export class Utf8Text extends LongText {
  converter(): (bytes: Uint8Array, isLast: boolean) => string {
    const decoder = new TextDecoder();
    return (bytes, isLast) => decoder.decode(bytes, { stream: !isLast });
  }
}

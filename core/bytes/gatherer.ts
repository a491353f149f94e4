import { grownSize, resized } from "./grow.ts";

/**
 * Collects chunks in one buffer. Chunks are copied: the platform reads each one into a buffer of 64 KiB, which a view of
 * one byte would keep.
 */
export class ByteGatherer {
  readonly #maxBytes: number;
  // Little data comes in one chunk, so the first buffer has exactly its size.
  #bytes = new Uint8Array(0);
  #length = 0;

  /** The buffer never grows beyond `maxBytes`; callers must not append more. */
  constructor(maxBytes = Infinity) {
    this.#maxBytes = maxBytes;
  }

  /** Bytes collected. */
  get length(): number {
    return this.#length;
  }

  /** Returns the buffer size for this many more bytes; it grows ahead of need. */
  bytesWith(more: number): number {
    const end = this.#length + more;
    if (this.#length === 0) return Math.max(end, this.#bytes.length);
    return grownSize(this.#bytes.length, end, this.#maxBytes);
  }

  /** Throws `RangeError` beyond `maxBytes`. */
  append(chunk: Uint8Array): void {
    const end = this.#length + chunk.length;
    if (end > this.#maxBytes) {
      throw new RangeError(`Cannot gather more than ${this.#maxBytes} bytes`);
    }
    const bytes = this.bytesWith(chunk.length);
    if (this.#length === 0) this.#bytes = new Uint8Array(bytes);
    else if (bytes > this.#bytes.length) this.#bytes = resized(this.#bytes, bytes);
    this.#bytes.set(chunk, this.#length);
    this.#length = end;
  }

  /** Returns a view of the collected bytes, at most `maxBytes`; valid until the next call. */
  view(maxBytes = Infinity): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, Math.min(this.#length, maxBytes));
  }

  /** Returns all bytes in a buffer of exactly their size, and empties this one. */
  take(): Uint8Array<ArrayBuffer> {
    const isFull = this.#bytes.length === this.#length;
    const taken = isFull ? this.#bytes : resized(this.#bytes, this.#length);
    this.clear();
    return taken;
  }

  /** Drops the collected bytes. */
  clear(): void {
    this.#bytes = new Uint8Array(0);
    this.#length = 0;
  }
}

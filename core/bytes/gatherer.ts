import { grownSize, resized } from "./grow.ts";

/**
 * Gathers chunks into one buffer that they fill. Chunks are copied: the platform reads each one into a buffer of 64 KiB,
 * so that a view kept of one byte would hold all of it.
 */
export class ByteGatherer {
  readonly #maxBytes: number;
  // Little comes in one chunk, so the first chunk gets a buffer of its own size.
  #bytes = new Uint8Array(0);
  #length = 0;

  /** The buffer never grows beyond `maxBytes`; whoever appends more than that has bounded it wrongly. */
  constructor(maxBytes = Infinity) {
    this.#maxBytes = maxBytes;
  }

  /** Bytes gathered. */
  get length(): number {
    return this.#length;
  }

  /** Bytes of the buffer once so many more are gathered: it grows ahead of them. */
  bytesWith(more: number): number {
    const end = this.#length + more;
    if (this.#length === 0) return Math.max(end, this.#bytes.length);
    return grownSize(this.#bytes.length, end, this.#maxBytes);
  }

  /** Throws `RangeError` when there would be more than `maxBytes`. */
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

  /** What is gathered so far, at most `maxBytes` from the beginning; to be used before the next call. */
  view(maxBytes = Infinity): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, Math.min(this.#length, maxBytes));
  }

  /** All of it in a buffer of its own size; this one is empty afterwards. */
  take(): Uint8Array<ArrayBuffer> {
    const isFull = this.#bytes.length === this.#length;
    const taken = isFull ? this.#bytes : resized(this.#bytes, this.#length);
    this.clear();
    return taken;
  }

  /** Forgets what was gathered. */
  clear(): void {
    this.#bytes = new Uint8Array(0);
    this.#length = 0;
  }
}

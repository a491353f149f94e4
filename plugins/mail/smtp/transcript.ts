import { grown } from "../../../core/bytes/grow.ts";

/** Initial capacity. */
const FIRST_BYTES = 1024;

/** The last octets that a client sent, to record with a refusal. */
export class Transcript {
  readonly #maxBytes: number;
  #bytes = new Uint8Array(FIRST_BYTES);
  #length = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Copies `bytes`. At the limit, drops the older half. */
  add(bytes: Uint8Array): void {
    const chunk = bytes.length > this.#maxBytes ? bytes.subarray(-this.#maxBytes) : bytes;
    if (this.#length + chunk.length > this.#maxBytes) {
      const kept = Math.min(
        this.#length,
        Math.floor(this.#maxBytes / 2),
        this.#maxBytes - chunk.length,
      );
      this.#bytes.copyWithin(0, this.#length - kept, this.#length);
      this.#length = kept;
    }
    const end = this.#length + chunk.length;
    this.#bytes = grown(this.#bytes, end, this.#maxBytes);
    this.#bytes.set(chunk, this.#length);
    this.#length = end;
  }

  clear(): void {
    this.#length = 0;
  }

  /** Returns a copy. */
  bytes(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }
}

/** Collects one message up to a limit. What goes over it is dropped along with all that came before. */
export class MessageBuffer {
  readonly #maxBytes: number;
  // A small message comes in one piece, so the first piece gets a buffer of its own size.
  #bytes = new Uint8Array(0);
  #length = 0;
  #total = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Octets seen, dropped ones included. */
  get total(): number {
    return this.#total;
  }

  /** Whether more came than is allowed. */
  get overflowed(): boolean {
    return this.#total > this.#maxBytes;
  }

  /** Copies `piece`. */
  add(piece: Uint8Array): void {
    this.#total += piece.length;
    if (this.#total > this.#maxBytes) {
      this.#bytes = new Uint8Array(0);
      this.#length = 0;
      return;
    }
    const end = this.#length + piece.length;
    if (this.#length === 0) this.#bytes = new Uint8Array(end);
    else if (end > this.#bytes.length) {
      this.#resize(Math.min(Math.max(this.#bytes.length * 2, end), this.#maxBytes));
    }
    this.#bytes.set(piece, this.#length);
    this.#length = end;
  }

  /** The first `maxBytes` of what is held, for the record of a message that was cut off. */
  head(maxBytes: number): Uint8Array {
    return this.#bytes.slice(0, Math.min(this.#length, maxBytes));
  }

  /** The message in a buffer of its own size; this one is empty afterwards. */
  take(): Uint8Array<ArrayBuffer> {
    if (this.#bytes.length !== this.#length) this.#resize(this.#length);
    const taken = this.#bytes;
    this.#bytes = new Uint8Array(0);
    this.#length = 0;
    this.#total = 0;
    return taken;
  }

  #resize(bytes: number): void {
    // Moves the memory instead of copying it where the platform can.
    this.#bytes = new Uint8Array(this.#bytes.buffer.transfer(bytes));
  }
}

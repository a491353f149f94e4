import { ByteGatherer } from "../../../core/bytes/gatherer.ts";

/** Collects one message up to a limit. What goes over it is dropped along with all that came before. */
export class MessageBuffer {
  readonly #maxBytes: number;
  readonly #kept: ByteGatherer;
  #total = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
    this.#kept = new ByteGatherer(maxBytes);
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
    if (this.overflowed) this.#kept.clear();
    else this.#kept.append(piece);
  }

  /** The first `maxBytes` of what is held, for the record of a message that was cut off. */
  head(maxBytes: number): Uint8Array {
    return this.#kept.view(maxBytes).slice();
  }

  /** The message in a buffer of its own size; this one is empty afterwards. */
  take(): Uint8Array<ArrayBuffer> {
    this.#total = 0;
    return this.#kept.take();
  }
}

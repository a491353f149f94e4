import { ByteGatherer } from "../bytes/gatherer.ts";

/** Splits chunks of bytes into lines that end with LF, holding at most one line. */
export class LineSplitter {
  readonly #maxBytes: number;
  readonly #line = new ByteGatherer();

  /** Whether a line was longer than allowed: nothing after it is split. */
  tooLong = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Bytes of the last line, which is incomplete; 0 if it is not. */
  get pending(): number {
    return this.#line.length;
  }

  /** Yields the lines that end in this chunk. */
  *push(chunk: Uint8Array): Generator<Uint8Array> {
    let at = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, at)) {
      if (!this.#keep(chunk.subarray(at, end))) return;
      yield this.#line.take();
      at = end + 1;
    }
    this.#keep(chunk.subarray(at));
  }

  #keep(part: Uint8Array): boolean {
    this.tooLong ||= this.#line.length + part.length > this.#maxBytes;
    if (!this.tooLong) this.#line.append(part);
    return !this.tooLong;
  }
}

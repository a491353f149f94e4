import { ByteGatherer } from "../bytes/gatherer.ts";

/** Splits chunks of bytes into lines that end with LF, holding at most one line. */
export class LineSplitter {
  readonly #maxBytes: number;
  readonly #onLine: (line: Uint8Array) => void;
  readonly #line = new ByteGatherer();

  constructor(maxBytes: number, onLine: (line: Uint8Array) => void) {
    this.#maxBytes = maxBytes;
    this.#onLine = onLine;
  }

  /** Whether the last line is incomplete. */
  get unfinished(): boolean {
    return this.#line.length > 0;
  }

  /** Returns whether every line is within the limit. */
  push(chunk: Uint8Array): boolean {
    let at = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, at)) {
      if (!this.#keep(chunk.subarray(at, end))) return false;
      this.#onLine(this.#line.take());
      at = end + 1;
    }
    return this.#keep(chunk.subarray(at));
  }

  #keep(part: Uint8Array): boolean {
    if (this.#line.length + part.length > this.#maxBytes) return false;
    this.#line.append(part);
    return true;
  }
}

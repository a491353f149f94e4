/** Cuts pieces of bytes into lines that end with LF, holding no more than one line. */
export class LineSplitter {
  readonly #maxBytes: number;
  readonly #onLine: (line: Uint8Array) => void;
  #pieces: Uint8Array<ArrayBuffer>[] = [];
  #size = 0;

  constructor(maxBytes: number, onLine: (line: Uint8Array) => void) {
    this.#maxBytes = maxBytes;
    this.#onLine = onLine;
  }

  /** Whether the last line has no end yet. */
  get unfinished(): boolean {
    return this.#size > 0;
  }

  /** Returns whether no line is too long. */
  push(piece: Uint8Array): boolean {
    let at = 0;
    for (let end = piece.indexOf(10); end >= 0; end = piece.indexOf(10, at)) {
      if (!this.#keep(piece.subarray(at, end))) return false;
      this.#finish();
      at = end + 1;
    }
    return this.#keep(piece.subarray(at));
  }

  #keep(part: Uint8Array): boolean {
    this.#size += part.length;
    if (this.#size > this.#maxBytes) return false;
    if (part.length > 0) this.#pieces.push(Uint8Array.from(part));
    return true;
  }

  #finish(): void {
    const line = new Uint8Array(this.#size);
    let at = 0;
    for (const piece of this.#pieces) {
      line.set(piece, at);
      at += piece.length;
    }
    this.#pieces = [];
    this.#size = 0;
    this.#onLine(line);
  }
}

/**
 * Bytes in pieces of one fixed size: arriving bytes are copied once, into a piece, and never
 * joined.
 *
 * @module
 */

/** Size of every piece but the last. */
export const PIECE_BYTES = 65_536;

/** Pieces in order, each of `PIECE_BYTES` but the last, which has the rest. Read-only. */
export type Pieces = readonly Uint8Array<ArrayBuffer>[];

/**
 * Returns up to `length` bytes from `at`, fewer at the end: a view if they are in one piece, else a
 * copy.
 */
export function readPieces(pieces: Pieces, at: number, length: number): Uint8Array<ArrayBuffer> {
  const first = Math.floor(at / PIECE_BYTES);
  const from = at - first * PIECE_BYTES;
  const piece = pieces[first] ?? new Uint8Array();
  if (from + length <= piece.length || first >= pieces.length - 1) {
    return piece.subarray(from, from + length);
  }
  const left = (pieces.length - 1) * PIECE_BYTES + pieces.at(-1)!.length - at;
  const bytes = new Uint8Array(Math.min(length, left));
  for (let done = 0, i = first; done < bytes.length; i++) {
    const start = i === first ? from : 0;
    const part = pieces[i]!.subarray(start, start + bytes.length - done);
    bytes.set(part, done);
    done += part.length;
  }
  return bytes;
}

/** Returns the same bytes as views, in order, none of them empty; nothing is copied. */
export function viewPieces(
  pieces: Pieces,
  at: number,
  length: number,
): readonly Uint8Array<ArrayBuffer>[] {
  const views: Uint8Array<ArrayBuffer>[] = [];
  let from = at % PIECE_BYTES;
  let left = length;
  for (let i = Math.floor(at / PIECE_BYTES); i < pieces.length && left > 0; i++) {
    const view = pieces[i]!.subarray(from, from + left);
    if (view.length > 0) views.push(view);
    left -= view.length;
    from = 0;
  }
  return views;
}

/** Splits `bytes` into views of one piece each. */
export function cutPieces(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>[] {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    pieces.push(bytes.subarray(at, at + PIECE_BYTES));
  }
  return pieces;
}

/** Returns the longest view from `at`, at most `most` bytes. */
export function longView(pieces: Pieces, at: number, most: number): Uint8Array<ArrayBuffer> {
  const first = Math.floor(at / PIECE_BYTES);
  const from = at - first * PIECE_BYTES;
  const piece = pieces[first]!;
  let end = piece.byteOffset + piece.length;
  for (let i = first + 1; i < pieces.length && end - piece.byteOffset - from < most; i++) {
    const next = pieces[i]!;
    // Pieces of the same buffer are contiguous.
    if (next.buffer !== piece.buffer || next.byteOffset !== end) break;
    end += next.length;
  }
  const start = piece.byteOffset + from;
  return new Uint8Array(piece.buffer, start, Math.min(most, end - start));
}

/**
 * Returns the pieces of all parts, in order; `undefined` if a part before the last does not end on
 * a piece boundary.
 */
export function sharePieces(parts: readonly Pieces[]): Pieces | undefined {
  const pieces = parts.flat();
  const filled = pieces.slice(0, -1).every(({ length }) => length === PIECE_BYTES);
  return filled ? pieces : undefined;
}

/** Copies the bytes of all parts, in order, to new pieces. */
export function copyPieces(parts: readonly Pieces[]): Pieces {
  const collector = new PieceCollector();
  for (const piece of parts.flat()) collector.append(piece);
  return collector.finish();
}

/** Collects chunks of any size into pieces. */
export class PieceCollector {
  readonly #full: Uint8Array<ArrayBuffer>[] = [];
  #piece = new Uint8Array();
  #used = 0;

  append(chunk: Uint8Array): void {
    for (let left = chunk; left.length > 0;) {
      if (this.#used === this.#piece.length) this.#next();
      const part = left.subarray(0, this.#piece.length - this.#used);
      this.#piece.set(part, this.#used);
      this.#used += part.length;
      left = left.subarray(part.length);
    }
  }

  /** Returns the pieces; the collector must not be used afterwards. */
  finish(): Pieces {
    if (this.#used === 0) return this.#full;
    return [...this.#full, trimmed(this.#piece, this.#used)];
  }

  #next(): void {
    if (this.#used > 0) this.#full.push(this.#piece);
    this.#piece = new Uint8Array(PIECE_BYTES);
    this.#used = 0;
  }
}

/** Returns the beginning of a piece, copied if a view would keep a mostly unused buffer alive. */
export function trimmed(
  piece: Uint8Array<ArrayBuffer>,
  length: number,
): Uint8Array<ArrayBuffer> {
  return length > PIECE_BYTES / 2 ? piece.subarray(0, length) : piece.slice(0, length);
}

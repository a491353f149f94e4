/**
 * Bytes in blocks of one fixed size: arriving bytes are copied once, into a block, and never
 * joined.
 *
 * @module
 */

/** Size of every block but the last. */
export const BLOCK_BYTES = 65_536;

/** Blocks in order, each of `BLOCK_BYTES` but the last, which has the rest. Read-only. */
export type Blocks = readonly Uint8Array<ArrayBuffer>[];

/**
 * Returns up to `length` bytes from `at`, fewer at the end: a view if they are in one block, else a
 * copy.
 */
export function readBlocks(blocks: Blocks, at: number, length: number): Uint8Array<ArrayBuffer> {
  const first = Math.floor(at / BLOCK_BYTES);
  const from = at - first * BLOCK_BYTES;
  const block = blocks[first] ?? new Uint8Array();
  if (from + length <= block.length || first >= blocks.length - 1) {
    return block.subarray(from, from + length);
  }
  const left = (blocks.length - 1) * BLOCK_BYTES + blocks.at(-1)!.length - at;
  const bytes = new Uint8Array(Math.min(length, left));
  for (let done = 0, i = first; done < bytes.length; i++) {
    const start = i === first ? from : 0;
    const part = blocks[i]!.subarray(start, start + bytes.length - done);
    bytes.set(part, done);
    done += part.length;
  }
  return bytes;
}

/** Returns the same bytes as views, in order, none of them empty; nothing is copied. */
export function viewBlocks(
  blocks: Blocks,
  at: number,
  length: number,
): readonly Uint8Array<ArrayBuffer>[] {
  const views: Uint8Array<ArrayBuffer>[] = [];
  let from = at % BLOCK_BYTES;
  let left = length;
  for (let i = Math.floor(at / BLOCK_BYTES); i < blocks.length && left > 0; i++) {
    const view = blocks[i]!.subarray(from, from + left);
    if (view.length > 0) views.push(view);
    left -= view.length;
    from = 0;
  }
  return views;
}

/** Joins the views that are contiguous in one buffer. */
export function joinViews(
  views: readonly Uint8Array<ArrayBuffer>[],
): readonly Uint8Array<ArrayBuffer>[] {
  const joined: Uint8Array<ArrayBuffer>[] = [];
  for (const { buffer, byteOffset, length } of views) {
    const last = joined.at(-1);
    const follows = last?.buffer === buffer && last.byteOffset + last.length === byteOffset;
    if (follows) joined.pop();
    joined.push(
      follows
        ? new Uint8Array(buffer, last.byteOffset, last.length + length)
        : new Uint8Array(buffer, byteOffset, length),
    );
  }
  return joined;
}

/** Splits `bytes` into views of one block each. */
export function splitBlocks(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>[] {
  const blocks: Uint8Array<ArrayBuffer>[] = [];
  for (let at = 0; at < bytes.length; at += BLOCK_BYTES) {
    blocks.push(bytes.subarray(at, at + BLOCK_BYTES));
  }
  return blocks;
}

/** Returns the longest view from `at`, at most `most` bytes. */
export function longView(blocks: Blocks, at: number, most: number): Uint8Array<ArrayBuffer> {
  const first = Math.floor(at / BLOCK_BYTES);
  const from = at - first * BLOCK_BYTES;
  const block = blocks[first]!;
  let end = block.byteOffset + block.length;
  for (let i = first + 1; i < blocks.length && end - block.byteOffset - from < most; i++) {
    const next = blocks[i]!;
    // Blocks of the same buffer are contiguous.
    if (next.buffer !== block.buffer || next.byteOffset !== end) break;
    end += next.length;
  }
  const start = block.byteOffset + from;
  return new Uint8Array(block.buffer, start, Math.min(most, end - start));
}

/**
 * Returns the blocks of all parts, in order; `undefined` if a part before the last does not end on
 * a block boundary.
 */
export function shareBlocks(parts: readonly Blocks[]): Blocks | undefined {
  const blocks = parts.flat();
  const filled = blocks.slice(0, -1).every(({ length }) => length === BLOCK_BYTES);
  return filled ? blocks : undefined;
}

/** Copies the bytes of all parts, in order, to new blocks. */
export function copyBlocks(parts: readonly Blocks[]): Blocks {
  const collector = new BlockCollector();
  for (const block of parts.flat()) collector.append(block);
  return collector.finish();
}

/** Collects chunks of any size into blocks. */
export class BlockCollector {
  readonly #full: Uint8Array<ArrayBuffer>[] = [];
  #block = new Uint8Array();
  #used = 0;

  append(chunk: Uint8Array): void {
    for (let left = chunk; left.length > 0;) {
      if (this.#used === this.#block.length) this.#next();
      const part = left.subarray(0, this.#block.length - this.#used);
      this.#block.set(part, this.#used);
      this.#used += part.length;
      left = left.subarray(part.length);
    }
  }

  /** Returns the blocks; the collector must not be used afterwards. */
  finish(): Blocks {
    if (this.#used === 0) return this.#full;
    return [...this.#full, trimmed(this.#block, this.#used)];
  }

  #next(): void {
    if (this.#used > 0) this.#full.push(this.#block);
    this.#block = new Uint8Array(BLOCK_BYTES);
    this.#used = 0;
  }
}

/** Returns the beginning of a block, copied if a view would keep a mostly unused buffer alive. */
export function trimmed(
  block: Uint8Array<ArrayBuffer>,
  length: number,
): Uint8Array<ArrayBuffer> {
  return length > BLOCK_BYTES / 2 ? block.subarray(0, length) : block.slice(0, length);
}

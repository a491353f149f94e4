import type { BorrowedBlob, LentParts } from "../../../core/blobs/blob.ts";
import { SPARE_BYTES } from "../../../core/blobs/spare.ts";
import {
  BLOCK_BYTES as PAGE_BYTES,
  type Blocks,
  joinViews,
  splitBlocks,
  trimmed,
} from "../../../core/bytes/blocks.ts";
import type { MemoryLease } from "../../../core/memory/lease.ts";
import type { DraftPool } from "./draft_pool.ts";
import { refuseBusy, VfsError } from "./errors.ts";

/** Largest file, in bytes. */
export const MAX_FILE_BYTES = 64 * 1024 * 1024;
const ZEROS = new Uint8Array(PAGE_BYTES);
const NO_BYTES = new Uint8Array();
/** Initial size of a page buffer; a longer beginning of a file is often the whole, and gets no room to grow. */
const [FIRST_BYTES, BEGINNING_BYTES] = [4096, 256] as const;
/** Appended bytes are copied to pages ahead if there are any; from this size on, some are allocated for them. */
const LONG_BYTES = 16 * 1024;
/** Maximum number of pages allocated ahead of the bytes; fewer for a smaller file. */
const AHEAD_PAGES = SPARE_BYTES / PAGE_BYTES;

/**
 * The bytes of a file that is not visible yet. Written at any offset, in any order; allocates memory for written bytes,
 * never for an offset or size that a client claims. Must be disposed of.
 */
export class Draft implements Disposable {
  readonly #pool: DraftPool;
  readonly #lease: MemoryLease;
  readonly #maxBytes: number;
  /** Bytes of the pages. */
  #used = 0;
  /** A missing page, and the rest of a short one, read as zeros. */
  readonly #pages = new Map<number, Uint8Array<ArrayBuffer>>();
  /** Pages that have other readers too: they are copied before a write. */
  readonly #shared = new Set<number>();
  /** The blob that this began with, and the pages that are still its blocks: they are shared, and take no memory. */
  #borrowed: BorrowedBlob | undefined;
  readonly #lent = new Set<number>();
  /** Whether all bytes were shared once. */
  #isShared = false;
  /** Number of times that anybody else got views of pages, and may still have them. */
  #views = 0;
  #onEnd: (() => void) | undefined;
  /** Unused bytes in the last page. */
  #ahead: Uint8Array<ArrayBuffer> = NO_BYTES;
  #size = 0;
  /** Bytes reserved in the pool for this file: those written, without gaps. */
  #expected = 0;
  readonly #replaces: number;

  /** `replaces` is the size of the file that it will replace. */
  constructor(
    pool: DraftPool,
    { maxBytes = MAX_FILE_BYTES, replaces = 0 }: { maxBytes?: number; replaces?: number } = {},
  ) {
    this.#pool = pool;
    this.#lease = pool.memory.lease();
    this.#maxBytes = maxBytes;
    this.#replaces = replaces;
  }

  /** Size in bytes. */
  get size(): number {
    return this.#size;
  }

  /** Starts an empty file with the bytes of a blob, without a copy. Throws `VfsError` "too_large" or "no_space". */
  begin(borrowed: BorrowedBlob): void {
    this.#borrowed = borrowed;
    const size = borrowed.blocks.reduce((sum, { length }) => sum + length, 0);
    this.#checkSize(size);
    this.#expect(size);
    for (const [index, block] of borrowed.blocks.entries()) {
      this.#pages.set(index, block);
      this.#shared.add(index);
      this.#lent.add(index);
    }
    this.#size = size;
  }

  /**
   * Reserves memory for a write of this many bytes. Returns nothing if it is available at once; else waits, and rejects
   * with `VfsError` "busy" if it does not become available in time.
   */
  room(bytes: number): Promise<void> | undefined {
    const pages = Math.ceil(bytes / PAGE_BYTES) + 1;
    return this.#lease.cover(this.#used + pages * PAGE_BYTES)?.catch(refuseBusy);
  }

  /**
   * Returns a buffer for reading the next bytes: `write` does not copy bytes that are at its beginning. Valid until any
   * other call, and empty while the file is small, or if no memory is available at once.
   */
  ahead(): Uint8Array<ArrayBuffer> {
    if (this.#ahead.length === 0) this.#ahead = this.#roomAt(this.#size);
    return this.#ahead;
  }

  #roomAt(at: number): Uint8Array<ArrayBuffer> {
    const index = Math.floor(at / PAGE_BYTES);
    const page = this.#pages.get(index) ?? this.#makeAhead(index);
    return page.length >= PAGE_BYTES && !this.#shared.has(index)
      ? page.subarray(at % PAGE_BYTES)
      : NO_BYTES;
  }

  /** Throws `VfsError` "too_large", "no_space" or "busy"; earlier writes stay. */
  write(at: number, bytes: Uint8Array): void {
    const size = Math.max(this.#size, at + bytes.length);
    this.#checkSize(size);
    this.#expect(Math.min(size, this.#expected + bytes.length));
    const { buffer, byteOffset } = this.#ahead;
    if (at === this.#size && bytes.buffer === buffer && bytes.byteOffset === byteOffset) {
      this.#ahead = this.#ahead.subarray(bytes.length);
    } else {
      const isAppended = at === this.#size &&
        (this.#ahead.length > 0 || bytes.length >= LONG_BYTES);
      const done = isAppended ? this.#extend(bytes) : 0;
      if (done < bytes.length) {
        this.#endAhead();
        this.#copy(at + done, bytes.subarray(done));
      }
    }
    this.#size = size;
  }

  /** Copies bytes to the end, into pages ahead. Returns how many, fewer if there is no room. */
  #extend(bytes: Uint8Array): number {
    let done = 0;
    while (done < bytes.length) {
      const room = this.#ahead.length > 0 ? this.#ahead : this.#roomAt(this.#size + done);
      if (room.length === 0) break;
      const part = bytes.subarray(done, done + room.length);
      room.set(part);
      this.#ahead = room.subarray(part.length);
      done += part.length;
    }
    return done;
  }

  #copy(at: number, bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length;) {
      const from = (at + done) % PAGE_BYTES;
      const index = Math.floor((at + done) / PAGE_BYTES);
      if (from === 0 && bytes.length - done >= SPARE_BYTES) {
        this.#replaceMany(index, bytes.subarray(done, done += SPARE_BYTES));
        continue;
      }
      const count = Math.min(PAGE_BYTES - from, bytes.length - done);
      const part = bytes.subarray(done, done + count);
      const begins = from === 0 && count >= BEGINNING_BYTES && index === 0 &&
        count >= (this.#pages.get(0)?.length ?? 0);
      if (count === PAGE_BYTES || begins) this.#replace(index, part);
      else this.#page(index, from + count).set(part, from);
      done += count;
    }
  }

  append(bytes: Uint8Array): void {
    this.write(this.#size, bytes);
  }

  /** Cuts the file, or extends it with zeros. */
  truncate(size: number): void {
    this.#checkSize(size);
    this.#endAhead();
    const last = Math.ceil(size / PAGE_BYTES);
    if (size < this.#size) {
      for (const index of [...this.#pages.keys()]) if (index >= last) this.#drop(index);
      if (this.#pages.has(last - 1)) {
        this.#page(last - 1, 0).fill(0, size - (last - 1) * PAGE_BYTES);
      }
    }
    this.#size = size;
    this.#expect(Math.min(size, this.#expected));
  }

  /** The bytes are stored, and need no more room. */
  settle(): void {
    this.#expect(0);
  }

  /** Returns bytes from `at`, at most `length`; fewer at the end. */
  read(at: number, length: number): Uint8Array {
    const bytes = new Uint8Array(Math.max(0, Math.min(length, this.#size - at)));
    for (let done = 0; done < bytes.length;) {
      const from = (at + done) % PAGE_BYTES;
      const count = Math.min(PAGE_BYTES - from, bytes.length - done);
      const page = this.#pages.get(Math.floor((at + done) / PAGE_BYTES));
      if (page !== undefined) bytes.set(page.subarray(from, from + count), done);
      done += count;
    }
    return bytes;
  }

  /** Returns the same as views, in order, without a copy; later writes do not change them. */
  parts(at: number, length: number): readonly Uint8Array[] {
    this.#views++;
    return this.#view(at, length);
  }

  /** Lends the same. Must be disposed of. */
  lendParts(at: number, length: number): LentParts {
    this.#views++;
    let open = true;
    return {
      parts: joinViews(this.#view(at, length)),
      [Symbol.dispose]: () => {
        if (open) this.#views--;
        open = false;
      },
    };
  }

  #view(at: number, length: number): readonly Uint8Array<ArrayBuffer>[] {
    const parts: Uint8Array<ArrayBuffer>[] = [];
    const end = Math.min(at + length, this.#size);
    for (let from = at; from < end;) {
      const index = Math.floor(from / PAGE_BYTES);
      const start = from - index * PAGE_BYTES;
      const count = Math.min(PAGE_BYTES - start, end - from);
      const page = this.#pages.get(index);
      if (page !== undefined) this.#shared.add(index);
      const part = page?.subarray(start, start + count) ?? ZEROS.subarray(0, count);
      parts.push(part);
      if (part.length < count) parts.push(ZEROS.subarray(0, count - part.length));
      from += count;
    }
    return parts;
  }

  /** Returns all bytes as they are now, without a copy; later writes do not change them. */
  share(): Blocks {
    this.#isShared = true;
    // Its blocks are part of two blobs from now on.
    if (this.#lent.size > 0) this.#views++;
    this.#onEnd = undefined;
    this.#endAhead();
    const blocks: Uint8Array<ArrayBuffer>[] = [];
    for (let at = 0; at < this.#size; at += PAGE_BYTES) {
      const index = at / PAGE_BYTES;
      const length = this.#size - at;
      let page = this.#pages.get(index) ?? ZEROS;
      if (page.length < Math.min(PAGE_BYTES, length)) page = this.#page(index, PAGE_BYTES);
      blocks.push(length < Math.min(PAGE_BYTES, page.length) ? trimmed(page, length) : page);
    }
    for (const index of this.#pages.keys()) this.#shared.add(index);
    return blocks;
  }

  /** Hands over all bytes, and whether nobody has views of them: afterwards the draft can only be disposed of. */
  take(): { readonly blocks: Blocks; readonly isSole: boolean } {
    const isFirst = !this.#isShared;
    const blocks = this.share();
    const isSole = isFirst && this.#views === 0;
    for (const index of [...this.#pages.keys()]) this.#drop(index);
    this.settle();
    return { blocks, isSole };
  }

  /** Calls `end` once this has no views of the bytes shared last, unless others may have some, too. */
  onEnd(end: () => void): void {
    this.#onEnd = end;
  }

  [Symbol.dispose](): void {
    for (const index of [...this.#pages.keys()]) this.#drop(index);
    this.#size = 0;
    this.settle();
    this.#lease[Symbol.dispose]();
    if (this.#views > 0) this.#borrowed?.[Symbol.dispose]();
    else {
      this.#borrowed?.giveBack();
      this.#onEnd?.();
    }
    this.#borrowed = undefined;
    this.#onEnd = undefined;
  }

  #expect(bytes: number): void {
    if (bytes === this.#expected) return;
    this.#pool.expect(bytes - this.#expected, { shrink: bytes < this.#replaces });
    this.#expected = bytes;
  }

  #checkSize(size: number): void {
    if (size <= this.#maxBytes) return;
    throw new VfsError(
      "too_large",
      `Cannot hold ${size} bytes: a file has at most ${this.#maxBytes}`,
    );
  }

  /** Allocates pages in one buffer, which is cheaper than one for each; as many as memory allows. */
  #makeAhead(index: number): Uint8Array<ArrayBuffer> {
    const most = Math.min(AHEAD_PAGES, index, Math.ceil(this.#maxBytes / PAGE_BYTES) - index);
    let count = 0;
    try {
      for (; count < most; count++) this.#take(index + count, PAGE_BYTES);
    } catch (error) {
      if (!(error instanceof VfsError)) throw error;
    }
    const spare = count === AHEAD_PAGES ? this.#pool.takeSpare() : undefined;
    const block = spare ?? new Uint8Array(count * PAGE_BYTES);
    for (const [i, page] of splitBlocks(block).entries()) this.#pages.set(index + i, page);
    return block;
  }

  /** Releases the unused pages, along with the buffer that others share with them. */
  #endAhead(): void {
    const ahead = this.#ahead;
    this.#ahead = NO_BYTES;
    if (ahead.length === 0) return;
    const end = Math.ceil(this.#size / PAGE_BYTES);
    ahead.fill(0, 0, end * PAGE_BYTES - this.#size);
    let last = end;
    while (this.#pages.get(last)?.buffer === ahead.buffer) this.#drop(last++);
    if (last === end) return;
    for (let index = end - 1;; index--) {
      const page = this.#pages.get(index);
      if (page?.buffer !== ahead.buffer) break;
      this.#pages.set(index, page.slice());
      this.#shared.delete(index);
    }
  }

  /** Returns a writable page that holds at least its first `length` bytes. */
  #page(index: number, length: number): Uint8Array<ArrayBuffer> {
    const page = this.#pages.get(index);
    if (page !== undefined && page.length >= length && !this.#shared.has(index)) return page;
    const room = Math.max(length, page?.length ?? 0);
    const pageBytes = index === 0 ? roomFor(room) : PAGE_BYTES;
    this.#take(index, pageBytes);
    const fresh = new Uint8Array(pageBytes);
    if (page !== undefined) fresh.set(page);
    this.#shared.delete(index);
    this.#pages.set(index, fresh);
    return fresh;
  }

  /** Copying is faster than allocating a zeroed page and then filling it. */
  #replace(index: number, part: Uint8Array): void {
    this.#take(index, part.length);
    this.#shared.delete(index);
    this.#pages.set(index, new Uint8Array(part));
  }

  /** The same for as many pages as a buffer for reuse has. */
  #replaceMany(index: number, part: Uint8Array): void {
    let taken = 0;
    try {
      for (; taken < AHEAD_PAGES; taken++) this.#take(index + taken, PAGE_BYTES);
    } finally {
      const isAll = taken === AHEAD_PAGES;
      const bytes = part.subarray(0, taken * PAGE_BYTES);
      const buffer = (isAll ? this.#pool.takeSpare() : undefined) ?? new Uint8Array(bytes.length);
      buffer.set(bytes);
      for (const [i, page] of splitBlocks(buffer).entries()) {
        this.#shared.delete(index + i);
        this.#pages.set(index + i, page);
      }
    }
  }

  #drop(index: number): void {
    const page = this.#pages.get(index);
    if (page === undefined) return;
    this.#shared.delete(index);
    this.#pages.delete(index);
    if (this.#lent.delete(index)) return;
    this.#pool.give(PAGE_BYTES);
    this.#used -= page.length;
    this.#lease.give(this.#lease.bytes - this.#used);
  }

  /** Reserves memory for a page, instead of the current one, if any. */
  #take(index: number, bytes: number): void {
    const before = this.#lent.has(index) ? undefined : this.#pages.get(index);
    const used = this.#used + bytes - (before?.length ?? 0);
    try {
      if (used > this.#lease.bytes) this.#lease.take(used - this.#lease.bytes);
    } catch (error) {
      refuseBusy(error);
    }
    if (before === undefined) this.#pool.take(PAGE_BYTES);
    this.#lent.delete(index);
    this.#used = used;
  }
}

/** Most files are small, and a full page takes longer to allocate than one of them. */
function roomFor(length: number): number {
  let room = FIRST_BYTES;
  while (room < length) room *= 2;
  return room;
}

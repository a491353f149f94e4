import {
  cutPieces,
  PIECE_BYTES as PAGE_BYTES,
  type Pieces,
  trimmed,
} from "../../../core/bytes/pieces.ts";
import { MemoryFullError } from "../../../core/errors.ts";
import type { MemoryLease } from "../../../core/memory/lease.ts";
import type { DraftPool } from "./draft_pool.ts";
import { VfsError } from "./errors.ts";

/** Largest file, in bytes. */
export const MAX_FILE_BYTES = 64 * 1024 * 1024;
const ZEROS = new Uint8Array(PAGE_BYTES);
const NO_BYTES = new Uint8Array();
/** What is taken for the beginning of a page at first. */
const FIRST_BYTES = 4096;
/** Most pages that are made ahead of the bytes; fewer while the file has less than so many. */
const AHEAD_PAGES = 16;

/**
 * The bytes of a file that nobody sees yet. Written at any place, in any order; memory is taken for what was written,
 * never for an offset or a size that somebody named. Must be disposed of.
 */
export class Draft implements Disposable {
  readonly #pool: DraftPool;
  readonly #lease: MemoryLease;
  readonly #maxBytes: number;
  /** Bytes of the pages. */
  #used = 0;
  /** A page that nothing was written to is missing and reads as zeros, and so does what is behind a short one. */
  readonly #pages = new Map<number, Uint8Array<ArrayBuffer>>();
  /** Pages that somebody else reads too: they are copied before they are written to. */
  readonly #shared = new Set<number>();
  /** Room in the pages behind the last byte. */
  #ahead: Uint8Array<ArrayBuffer> = NO_BYTES;
  #size = 0;
  /** Bytes that the pool expects of this file: those that were written, and no gaps between them. */
  #expected = 0;
  readonly #replaces: number;

  /** `replaces` is the size of the file in whose place it is to be put. */
  constructor(
    pool: DraftPool,
    { maxBytes = MAX_FILE_BYTES, replaces = 0 }: { maxBytes?: number; replaces?: number } = {},
  ) {
    this.#pool = pool;
    this.#lease = pool.memory.lease();
    this.#maxBytes = maxBytes;
    this.#replaces = replaces;
  }

  /** In bytes. */
  get size(): number {
    return this.#size;
  }

  /**
   * Makes sure that there is memory for a write of so many bytes. Nothing to wait for where there is; else it waits, and
   * rejects with `VfsError` "busy" when there is none in time.
   */
  room(bytes: number): Promise<void> | undefined {
    const pages = Math.ceil(bytes / PAGE_BYTES) + 1;
    return this.#lease.cover(this.#used + pages * PAGE_BYTES)?.catch(refuse);
  }

  /**
   * Room to read the next bytes into: `write` does not copy what is at its beginning. Valid until any other call, and
   * empty while the file is small, or where there is no memory at once.
   */
  ahead(): Uint8Array<ArrayBuffer> {
    if (this.#ahead.length > 0) return this.#ahead;
    const index = Math.floor(this.#size / PAGE_BYTES);
    const page = this.#pages.get(index) ?? this.#makeAhead(index);
    if (page.length >= PAGE_BYTES && !this.#shared.has(index)) {
      this.#ahead = page.subarray(this.#size % PAGE_BYTES);
    }
    return this.#ahead;
  }

  /** Throws `VfsError` "too_large", "no_space" or "busy"; what was written before stays. */
  write(at: number, bytes: Uint8Array): void {
    const size = Math.max(this.#size, at + bytes.length);
    this.#checkSize(size);
    this.#expect(Math.min(size, this.#expected + bytes.length));
    const { buffer, byteOffset } = this.#ahead;
    if (at === this.#size && bytes.buffer === buffer && bytes.byteOffset === byteOffset) {
      this.#ahead = this.#ahead.subarray(bytes.length);
    } else {
      this.#endAhead();
      this.#copy(at, bytes);
    }
    this.#size = size;
  }

  #copy(at: number, bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length;) {
      const from = (at + done) % PAGE_BYTES;
      const count = Math.min(PAGE_BYTES - from, bytes.length - done);
      const index = Math.floor((at + done) / PAGE_BYTES);
      const part = bytes.subarray(done, done + count);
      if (count === PAGE_BYTES) this.#replace(index, part);
      else this.#page(index, from + count).set(part, from);
      done += count;
    }
  }

  append(bytes: Uint8Array): void {
    this.write(this.#size, bytes);
  }

  /** Cuts, or makes longer with zeros. */
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

  /** The bytes are kept: no room is needed for them any more. */
  settle(): void {
    this.#expect(0);
  }

  /** Bytes from `at`, at most `length` of them; fewer at the end. */
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

  /** The same as views, in order: nothing is copied, and what is written later does not change them. */
  parts(at: number, length: number): readonly Uint8Array[] {
    const parts: Uint8Array[] = [];
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

  /** All the bytes as they are now, without a copy: what is written later does not change them. */
  share(): Pieces {
    this.#endAhead();
    const pieces: Uint8Array<ArrayBuffer>[] = [];
    for (let at = 0; at < this.#size; at += PAGE_BYTES) {
      const index = at / PAGE_BYTES;
      const length = this.#size - at;
      let page = this.#pages.get(index) ?? ZEROS;
      if (page.length < Math.min(PAGE_BYTES, length)) page = this.#page(index, PAGE_BYTES);
      pieces.push(length < PAGE_BYTES ? trimmed(page, length) : page);
    }
    for (const index of this.#pages.keys()) this.#shared.add(index);
    return pieces;
  }

  /** Gives all the bytes away: nothing can be done with the draft then, but to dispose of it. */
  take(): Pieces {
    const pieces = this.share();
    for (const index of [...this.#pages.keys()]) this.#drop(index);
    this.settle();
    return pieces;
  }

  [Symbol.dispose](): void {
    for (const index of [...this.#pages.keys()]) this.#drop(index);
    this.#size = 0;
    this.settle();
    this.#lease[Symbol.dispose]();
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

  /** Pages in one buffer, which costs the platform less than one for each; as many as there is memory for. */
  #makeAhead(index: number): Uint8Array<ArrayBuffer> {
    const most = Math.min(AHEAD_PAGES, index, Math.ceil(this.#maxBytes / PAGE_BYTES) - index);
    let count = 0;
    try {
      for (; count < most; count++) this.#take(PAGE_BYTES, undefined);
    } catch (error) {
      if (!(error instanceof VfsError)) throw error;
    }
    const block = new Uint8Array(count * PAGE_BYTES);
    for (const [i, page] of cutPieces(block).entries()) this.#pages.set(index + i, page);
    return block;
  }

  /** Gives back the pages that nothing was written to, with the buffer that others have in common with them. */
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

  /** A page to be written to, of which at least the first `length` bytes are there. */
  #page(index: number, length: number): Uint8Array<ArrayBuffer> {
    const page = this.#pages.get(index);
    if (page !== undefined && page.length >= length && !this.#shared.has(index)) return page;
    const room = Math.max(length, page?.length ?? 0);
    const pageBytes = index === 0 ? roomFor(room) : PAGE_BYTES;
    this.#take(pageBytes, page);
    const fresh = new Uint8Array(pageBytes);
    if (page !== undefined) fresh.set(page);
    this.#shared.delete(index);
    this.#pages.set(index, fresh);
    return fresh;
  }

  /** A copy is made faster than a new page is emptied and then filled. */
  #replace(index: number, part: Uint8Array): void {
    this.#take(PAGE_BYTES, this.#pages.get(index));
    this.#shared.delete(index);
    this.#pages.set(index, new Uint8Array(part));
  }

  #drop(index: number): void {
    const page = this.#pages.get(index);
    if (page === undefined) return;
    this.#shared.delete(index);
    this.#pages.delete(index);
    this.#pool.give(PAGE_BYTES);
    this.#used -= page.length;
    this.#lease.give(this.#lease.bytes - this.#used);
  }

  /** Memory for a page in place of another one, or of none. */
  #take(bytes: number, before: Uint8Array | undefined): void {
    const used = this.#used + bytes - (before?.length ?? 0);
    try {
      if (used > this.#lease.bytes) this.#lease.take(used - this.#lease.bytes);
    } catch (error) {
      refuse(error);
    }
    if (before === undefined) this.#pool.take(PAGE_BYTES);
    this.#used = used;
  }
}

function refuse(error: unknown): never {
  if (error instanceof MemoryFullError) throw new VfsError("busy", error.message);
  throw error;
}

/** Most files are small, and an empty page takes longer to make than one of them. */
function roomFor(length: number): number {
  let room = FIRST_BYTES;
  while (room < length) room *= 2;
  return room;
}

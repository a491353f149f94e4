import type { Blocks } from "../bytes/blocks.ts";
import { type ByteIntake, type ByteSource, sourceStream } from "../byte_source.ts";

/** Reference to stored bytes. */
export interface BlobRef {
  /** Id to read it by. */
  readonly id: string;
  /** In bytes. */
  readonly size: number;
  /** Media type as stated by the sender. */
  readonly content_type?: string;
  /** File name as stated by the sender; hostile text. */
  readonly filename?: string;
}

/** Description of bytes. */
export interface BlobAbout {
  /** Media type as stated by the sender. */
  readonly content_type?: string;
  /** File name as stated by the sender; hostile text. */
  readonly filename?: string;
}

/** Options of `put`. */
export interface PutOptions {
  /** Size of the blob that this one replaces. A smaller one is accepted even on a full disk. */
  readonly replaces?: number | undefined;
  /** Whether nobody else has views of the given chunks, so that their buffers may be reused. */
  readonly isSole?: boolean;
}

/** Bytes of a blob, once. Each chunk is valid until the next is requested. Must be disposed of. */
export interface BlobLoan extends Iterable<Uint8Array>, Disposable {}

/** All bytes of a blob, which stay until this is disposed of. */
export interface BorrowedBlob extends Disposable {
  /** Must not be changed. */
  readonly blocks: Blocks;
  /** Disposes of this, and states that nobody else got views of the blocks from the borrower. */
  giveBack(): void;
}

/** A range of the bytes of a blob. Must be disposed of once they are no longer used. */
export interface LentParts extends Disposable {
  /** In order, each as long as possible. */
  readonly parts: readonly Uint8Array[];
}

/** Disk space that is reserved for deletions. */
export interface RoomKept {
  /** Returns whether data that needs space may be stored now. */
  ready(): boolean;
  /** Releases the space for a deletion that found none. */
  giveUp(): void;
  /** Reserves the space again if some has become free. */
  freed(): void;
  /** Space reserved now, in bytes. */
  readonly bytes: number;
  /** Space reserved now, or before it was released. */
  readonly lastBytes: number;
  /** Returns whether this many bytes fit on the disk beside it. */
  fits(bytes: number): boolean;
}

/** Stored bytes, or a range of them, ready to send. */
export interface OpenedBlob {
  /** Its reference. */
  readonly ref: BlobRef;
  /** The bytes, or the requested range. */
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** The same bytes without a stream; read or close one of the two, and leave the other alone. */
  readonly source: ByteSource;
}

/** Result of opening a blob; the stream is created on demand. */
export function openedBlob(
  ref: BlobRef,
  source: ByteSource,
  { chunkBytes }: { chunkBytes: number },
): OpenedBlob {
  let body: OpenedBlob["body"] | undefined;
  return {
    ref,
    source,
    get body() {
      return body ??= sourceStream(source, chunkBytes);
    },
  };
}

/** Random access to stored bytes, which stay readable when the blob is removed meanwhile. */
export interface BlobReader extends Disposable {
  /** In bytes. */
  readonly size: number;
  /** Reads up to `length` bytes from `at`, fewer at the end; do not change them. */
  read(at: number, length: number): Uint8Array;
  /** The same in order, as views if the bytes are in memory. */
  parts(at: number, length: number): readonly Uint8Array[];
}

/**
 * Bytes to store. Whole bytes and a stream are copied; chunks become the store's own; an intake is read into buffers of
 * the store, which reuses them.
 */
export type BlobSource = Uint8Array | ReadableStream<Uint8Array> | Blocks | ByteIntake;

/**
 * Stores the bytes of attachments, files and objects.
 *
 * Events, files and objects name the blobs that they retain. A named blob is never dropped. A blob without names stays
 * readable until the store needs its space; the oldest goes first.
 */
export interface BlobStore {
  /**
   * Resolves once the bytes may be named; the caller then retains the blob once. Rejects with `StoreFullError`, and
   * keeps nothing, if only named blobs are left to drop.
   */
  put(source: BlobSource, about?: BlobAbout, options?: PutOptions): Promise<BlobRef>;
  /** The same for chunks, at once: throws instead of rejecting. Absent, or `undefined`, if the store is not in memory. */
  putAtOnce?(blocks: Blocks, about?: BlobAbout, options?: PutOptions): BlobRef | undefined;
  /** Returns `undefined` for an unknown id. */
  get(id: string): BlobRef | undefined;
  /** Opens an inclusive range, as in HTTP. `undefined` for an unknown id. */
  open(id: string, range?: { start: number; end: number }): Promise<OpenedBlob | undefined>;
  /** Reads up to `length` bytes from `at`, fewer at the end; do not change them. `undefined` for an unknown id. */
  read(id: string, at: number, length: number): Promise<Uint8Array | undefined>;
  /** The same in stored chunks, none of them empty; not copied if possible. */
  readParts(
    id: string,
    at: number,
    length: number,
  ): Promise<readonly Uint8Array[] | undefined>;
  /** Opens random access, which must be disposed of. `undefined` for an unknown id. */
  reader(id: string): BlobReader | undefined;
  /** Lends the bytes from `at` on. Absent if they are not in memory. */
  lend?(id: string, at: number): BlobLoan | undefined;
  /** Lends up to `length` bytes from `at`. Absent, or `undefined`, if they are not in memory. */
  lendParts?(id: string, at: number, length: number): LentParts | undefined;
  /** Lends all bytes. Absent, or `undefined`, if they are not in memory. Must be disposed of or given back. */
  borrow?(id: string): BorrowedBlob | undefined;
  /** States that whoever put the chunks of a blob no longer has views of them; at most once. */
  own?(id: string): void;
  /** Returns a buffer of `SPARE_BYTES` that is no longer used, with arbitrary content. */
  takeSpare?(): Uint8Array<ArrayBuffer> | undefined;
  /**
   * Stores the joined bytes of other blobs, as `put` does; they stay unchanged. Shares their bytes if possible.
   * `undefined` if one of the ids is unknown.
   */
  concat(ids: readonly string[], about?: BlobAbout): Promise<BlobRef | undefined>;
  /** Bytes that still fit; infinite if only the disk knows. */
  readonly freeBytes: number;
  /**
   * Sets how many bytes in total are on their way to `put`. Throws `StoreFullError` if they do not fit. A store on disk
   * reserves the space until a later call lowers the number; on a full disk it still accepts bytes that `shrink` the
   * stored data.
   */
  expectBytes(bytes: number, options?: { readonly shrink?: boolean }): void;
  /** Space for deletions on the disk of the store; absent in memory. */
  readonly reserve?: RoomKept | undefined;
  /** Makes a blob readable that another instance has stored. Only in a store that several instances share. */
  adopt?(ref: BlobRef): void;
  /** Adds a name to the blob. */
  retain(id: string): void;
  /** Removes a name. The bytes stay until space is needed. */
  release(id: string): void;
  /** Removes the bytes at once, even if something names them (a file was deleted or overwritten). */
  remove(id: string): Promise<void>;
  /** Drops every blob without names. */
  prune(): void;
}

import type { Pieces } from "../bytes/pieces.ts";
import { type ByteIntake, type ByteSource, sourceStream } from "../byte_source.ts";

/** Names stored bytes. */
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

/** What is known about bytes besides the bytes. */
export interface BlobAbout {
  /** Media type as stated by the sender. */
  readonly content_type?: string;
  /** File name as stated by the sender; hostile text. */
  readonly filename?: string;
}

/** How bytes are put. */
export interface PutOptions {
  /** Size of the blob that goes when this one is in its place. A smaller one is taken on a full disk, too. */
  readonly replaces?: number | undefined;
}

/** Room on a disk that is kept back for deletions. */
export interface RoomKept {
  /** Whether anything that needs room may be kept now. */
  ready(): boolean;
  /** Gives the room to a deletion that found none. */
  giveUp(): void;
  /** Takes the room back where some has become free. */
  freed(): void;
  /** Room that is kept back now, in bytes. */
  readonly bytes: number;
}

/** Stored bytes, or a range of them, ready to be sent. */
export interface OpenedBlob {
  /** What is known of it. */
  readonly ref: BlobRef;
  /** The bytes, or the range asked for. */
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** The same bytes for who needs no stream; one of the two is to be read or closed, and the other left alone. */
  readonly source: ByteSource;
}

/** What a store opens: a stream is made of the source once somebody asks for it. */
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

/** Stored bytes to be read here and there as long as they are needed, also when the blob is removed meanwhile. */
export interface BlobReader extends Disposable {
  /** In bytes. */
  readonly size: number;
  /** Up to `length` bytes from `at` on, fewer at the end; not to be changed. */
  read(at: number, length: number): Uint8Array;
  /** The same in order, as views where the bytes are in memory: nothing is copied. */
  parts(at: number, length: number): readonly Uint8Array[];
}

/**
 * Bytes to be kept. Whole bytes and a stream are copied; pieces are the store's own from then on; an intake is read into
 * buffers of the store, which uses them again as it likes.
 */
export type BlobSource = Uint8Array | ReadableStream<Uint8Array> | Pieces | ByteIntake;

/**
 * Keeps attachment, file and object bytes.
 *
 * A blob is named by whoever retains it: an event, a file, an object. A named blob is never dropped. One that
 * nobody names any more stays readable until the store needs its space; the oldest of those goes first.
 */
export interface BlobStore {
  /**
   * Resolves once the bytes may be named; the blob is then retained once, by the caller.
   * Rejects with `StoreFullError` when only named blobs are left to drop; nothing is kept then.
   */
  put(source: BlobSource, about?: BlobAbout, options?: PutOptions): Promise<BlobRef>;
  /** `undefined` for an unknown id. */
  get(id: string): BlobRef | undefined;
  /** Inclusive range, as in HTTP. `undefined` for an unknown id. */
  open(id: string, range?: { start: number; end: number }): Promise<OpenedBlob | undefined>;
  /** Up to `length` bytes from `at` on, fewer at the end; not to be changed. `undefined` for an unknown id. */
  read(id: string, at: number, length: number): Promise<Uint8Array | undefined>;
  /** The same, in the parts in which they lie, none of them empty: where it can, they are no copies. */
  readParts(
    id: string,
    at: number,
    length: number,
  ): Promise<readonly Uint8Array[] | undefined>;
  /** Bytes to be read here and there; to be disposed of. `undefined` for an unknown id. */
  reader(id: string): BlobReader | undefined;
  /**
   * A new blob of the bytes of others, in that order, as `put` keeps it; they stay what they are. Where it can, it holds
   * no copy. `undefined` when one of the ids is unknown.
   */
  concat(ids: readonly string[], about?: BlobAbout): Promise<BlobRef | undefined>;
  /** Bytes that may still be put; infinite where only the disk knows. */
  readonly freeBytes: number;
  /**
   * Sets how many bytes in all are on their way to `put`. Throws `StoreFullError` when there is no room for them. A store
   * on disk reserves the room until a later call lowers the number; on a full disk it still accepts bytes that `shrink`
   * what is kept.
   */
  expectBytes(bytes: number, options?: { readonly shrink?: boolean }): void;
  /** Room for deletions on the disk of the store; absent for a store that is on none. */
  readonly reserve?: RoomKept | undefined;
  /** One more name for the blob. */
  retain(id: string): void;
  /** One name less. The bytes stay until space is needed. */
  release(id: string): void;
  /** The bytes go now, whoever names them (a file that was deleted or overwritten). */
  remove(id: string): Promise<void>;
  /** Drops every blob that nobody names. */
  prune(): void;
}

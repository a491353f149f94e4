import type {
  BlobAbout,
  BlobLoan,
  BlobReader,
  BlobRef,
  BlobStore,
  LentParts,
  PutOptions,
} from "../../../core/blobs/blob.ts";
import { type Blocks, readBlocks } from "../../../core/bytes/blocks.ts";
import type { MaybePromise } from "../../../core/result.ts";
import { type Memory, unboundedMemory } from "../../../core/memory/budget.ts";
import { contentTypeOf } from "./content_type.ts";
import { Draft, MAX_FILE_BYTES } from "./draft.ts";
import { DraftPool } from "./draft_pool.ts";
import { refuseBusy, refuseFull, VfsError } from "./errors.ts";
import type { DirNode, FileNode, Node } from "./node.ts";
import { baseName } from "./path.ts";
import { NO_PENDING, type Pending } from "./pending.ts";
import type { Tree } from "./tree.ts";
import type { FileAbout, NodeChanges } from "./tree_change.ts";

/** Limit of all unfinished uploads together, in bytes. */
const MAX_PENDING_BYTES = 512 * 1024 * 1024;
/** Limit of all copies of files being sent, in bytes. */
const MAX_COPIES_BYTES = 256 * 1024 * 1024;
/** Blobs removed in parallel. */
const AT_A_TIME = 64;
/** Up to this size bytes are read at once, which is faster than a stream. */
const SMALL_BYTES = 64 * 1024;
/** Bytes inspected to distinguish text from binary. */
const SNIFF_BYTES = 4096;

/** Author of a change. */
export interface Author {
  readonly provider: string;
}

/** Options of an upload. */
export interface UploadAbout {
  readonly file?: Pick<FileAbout, "id"> & NodeChanges;
}

/** Stored bytes that are not in the tree yet. */
export interface Stored {
  readonly ref: BlobRef;
  readonly contentType: string;
}

/** Result of an upload. */
export interface Uploaded {
  /** State when it was put in place: by now the node may be another file, or elsewhere. */
  readonly file: Readonly<FileNode>;
  /** Deepest directory that was created for it. */
  readonly madeDir?: DirNode;
}

/** Hooks for a tree whose nodes and bytes are stored elsewhere. */
export interface RemoteTree {
  /** Whether the tree may be used now. */
  readonly isUsable: boolean;
  /** Removes bytes once the change that dropped them is stored. */
  remove(blob: string): Promise<void>;
}

/**
 * The tree with its bytes. A file stays as it is until a new one replaces it as a whole: readers that began earlier
 * keep the old bytes. Takes resolved paths; refusals are `VfsError`.
 */
export class Vfs {
  readonly tree: Tree;
  /** Holds the bytes. */
  readonly blobs: BlobStore;
  /** Stores promised files that are not in the tree yet. */
  readonly pending: Pending;
  readonly #now: () => Date;
  readonly #pool: DraftPool;
  readonly #copies: DraftPool;
  readonly #remote: RemoteTree | undefined;
  #clears = 0;

  constructor(
    tree: Tree,
    options: {
      blobs: BlobStore;
      now: () => Date;
      /** Memory budget of unfinished uploads and copies. */
      memory?: Memory;
      maxPendingBytes?: number;
      pending?: Pending;
      /** Present if the bytes cannot be read at once, and each change must be waited for. */
      remote?: RemoteTree;
    },
  ) {
    this.tree = tree;
    this.blobs = options.blobs;
    this.pending = options.pending ?? NO_PENDING;
    this.#now = options.now;
    const { memory = unboundedMemory() } = options;
    this.#pool = new DraftPool(
      options.maxPendingBytes ?? MAX_PENDING_BYTES,
      memory,
      options.blobs,
    );
    this.#copies = new DraftPool(MAX_COPIES_BYTES, memory);
    this.#remote = options.remote;
  }

  /** Number of times that the tree was cleared. */
  get clears(): number {
    return this.#clears;
  }

  /** Whether the tree may be used now; it may not while another instance writes it. */
  get isUsable(): boolean {
    return this.#remote?.isUsable ?? true;
  }

  /** Throws `VfsError` while the tree may not be used, as looking for a path does. */
  check(): void {
    if (!this.isUsable) this.tree.find("/");
  }

  /** Waits until every change so far is stored, if its client must not be answered before. Rejects with `VfsError` "busy". */
  acknowledged(): Promise<void> | undefined {
    return this.#remote === undefined ? undefined : this.tree.settled();
  }

  /** Bytes of unfinished uploads. */
  get pendingBytes(): number {
    return this.#pool.bytes;
  }

  /** Starts a file; the tree does not change before `upload`. Throws if `path` could not be written. */
  draft(path: string): Draft {
    this.tree.checkWritable(path);
    const old = this.tree.find(path);
    return new Draft(this.#pool, old?.dir === false ? { replaces: old.size } : {});
  }

  /** Starts one with the bytes of a given file, or of the existing one, if any. */
  async draftFrom(path: string, file?: FileNode): Promise<Draft> {
    const draft = this.draft(path);
    const node = file ?? this.tree.find(path);
    try {
      const isFile = node !== undefined && !node.dir;
      if (isFile && !this.#begin(draft, node)) await this.#load(draft, node);
      return draft;
    } catch (error) {
      draft[Symbol.dispose]();
      throw error;
    }
  }

  /** Starts one with the bytes of a file in the tree, at once; nothing if they are not in memory. */
  draftAtOnce(file: FileNode): Draft | undefined {
    this.check();
    const draft = new Draft(this.#pool, { replaces: file.size });
    let begun = false;
    try {
      begun = this.#begin(draft, file);
    } finally {
      if (!begun) draft[Symbol.dispose]();
    }
    return begun ? draft : undefined;
  }

  /** Begins a draft with the bytes of a file. Returns false, and does nothing, if they are not in memory. */
  #begin(draft: Draft, { size, blob }: FileNode): boolean {
    if (size === 0) return true;
    const borrowed = this.#remote === undefined ? this.blobs.borrow?.(blob) : undefined;
    if (borrowed === undefined) return false;
    draft.begin(borrowed);
    return true;
  }

  async #load(draft: Draft, node: FileNode): Promise<void> {
    if (node.size > SMALL_BYTES || this.#remote !== undefined) {
      for await (const chunk of await this.read(node)) {
        await draft.room(chunk.length);
        draft.append(chunk);
      }
    } else {
      using reader = await this.reader(node);
      draft.append(reader.read(0, node.size));
    }
  }

  /** Stores bytes for `upload`; until then they belong to the caller, to be removed with `discard`. */
  async store(path: string, draft: Draft): Promise<Stored> {
    return this.#settle(draft, await this.#store(path, { blocks: draft.share(), isSole: false }));
  }

  /** The same at once; nothing if the bytes do not stay in memory. */
  storeAtOnce(path: string, draft: Draft): Stored | undefined {
    if (this.#remote !== undefined || this.pending.lasts) return undefined;
    const blocks = draft.share();
    const { about, options } = this.#describe(path, blocks);
    try {
      const ref = this.blobs.putAtOnce?.(blocks, about, options);
      return ref && this.#settle(draft, { ref, contentType: about.content_type });
    } catch (error) {
      return refuseFull(error);
    }
  }

  #settle(draft: Draft, stored: Stored): Stored {
    draft.settle();
    draft.onEnd(() => this.blobs.own?.(stored.ref.id));
    return stored;
  }

  async #store(
    path: string,
    { blocks, isSole }: { readonly blocks: Blocks; readonly isSole: boolean },
  ): Promise<Stored> {
    const { about, options } = this.#describe(path, blocks);
    try {
      const ref = await this.blobs.put(blocks, about, { ...options, isSole });
      return { ref, contentType: about.content_type };
    } catch (error) {
      return refuseFull(error);
    }
  }

  #describe(
    path: string,
    blocks: Blocks,
  ): { readonly about: Required<BlobAbout>; readonly options: PutOptions } {
    const old = this.tree.find(path);
    const filename = baseName(path);
    const contentType = contentTypeOf(filename, readBlocks(blocks, 0, SNIFF_BYTES));
    return {
      about: { content_type: contentType, filename },
      options: { replaces: old?.dir === false ? old.size : undefined },
    };
  }

  /** Removes stored bytes that were never put in place. */
  async discard({ ref }: Stored): Promise<void> {
    await this.#removeBlob(ref.id);
  }

  /**
   * Puts a file in place. Takes over the bytes of a draft, whether it succeeds or not; stored bytes belong to the file
   * from now on.
   */
  async upload(
    path: string,
    bytes: Draft | Stored,
    author: Author & UploadAbout,
  ): Promise<Uploaded> {
    if (bytes instanceof Draft) this.tree.checkWritable(path);
    const stored = bytes instanceof Draft ? await this.#store(path, bytes.take()) : bytes;
    let put: ReturnType<Tree["putFile"]>;
    try {
      put = this.tree.putFile(path, {
        mtimeMs: this.#now().getTime(),
        ...author.file,
        size: stored.ref.size,
        blob: stored.ref.id,
        contentType: stored.contentType,
        provider: author.provider,
      });
    } catch (error) {
      await this.discard(stored);
      throw error;
    }
    const uploaded = { ...put, file: { ...put.file } };
    await this.#free(put.freed === undefined ? [] : [put.freed]);
    return uploaded;
  }

  /** Streams the bytes of a file from `start` on. */
  async read(file: FileNode, start = 0): Promise<ReadableStream<Uint8Array>> {
    if (start >= file.size) return new Blob([]).stream();
    const range = start === 0 ? undefined : { start, end: file.size - 1 };
    const opened = await this.blobs.open(file.blob, range).catch(refuseBusy);
    if (opened === undefined) {
      throw new VfsError("not_found", `Cannot read "${file.name}": it was just replaced`);
    }
    return this.#remote === undefined ? opened.body : ReadableStream.from(refusing(opened.body));
  }

  /** Lends the bytes of a file from `start` on; nothing if they are not in memory. */
  lend(file: FileNode, start: number): BlobLoan | undefined {
    return this.#remote === undefined ? this.blobs.lend?.(file.blob, start) : undefined;
  }

  /** Returns some bytes of a file, in parts; `undefined` if it was replaced. Rejects with `VfsError` "busy". */
  readParts(
    { blob }: FileNode,
    at: number,
    length: number,
  ): ReturnType<BlobStore["readParts"]> {
    if (this.#remote === undefined) return this.blobs.readParts(blob, at, length);
    return Promise.resolve(this.blobs.readParts(blob, at, length)).catch(refuseBusy);
  }

  /** Lends some bytes of a file; nothing if they are not in memory. Must be disposed of. */
  lendParts({ blob }: FileNode, at: number, length: number): LentParts | undefined {
    return this.#remote === undefined ? this.blobs.lendParts?.(blob, at, length) : undefined;
  }

  /** Opens a file as it is now, for reads at any offset. Must be disposed of. */
  reader(file: FileNode): MaybePromise<BlobReader> {
    if (this.#remote !== undefined) return this.converted(file, (bytes) => bytes);
    const reader = this.blobs.reader(file.blob);
    if (reader !== undefined) return reader;
    throw new VfsError("not_found", `Cannot read "${file.name}": it was just replaced`);
  }

  /** Opens a file as it is now, with each part converted by `convert`. Must be disposed of. */
  async converted(
    file: FileNode,
    convert: (bytes: Uint8Array) => Uint8Array,
  ): Promise<BlobReader> {
    const copy = new Draft(this.#copies, { maxBytes: 2 * MAX_FILE_BYTES });
    try {
      for await (const chunk of await this.read(file)) {
        const converted = convert(chunk);
        await copy.room(converted.length);
        copy.append(converted);
      }
      return copy;
    } catch (error) {
      copy[Symbol.dispose]();
      throw error;
    }
  }

  mkdir(path: string, author: Author): DirNode {
    return this.tree.mkdir(path, { ...author, mtimeMs: this.#now().getTime() });
  }

  async remove(path: string, options: { recursive?: boolean } = {}): Promise<Node> {
    const { node, freed } = this.tree.remove(path, { ...options, nowMs: this.#now().getTime() });
    await this.#free(freed);
    return node;
  }

  /** Returns `undefined` if there was nothing to do. */
  async rename(from: string, to: string, options: { replace: boolean }): Promise<Node | undefined> {
    const renamed = this.tree.rename(from, to, { ...options, nowMs: this.#now().getTime() });
    if (renamed !== undefined) await this.#free(renamed.freed);
    return renamed?.node;
  }

  async clear(): Promise<void> {
    this.#clears++;
    await this.#free(this.tree.clear());
  }

  /** Removes bytes once the change that dropped them is durable: a lost change would name them again. */
  async #free(blobs: readonly string[]): Promise<void> {
    await this.tree.settled();
    for (let at = 0; at < blobs.length; at += AT_A_TIME) {
      // The change is made in any case: what cannot be removed now is removed at the next start.
      await Promise.allSettled(blobs.slice(at, at + AT_A_TIME).map((id) => this.#removeBlob(id)));
    }
  }

  #removeBlob(id: string): Promise<void> {
    return this.#remote === undefined ? this.blobs.remove(id) : this.#remote.remove(id);
  }
}

/** A store that stops answering is a refusal. */
async function* refusing(chunks: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
  } catch (error) {
    refuseBusy(error);
  }
}

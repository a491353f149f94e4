import { StoreFullError } from "../errors.ts";
import {
  type BlobAbout,
  type BlobLoan,
  type BlobReader,
  type BlobRef,
  type BlobSource,
  type BlobStore,
  type BorrowedBlob,
  type LentParts,
  type OpenedBlob,
  openedBlob,
  type PutOptions,
} from "./blob.ts";
import { SpareBuffers } from "./spare.ts";
import {
  BLOCK_BYTES,
  BlockCollector,
  type Blocks,
  copyBlocks,
  joinViews,
  longView,
  readBlocks,
  shareBlocks,
  splitBlocks,
  viewBlocks,
} from "../bytes/blocks.ts";
import { type ByteIntake, type ByteSource, fill } from "../byte_source.ts";
import { type Holding, type Memory, type MemoryBudget, unboundedMemory } from "../memory/budget.ts";
import type { MemoryLease } from "../memory/lease.ts";

/**
 * Most blobs without names, in addition to the limit of bytes: metadata takes memory, too, and empty blobs never fill a
 * store. Beyond it the older half goes.
 */
const MAX_UNNAMED = 10_000;

/** Size of a chunk that is lent. */
const LENT_BYTES = 4 * BLOCK_BYTES;

/** Size of the buffers for an intake. */
const INTAKE_BYTES = 4 * BLOCK_BYTES;

interface Held {
  readonly ref: BlobRef;
  readonly blocks: Blocks;
  names: number;
  /** Number of active readers. */
  readers: number;
  /** Number of times that views of the blocks left this store and may still be in use. */
  views: number;
}

/** Keeps blobs in memory, up to a total number of bytes. */
export class MemoryBlobStore implements BlobStore {
  /** In order of arrival. */
  readonly #held = new Map<string, Held>();
  readonly #maxBytes: number;
  readonly #nextId: () => string;
  readonly #onDrop: (count: number, bytes: number) => void;
  readonly #memory: MemoryBudget;
  readonly #holding: Holding;
  readonly #spare: SpareBuffers;
  #bytes = 0;
  /** Bytes of blobs that are named or read; these are never dropped. */
  #named = 0;
  /** Blobs that are neither named nor read. */
  #unnamed = 0;
  /** Bytes read so far from unfinished streams. */
  #pending = 0;

  constructor(options: {
    maxBytes: number;
    nextId: () => string;
    /** Called when blobs without names made room for new ones. */
    onDrop: (count: number, bytes: number) => void;
    /** Account of the bytes; blobs without names are dropped when others need room. */
    memory?: MemoryBudget;
  }) {
    this.#maxBytes = options.maxBytes;
    this.#nextId = options.nextId;
    this.#onDrop = options.onDrop;
    this.#memory = options.memory ?? unboundedMemory();
    this.#holding = this.#memory.holding((bytes) => this.#free(bytes), { isBuffers: true });
    this.#spare = new SpareBuffers(this.#memory);
  }

  /** Bytes held now. */
  get bytes(): number {
    return this.#bytes;
  }

  get freeBytes(): number {
    return Math.max(0, this.#maxBytes - this.#named - this.#pending);
  }

  expectBytes(bytes: number): void {
    if (bytes > this.freeBytes) throw this.#full(bytes);
  }

  takeSpare(): Uint8Array<ArrayBuffer> | undefined {
    return this.#spare.take();
  }

  async put(
    source: BlobSource,
    about: BlobAbout = {},
    options?: PutOptions,
  ): Promise<BlobRef> {
    if (source instanceof Uint8Array) return this.putAtOnce(this.#copy(source), about);
    if (!(source instanceof ReadableStream || "read" in source)) {
      return this.putAtOnce(source, about, options);
    }
    using coming = new Coming(this.#memory, (bytes) => this.#await(bytes));
    const blocks =
      await (source instanceof ReadableStream
        ? this.#collect(source, coming)
        : this.#take(source, coming));
    const lease = coming.finish();
    this.#dropFor(sizeOf(blocks));
    return this.#keep(blocks, about, { lease });
  }

  putAtOnce(blocks: Blocks, about: BlobAbout = {}, { isSole = false }: PutOptions = {}): BlobRef {
    this.#makeRoom(sizeOf(blocks));
    return this.#keep(blocks, about, { isSole });
  }

  /** Stores bytes under an id from elsewhere, named once. Throws `StoreFullError`. */
  restore(ref: BlobRef, bytes: Uint8Array): void {
    if (this.#held.has(ref.id)) {
      throw new RangeError(`A blob with the id "${ref.id}" already exists`);
    }
    const blocks = this.#copy(bytes);
    this.#makeRoom(bytes.length);
    this.#keep(blocks, ref, { id: ref.id });
  }

  /** The same from a stream. Rejects with `StoreFullError`, and with the error of the stream. */
  async restoreFrom(ref: BlobRef, stream: ReadableStream<Uint8Array>): Promise<void> {
    using coming = new Coming(this.#memory, (bytes) => this.#await(bytes));
    const blocks = await this.#collect(stream, coming);
    const lease = coming.finish();
    if (this.#held.has(ref.id)) {
      throw new RangeError(`A blob with the id "${ref.id}" already exists`);
    }
    this.#dropFor(sizeOf(blocks));
    this.#keep(blocks, ref, { id: ref.id, lease });
  }

  /** With a lease, the bytes were in flight until now. */
  #keep(
    blocks: Blocks,
    about: BlobAbout,
    { id = this.#nextId(), lease, isSole = false }: {
      id?: string;
      lease?: MemoryLease;
      isSole?: boolean;
    } = {},
  ): BlobRef {
    const size = sizeOf(blocks);
    const ref: BlobRef = { ...about, id, size };
    this.#held.set(ref.id, { ref, blocks, names: 1, readers: 0, views: isSole ? 0 : 1 });
    this.#bytes += size;
    this.#named += size;
    this.#count(lease);
    return ref;
  }

  /** Shared chunks count for each blob, but take no further memory. */
  concat(ids: readonly string[], about: BlobAbout = {}): Promise<BlobRef | undefined> {
    return Promise.try(() => {
      const parts: Blocks[] = [];
      for (const id of ids) {
        const held = this.#held.get(id);
        if (held === undefined) return undefined;
        held.views++;
        parts.push(held.blocks);
      }
      const shared = shareBlocks(parts);
      if (shared !== undefined) return this.#keep(shared, about);
      this.#makeRoom(parts.reduce((sum, blocks) => sum + sizeOf(blocks), 0));
      return this.#keep(copyBlocks(parts), about);
    });
  }

  get(id: string): BlobRef | undefined {
    return this.#held.get(id)?.ref;
  }

  open(id: string, range?: { start: number; end: number }): Promise<OpenedBlob | undefined> {
    const held = this.#held.get(id);
    if (held === undefined) return Promise.resolve(undefined);
    held.views++;
    const { ref, blocks } = held;
    const { start, end } = range ?? { start: 0, end: ref.size - 1 };
    const source = toSource(blocks, start, Math.min(end + 1, ref.size));
    return Promise.resolve(openedBlob(ref, source, { chunkBytes: BLOCK_BYTES }));
  }

  read(id: string, at: number, length: number): Promise<Uint8Array | undefined> {
    const held = this.#held.get(id);
    if (held === undefined) return Promise.resolve(undefined);
    held.views++;
    return Promise.resolve(readBlocks(held.blocks, at, length));
  }

  readParts(
    id: string,
    at: number,
    length: number,
  ): Promise<readonly Uint8Array[] | undefined> {
    const held = this.#held.get(id);
    if (held === undefined) return Promise.resolve(undefined);
    held.views++;
    return Promise.resolve(viewBlocks(held.blocks, at, length));
  }

  reader(id: string): BlobReader | undefined {
    const held = this.#held.get(id);
    if (held === undefined) return undefined;
    held.views++;
    return {
      size: held.ref.size,
      read: (at, length) => readBlocks(held.blocks, at, length),
      parts: (at, length) => viewBlocks(held.blocks, at, length),
      ...this.#read(held),
    };
  }

  lend(id: string, at: number): BlobLoan | undefined {
    const held = this.#held.get(id);
    if (held === undefined) return undefined;
    return { [Symbol.iterator]: () => lent(held, at), ...this.#read(held) };
  }

  lendParts(id: string, at: number, length: number): LentParts | undefined {
    const held = this.#held.get(id);
    if (held === undefined) return undefined;
    held.views++;
    let open = true;
    return {
      parts: joinViews(viewBlocks(held.blocks, at, length)),
      [Symbol.dispose]() {
        if (open) held.views--;
        open = false;
      },
    };
  }

  borrow(id: string): BorrowedBlob | undefined {
    const held = this.#held.get(id);
    if (held === undefined) return undefined;
    held.views++;
    const pin = this.#read(held);
    return {
      blocks: held.blocks,
      giveBack() {
        held.views--;
        pin[Symbol.dispose]();
      },
      [Symbol.dispose]: pin[Symbol.dispose],
    };
  }

  own(id: string): void {
    const held = this.#held.get(id);
    if (held !== undefined) held.views--;
  }

  /** Protects a blob until it has been read. */
  #read(held: Held): Disposable {
    this.#pin(held);
    held.readers++;
    let open = true;
    return {
      [Symbol.dispose]: () => {
        if (!open) return;
        open = false;
        held.readers--;
        if (this.#held.get(held.ref.id) === held) this.#unpin(held);
        else if (held.readers === 0) this.#uncount(held);
      },
    };
  }

  retain(id: string): void {
    const held = this.#held.get(id);
    if (held === undefined) return;
    this.#pin(held);
    held.names++;
  }

  release(id: string): void {
    const held = this.#held.get(id);
    if (held === undefined || held.names === 0) return;
    held.names--;
    this.#unpin(held);
  }

  remove(id: string): Promise<void> {
    this.#drop(id);
    return Promise.resolve();
  }

  prune(): void {
    for (const [id, held] of this.#held) if (held.names === 0) this.#drop(id);
  }

  #drop(id: string): void {
    const held = this.#held.get(id);
    if (held === undefined) return;
    this.#held.delete(id);
    // A blob that is being read still takes its room.
    if (held.readers > 0) return;
    if (isPinned(held)) return this.#uncount(held);
    this.#bytes -= held.ref.size;
    this.#unnamed--;
    this.#count();
    if (held.views === 0) this.#spare.give(held.blocks);
  }

  /** Before a name or a reader is added. */
  #pin(held: Held): void {
    if (isPinned(held)) return;
    this.#named += held.ref.size;
    this.#unnamed--;
  }

  /** After a name or a reader is removed. */
  #unpin(held: Held): void {
    if (isPinned(held)) return;
    this.#named -= held.ref.size;
    if (++this.#unnamed > MAX_UNNAMED) this.#dropOldest(() => this.#unnamed <= MAX_UNNAMED / 2);
  }

  /** Drops the bytes of a pinned blob. */
  #uncount({ ref: { size }, blocks, views }: Held): void {
    this.#bytes -= size;
    this.#named -= size;
    this.#count();
    if (views === 0) this.#spare.give(blocks);
  }

  /** Reports the number of bytes held. */
  #count(from?: MemoryLease): void {
    this.#holding.set(this.#bytes, from);
  }

  #free(bytes: number): void {
    const goal = this.#bytes - bytes;
    if (this.#unnamed > 0) this.#dropOldest(() => this.#bytes <= goal);
  }

  #makeRoom(size: number): void {
    this.#checkFits(size);
    this.#dropFor(size);
  }

  #dropFor(size: number): void {
    if (this.#bytes + size <= this.#maxBytes) return;
    this.#dropOldest(() => this.#bytes + size <= this.#maxBytes);
  }

  #dropOldest(enough: () => boolean): void {
    let count = 0;
    const before = this.#bytes;
    for (const [id, held] of this.#held) {
      if (isPinned(held)) continue;
      this.#drop(id);
      count++;
      if (enough()) break;
    }
    if (count > 0) this.#onDrop(count, before - this.#bytes);
  }

  /** Checks before anything is dropped, so that a refusal drops nothing. */
  #checkFits(size: number): void {
    if (this.#named + this.#pending + size > this.#maxBytes) throw this.#full(size);
    if (!this.#memory.hasRoomFor(size)) throw this.#memory.full(size);
  }

  /** Copies, because the caller's bytes may be a view of a much larger or reused buffer. */
  #copy(bytes: Uint8Array): Blocks {
    this.#checkFits(bytes.length);
    if (bytes.length <= BLOCK_BYTES) return [new Uint8Array(bytes)];
    const collector = new BlockCollector();
    collector.append(bytes);
    return collector.finish();
  }

  /** Reads straight into the stored chunks. */
  async #take(intake: ByteIntake, coming: Coming): Promise<Blocks> {
    this.expectBytes(intake.size);
    const blocks: Uint8Array<ArrayBuffer>[] = [];
    while (coming.bytes < intake.size) {
      const length = Math.min(INTAKE_BYTES, intake.size - coming.bytes);
      const room = coming.grow(length);
      if (room !== undefined) await room;
      const buffer = new Uint8Array(length);
      await fill(intake, buffer);
      for (const block of splitBlocks(buffer)) blocks.push(block);
    }
    return blocks;
  }

  /** Reads a stream to its end; stops as soon as it cannot fit. */
  async #collect(stream: ReadableStream<Uint8Array>, coming: Coming): Promise<Blocks> {
    const collector = new BlockCollector();
    for await (const chunk of stream) {
      const room = coming.grow(chunk.length);
      if (room !== undefined) await room;
      collector.append(chunk);
    }
    return collector.finish();
  }

  /** Changes the number of incoming bytes. Throws `StoreFullError`. */
  #await(bytes: number): void {
    if (this.#named + this.#pending + bytes > this.#maxBytes) throw this.#full(bytes);
    this.#pending += bytes;
  }

  #full(size: number): StoreFullError {
    return new StoreFullError(
      `Cannot keep ${size} more bytes: the blob store is full with bytes still in use ` +
        `(blob_limit is ${this.#maxBytes}); delete events or files, or raise [storage] blob_limit`,
    );
  }
}

/** An incomplete blob. Its bytes are in flight: the sender waits for memory. */
class Coming implements Disposable {
  readonly #lease: MemoryLease;
  readonly #count: (bytes: number) => void;
  #bytes = 0;

  constructor(memory: Pick<Memory, "lease">, count: (bytes: number) => void) {
    this.#lease = memory.lease({ stays: true });
    this.#count = count;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Returns nothing if there is room. Throws `StoreFullError`, and rejects with `MemoryFullError`. */
  grow(bytes: number): Promise<void> | undefined {
    this.#count(bytes);
    this.#bytes += bytes;
    return this.#lease.cover(this.#bytes);
  }

  /** Ends a complete blob. Returns the lease of its bytes until they are stored. */
  finish(): MemoryLease {
    this.#count(-this.#bytes);
    this.#bytes = 0;
    return this.#lease;
  }

  [Symbol.dispose](): void {
    this.#count(-this.#bytes);
    this.#lease[Symbol.dispose]();
  }
}

function isPinned({ names, readers }: Held): boolean {
  return names > 0 || readers > 0;
}

function sizeOf(blocks: Blocks): number {
  const last = blocks.at(-1);
  return last === undefined ? 0 : (blocks.length - 1) * BLOCK_BYTES + last.length;
}

/** Yields the bytes from `at` on. If the reader breaks off, it may still use the last chunk. */
function* lent(held: Held, at: number): Generator<Uint8Array> {
  held.views++;
  for (let from = at; from < held.ref.size;) {
    const chunk = longView(held.blocks, from, Math.min(LENT_BYTES, held.ref.size - from));
    from += chunk.length;
    yield chunk;
  }
  held.views--;
}

/** Views of stored bytes: readers do not change them, and a copy would cost as much as sending. */
function toSource(blocks: Blocks, start: number, end: number): ByteSource {
  let at = start;
  return {
    size: Math.max(0, end - start),
    next(mostBytes) {
      if (at >= end) return undefined;
      const bytes = longView(blocks, at, Math.min(mostBytes, end - at));
      at += bytes.length;
      return bytes;
    },
    close() {},
  };
}

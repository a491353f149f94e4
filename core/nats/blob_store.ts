import {
  type BlobAbout,
  type BlobReader,
  type BlobRef,
  type BlobSource,
  type BlobStore,
  type OpenedBlob,
  openedBlob,
} from "../blobs/blob.ts";
import { type ByteSource, chunksOf } from "../byte_source.ts";
import { reasonOf } from "../errors.ts";
import { timeOfId } from "../ids.ts";
import type { Logger } from "../log.ts";
import type { Memory } from "../memory/budget.ts";
import type { MemoryLease } from "../memory/lease.ts";
import { within } from "../net/within.ts";
import type { Engine } from "./engine.ts";
import { CHUNK_BYTES, ChunkGoneError, Chunks, TRANSFER_BYTES } from "./chunks.ts";

/** Readers of removed bytes may finish for this time, in milliseconds. */
const GRACE_MS = 60_000;
/** Interval of removals, in milliseconds. */
const ROUND_MS = 5000;
/** Maximum time for removals when the store is closed, in milliseconds. */
const CLOSE_MS = 2000;
/** Number of blobs removed at a time. */
const AT_A_TIME = 16;
/** Age, in milliseconds, after which unreferenced bytes are orphaned: an upload may take hours. */
const LEFT_OVER_MS = 86_400_000;

/** Options of the store. */
export interface NatsBlobOptions {
  readonly chunks: Chunks;
  readonly nextId: () => string;
  /** Budget for bytes on their way. */
  readonly memory: Memory;
  readonly log: Logger;
}

/**
 * Stores blobs in a stream that several instances share. The state of the plugin says which blobs there are; a blob that
 * another instance stored is adopted before it is read.
 */
export class NatsBlobStore implements BlobStore, AsyncDisposable {
  readonly freeBytes = Infinity;
  readonly #options: NatsBlobOptions;
  readonly #held = new Map<string, { readonly ref: BlobRef; names: number }>();
  readonly #removed: { readonly id: string; readonly ms: number }[] = [];
  readonly #timer: ReturnType<typeof setInterval>;
  #round: Promise<void> | undefined;

  /** Use `openNatsBlobs`. */
  constructor(options: NatsBlobOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#clean(GRACE_MS), ROUND_MS);
    Deno.unrefTimer(this.#timer);
  }

  async put(source: BlobSource, about: BlobAbout = {}): Promise<BlobRef> {
    const id = this.#options.nextId();
    const { memory } = this.#options;
    using lease = memory.lease();
    await lease.cover(Math.min(TRANSFER_BYTES, sizeOf(source)));
    const size = await this.#options.chunks.store(id, chunksFrom(source));
    const ref: BlobRef = { ...about, id, size };
    this.#held.set(id, { ref, names: 1 });
    return ref;
  }

  adopt(ref: BlobRef): void {
    if (!this.#held.has(ref.id)) this.#held.set(ref.id, { ref, names: 0 });
  }

  get(id: string): BlobRef | undefined {
    return this.#held.get(id)?.ref;
  }

  async open(
    id: string,
    range?: { start: number; end: number },
  ): Promise<OpenedBlob | undefined> {
    const ref = this.get(id);
    if (ref === undefined) return undefined;
    const start = range?.start ?? 0;
    const end = Math.min(ref.size, (range?.end ?? ref.size - 1) + 1);
    const lease = this.#options.memory.lease();
    try {
      await lease.cover(Math.min(TRANSFER_BYTES, Math.max(0, end - start)));
      const source = await this.#options.chunks.open({ name: id, size: ref.size }, { start, end });
      if (source !== undefined) {
        return openedBlob(ref, leased(source, lease), { chunkBytes: CHUNK_BYTES });
      }
    } catch (error) {
      lease[Symbol.dispose]();
      throw error;
    }
    lease[Symbol.dispose]();
    return undefined;
  }

  async read(id: string, at: number, length: number): Promise<Uint8Array | undefined> {
    const parts = await this.readParts(id, at, length);
    return parts && (parts.length === 1 ? parts[0] : await new Blob([...parts]).bytes());
  }

  async readParts(
    id: string,
    at: number,
    length: number,
  ): Promise<readonly Uint8Array<ArrayBuffer>[] | undefined> {
    const opened = await this.open(id, { start: at, end: at + length - 1 });
    if (opened === undefined) return undefined;
    const parts: Uint8Array<ArrayBuffer>[] = [];
    try {
      for (;;) {
        const part = await opened.source.next(CHUNK_BYTES);
        if (part === undefined) return parts;
        parts.push(part);
      }
    } finally {
      opened.source.close();
    }
  }

  /** Bytes on another machine cannot be read without waiting. */
  reader(id: string): BlobReader | undefined {
    if (this.get(id) === undefined) return undefined;
    throw new RangeError(`Cannot read blob "${id}" at once: it is in NATS`);
  }

  async concat(ids: readonly string[], about?: BlobAbout): Promise<BlobRef | undefined> {
    if (!ids.every((id) => this.#held.has(id))) return undefined;
    try {
      return await this.put(ReadableStream.from(this.#join(ids)), about);
    } catch (error) {
      if (error instanceof ChunkGoneError) return undefined;
      throw error;
    }
  }

  /** Each blob is opened when its turn comes. */
  async *#join(ids: readonly string[]): AsyncGenerator<Uint8Array> {
    for (const id of ids) {
      const opened = await this.open(id);
      if (opened === undefined) throw new ChunkGoneError(`No blob has the id "${id}"`);
      yield* opened.body;
    }
  }

  /** What fits is only known to the servers. */
  expectBytes(): void {}

  retain(id: string): void {
    const held = this.#held.get(id);
    if (held !== undefined) held.names++;
  }

  release(id: string): void {
    const held = this.#held.get(id);
    if (held !== undefined && --held.names <= 0) this.#held.delete(id);
  }

  /** The chunks are deleted a little later, because another instance may be sending them. */
  remove(id: string): Promise<void> {
    if (this.#held.delete(id)) this.#removed.push({ id, ms: performance.now() });
    return Promise.resolve();
  }

  /** Removes, in the background, orphans of an instance that ended too early. */
  prune(): void {
    this.#removeLeftOver().catch((error) =>
      this.#options.log.debug("Cannot look for unreferenced bytes", {
        reason: reasonOf(error),
      })
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.#round;
    this.#clean(0);
    // The rest is orphaned, and removed later.
    await within(this.#round ?? Promise.resolve(), CLOSE_MS, "").catch(() => {});
  }

  async #removeLeftOver(): Promise<void> {
    for (const id of await this.#options.chunks.names()) {
      if (this.#held.has(id) || timeOfId(id) > Date.now() - LEFT_OVER_MS) continue;
      this.#removed.push({ id, ms: performance.now() });
    }
  }

  #clean(graceMs: number): void {
    this.#round ??= this.#removeChunks(performance.now() - graceMs).catch((error) =>
      this.#options.log.debug("Cannot remove bytes in NATS; the next round tries again", {
        reason: reasonOf(error),
      })
    ).finally(() => this.#round = undefined);
  }

  async #removeChunks(beforeMs: number): Promise<void> {
    for (;;) {
      const due = this.#removed.slice(0, AT_A_TIME).filter(({ ms }) => ms <= beforeMs);
      if (due.length === 0) return;
      await Promise.all(due.map(({ id }) => this.#options.chunks.remove(id)));
      this.#removed.splice(0, due.length);
    }
  }
}

/** Returns the size if it is known in advance. */
function sizeOf(source: BlobSource): number {
  if (source instanceof ReadableStream) return Infinity;
  if (source instanceof Uint8Array) return source.length;
  return "read" in source ? source.size : source.reduce((sum, { length }) => sum + length, 0);
}

/** Holds the memory of a transfer until it is over. */
function leased(source: ByteSource, lease: MemoryLease): ByteSource {
  let isOpen = true;
  return {
    size: source.size,
    next: (mostBytes) => source.next(mostBytes),
    close() {
      source.close();
      if (isOpen) lease[Symbol.dispose]();
      isOpen = false;
    },
  };
}

async function* chunksFrom(source: BlobSource): AsyncGenerator<Uint8Array> {
  if (source instanceof Uint8Array) yield source;
  else if ("read" in source) {
    let size = 0;
    for await (const chunk of chunksOf(source, CHUNK_BYTES)) {
      size += chunk.length;
      yield chunk;
    }
    if (size < source.size) throw new RangeError(`Cannot store ${size} of ${source.size} bytes`);
  } else yield* source;
}

/** Opens the store of a plugin, and creates its stream if it is missing. Rejects with `ConfigError`. */
export async function openNatsBlobs(
  engine: Engine,
  { plugin, ...options }: Omit<NatsBlobOptions, "chunks"> & { readonly plugin: string },
): Promise<NatsBlobStore> {
  const { bytesStream: stream, bytes: prefix } = engine.names.shared(plugin);
  const chunks = new Chunks(engine, { stream, prefix });
  await engine.ensureStream(chunks.shape("Bytes of objects, shared by instances of Standin"));
  return new NatsBlobStore({ ...options, chunks });
}

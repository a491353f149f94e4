import { StoreFullError } from "../errors.ts";
import type { BlobAbout, BlobRef, BlobStore, OpenedBlob } from "./blob.ts";

interface Held {
  readonly ref: BlobRef;
  readonly bytes: Uint8Array<ArrayBuffer>;
  names: number;
}

/** Bytes handed to a reader at a time. */
const CHUNK = 65_536;

/** Keeps blobs in memory, up to a number of bytes over all of them. */
export class MemoryBlobStore implements BlobStore {
  /** In order of arrival. */
  readonly #held = new Map<string, Held>();
  readonly #maxBytes: number;
  readonly #nextId: () => string;
  readonly #onDrop: (count: number, bytes: number) => void;
  #bytes = 0;
  /** Bytes of blobs that somebody names; these are never dropped. */
  #named = 0;
  /** Bytes read so far from streams that have not ended. */
  #pending = 0;

  constructor(options: {
    maxBytes: number;
    nextId: () => string;
    /** Called when blobs nobody names made room for new ones. */
    onDrop: (count: number, bytes: number) => void;
  }) {
    this.#maxBytes = options.maxBytes;
    this.#nextId = options.nextId;
    this.#onDrop = options.onDrop;
  }

  /** Bytes held at this moment. */
  get bytes(): number {
    return this.#bytes;
  }

  async put(
    bytes: Uint8Array | ReadableStream<Uint8Array>,
    about: BlobAbout = {},
  ): Promise<BlobRef> {
    // A copy: the caller's bytes may be a view on a buffer that is much larger, or used again.
    const own = bytes instanceof Uint8Array ? this.#copy(bytes) : await this.#collect(bytes);
    this.#makeRoom(own.length);
    const ref: BlobRef = { id: this.#nextId(), size: own.length, ...about };
    this.#held.set(ref.id, { ref, bytes: own, names: 1 });
    this.#bytes += own.length;
    this.#named += own.length;
    return ref;
  }

  get(id: string): BlobRef | undefined {
    return this.#held.get(id)?.ref;
  }

  open(id: string, range?: { start: number; end: number }): Promise<OpenedBlob | undefined> {
    const held = this.#held.get(id);
    if (held === undefined) return Promise.resolve(undefined);
    const part = range === undefined ? held.bytes : held.bytes.subarray(range.start, range.end + 1);
    return Promise.resolve({ ref: held.ref, body: toStream(part) });
  }

  read(id: string, at: number, length: number): Promise<Uint8Array | undefined> {
    return Promise.resolve(this.#held.get(id)?.bytes.subarray(at, at + length));
  }

  retain(id: string): void {
    const held = this.#held.get(id);
    if (held === undefined) return;
    if (held.names++ === 0) this.#named += held.bytes.length;
  }

  release(id: string): void {
    const held = this.#held.get(id);
    if (held === undefined || held.names === 0) return;
    if (--held.names === 0) this.#named -= held.bytes.length;
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
    this.#bytes -= held.bytes.length;
    if (held.names > 0) this.#named -= held.bytes.length;
  }

  #makeRoom(size: number): void {
    this.#checkFits(size);
    if (this.#bytes + size <= this.#maxBytes) return;
    let count = 0;
    const before = this.#bytes;
    for (const [id, held] of this.#held) {
      if (held.names > 0) continue;
      this.#drop(id);
      count++;
      if (this.#bytes + size <= this.#maxBytes) break;
    }
    if (count > 0) this.#onDrop(count, before - this.#bytes);
  }

  /** Looks before anything is dropped, so that a refusal costs nobody their bytes. */
  #checkFits(size: number): void {
    if (this.#named + this.#pending + size > this.#maxBytes) throw this.#full(size);
  }

  #copy(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
    this.#checkFits(bytes.length);
    return bytes.slice() as Uint8Array<ArrayBuffer>;
  }

  /** Reads a stream to its end, giving up as soon as it cannot fit. */
  async #collect(stream: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
    const chunks: Uint8Array[] = [];
    let size = 0;
    try {
      for await (const chunk of stream) {
        this.#checkFits(chunk.length);
        this.#pending += chunk.length;
        size += chunk.length;
        chunks.push(chunk);
      }
    } finally {
      this.#pending -= size;
    }
    const whole = new Uint8Array(size);
    let at = 0;
    for (const chunk of chunks) {
      whole.set(chunk, at);
      at += chunk.length;
    }
    return whole;
  }

  #full(size: number): StoreFullError {
    return new StoreFullError(
      `Cannot keep ${size} more bytes: the blob store is full with bytes still in use ` +
        `(blob_limit is ${this.#maxBytes}); delete events or files, or raise [storage] blob_limit`,
    );
  }
}

function toStream(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      // A view: whoever reads a blob does not change it, and a copy would cost as much as sending it.
      if (at < bytes.length) controller.enqueue(bytes.subarray(at, at + CHUNK));
      at += CHUNK;
      if (at >= bytes.length) controller.close();
    },
  });
}

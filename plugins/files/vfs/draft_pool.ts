import type { BlobStore } from "../../../core/blobs/blob.ts";
import { StoreFullError } from "../../../core/errors.ts";
import { type Memory, unboundedMemory } from "../../../core/memory/budget.ts";
import { VfsError } from "./errors.ts";

/** The store that receives the files later. */
type DraftStore = Pick<BlobStore, "expectBytes" | "takeSpare">;

/** Limits the bytes of all unfinished files together. */
export class DraftPool {
  /** Memory budget of each. */
  readonly memory: Memory;
  readonly #maxBytes: number;
  readonly #store: DraftStore | undefined;
  #bytes = 0;
  /** Bytes that will go to the store. */
  #expected = 0;

  /** The free space of the store is checked meanwhile. */
  constructor(
    maxBytes: number,
    memory: Memory = unboundedMemory(),
    store?: DraftStore,
  ) {
    this.#maxBytes = maxBytes;
    this.memory = memory;
    this.#store = store;
  }

  /** Bytes held now. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Returns an unused buffer of `SPARE_BYTES`, with arbitrary content. */
  takeSpare(): Uint8Array<ArrayBuffer> | undefined {
    return this.#store?.takeSpare?.();
  }

  /** Throws `VfsError` "no_space". */
  take(bytes: number): void {
    if (this.#bytes + bytes > this.#maxBytes) {
      throw new VfsError(
        "no_space",
        `Cannot accept more bytes: unfinished uploads already hold ${this.#bytes}`,
      );
    }
    this.#bytes += bytes;
  }

  give(bytes: number): void {
    this.#bytes -= bytes;
  }

  /** Reserves or releases bytes of the store. Throws `VfsError` "no_space", for more bytes only. */
  expect(more: number, options?: { readonly shrink: boolean }): void {
    try {
      this.#store?.expectBytes(this.#expected + more, options);
    } catch (error) {
      if (!(error instanceof StoreFullError)) throw error;
      if (more > 0) throw new VfsError("no_space", error.message);
    }
    this.#expected += more;
  }
}

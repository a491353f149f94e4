import type { BlobStore } from "../../../core/blobs/blob.ts";
import { StoreFullError } from "../../../core/errors.ts";
import { type Memory, unboundedMemory } from "../../../core/memory/budget.ts";
import { VfsError } from "./errors.ts";

/** Bounds what all unfinished files may hold together. */
export class DraftPool {
  /** What each of them takes its memory from. */
  readonly memory: Memory;
  readonly #maxBytes: number;
  readonly #store: Pick<BlobStore, "expectBytes"> | undefined;
  #bytes = 0;
  /** Bytes that are to be kept in the store. */
  #expected = 0;

  /** `store` is where the files go; it is asked for room while they come. */
  constructor(
    maxBytes: number,
    memory: Memory = unboundedMemory(),
    store?: Pick<BlobStore, "expectBytes">,
  ) {
    this.#maxBytes = maxBytes;
    this.memory = memory;
    this.#store = store;
  }

  /** Bytes held at this moment. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Throws `VfsError` "no_space". */
  take(bytes: number): void {
    if (this.#bytes + bytes > this.#maxBytes) {
      throw new VfsError(
        "no_space",
        `Cannot take more bytes: unfinished uploads already hold ${this.#bytes}`,
      );
    }
    this.#bytes += bytes;
  }

  give(bytes: number): void {
    this.#bytes -= bytes;
  }

  /** So many bytes more, or less, are to be kept. Throws `VfsError` "no_space", for more only. */
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

import type { BlobStore } from "../../../core/blobs/blob.ts";

/** How many objects and parts name a blob: a copy shares the bytes of its source. */
export class BlobNames {
  readonly #blobs: BlobStore;
  readonly #names = new Map<string, number>();

  constructor(blobs: BlobStore) {
    this.#blobs = blobs;
  }

  /** A name for a blob that was kept. */
  retain(blob: string): void {
    this.#blobs.retain(blob);
    this.add(blob);
  }

  /** A name for a blob that is retained already. */
  add(blob: string): void {
    this.#names.set(blob, (this.#names.get(blob) ?? 0) + 1);
  }

  /** One name less for each. The bytes go with the last object or part that names them. */
  async free(blobs: readonly string[]): Promise<void> {
    const unnamed = blobs.filter((blob) => {
      const names = (this.#names.get(blob) ?? 1) - 1;
      if (names === 0) return this.#names.delete(blob) || true;
      this.#names.set(blob, names);
      this.#blobs.release(blob);
      return false;
    });
    await Promise.all(unnamed.map((blob) => this.#blobs.remove(blob)));
  }
}

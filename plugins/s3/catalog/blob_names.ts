import type { BlobRef, BlobStore } from "../../../core/blobs/blob.ts";

/** Counts how many objects and parts refer to a blob: a copy shares the bytes of its source. */
export class BlobNames {
  readonly #blobs: BlobStore;
  readonly #names = new Map<string, number>();
  /** By requests that may store something that refers to it. */
  readonly #holds = new Map<string, number>();

  constructor(blobs: BlobStore) {
    this.#blobs = blobs;
  }

  /** Returns whether an object or part refers to it. */
  has(blob: string): boolean {
    return this.#names.has(blob);
  }

  /** Adds a reference to a stored blob. */
  retain(blob: BlobRef): void {
    this.#blobs.adopt?.(blob);
    this.#blobs.retain(blob.id);
    count(this.#names, blob.id, 1);
  }

  /** Counts the reference of a request to a blob that it has retained. */
  hold(blob: string): void {
    count(this.#holds, blob, 1);
  }

  /** Ends `hold`. The bytes go if nothing refers to them, unless they `stay`. */
  async unhold(blob: string, { stay = false } = {}): Promise<void> {
    count(this.#holds, blob, -1);
    if (stay) this.#blobs.release(blob);
    else await this.#letGo(blob);
  }

  /** Removes one reference from each. The bytes go with the last reference. */
  async free(blobs: readonly string[]): Promise<void> {
    await Promise.all(blobs.filter((blob) => this.#drop(blob)).map((blob) => this.#letGo(blob)));
  }

  /** Removes one reference from each; another instance removes the bytes. */
  forget(blobs: readonly string[]): void {
    for (const blob of blobs) if (this.#drop(blob)) this.#blobs.release(blob);
  }

  #drop(blob: string): boolean {
    if (!this.#names.has(blob)) return false;
    count(this.#names, blob, -1);
    return true;
  }

  async #letGo(blob: string): Promise<void> {
    if (this.#names.has(blob) || this.#holds.has(blob)) this.#blobs.release(blob);
    else await this.#blobs.remove(blob);
  }
}

function count(counts: Map<string, number>, blob: string, more: number): void {
  const left = (counts.get(blob) ?? 0) + more;
  if (left > 0) counts.set(blob, left);
  else counts.delete(blob);
}

import type { BlobRef } from "../blobs/blob.ts";
import type { MemoryBlobStore } from "../blobs/memory.ts";
import { sourceStream } from "../byte_source.ts";
import { StoreFullError } from "../errors.ts";
import type { Engine } from "./engine.ts";
import { CHUNK_BYTES, ChunkGoneError } from "./chunks.ts";

/** Copies attachments between the memory of this instance and NATS, chunk by chunk. */
export class Attachments {
  readonly #engine: Engine;
  readonly #blobs: MemoryBlobStore;
  /** Those that NATS has, or is receiving. */
  readonly #stored = new Map<string, Promise<void>>();

  constructor(engine: Engine, blobs: MemoryBlobStore) {
    this.#engine = engine;
    this.#blobs = blobs;
  }

  /** References of attachments held here; a plugin may store its own. */
  refsOf(ids: readonly string[]): readonly BlobRef[] {
    return ids.flatMap((id) => this.#blobs.get(id) ?? []);
  }

  /** Resolves once NATS has them; `undefined` if it already has. */
  store(refs: readonly BlobRef[]): Promise<unknown> | undefined {
    return refs.length === 0 ? undefined : Promise.all(refs.map((ref) => this.#storeOne(ref)));
  }

  #storeOne({ id }: BlobRef): Promise<void> {
    const known = this.#stored.get(id);
    if (known !== undefined) return known;
    const storing = this.#put(id);
    this.#stored.set(id, storing);
    storing.catch(() => this.#stored.delete(id));
    return storing;
  }

  async #put(id: string): Promise<void> {
    const opened = await this.#blobs.open(id);
    if (opened !== undefined) await this.#engine.objects.store(id, opened.body);
  }

  /** Returns whether an event here still refers to it, or is about to. */
  has(id: string): boolean {
    return this.#stored.has(id);
  }

  /** References attachments for events from other instances, once per id. Returns how many did not fit. */
  async takeAll(ids: readonly string[], refs: readonly BlobRef[]): Promise<number> {
    const refOf = new Map(refs.map((ref) => [ref.id, ref]));
    const taken: string[] = [];
    let absent = 0;
    try {
      for (const id of ids) {
        const ref = refOf.get(id);
        // A plugin may store its own bytes.
        if (ref === undefined) continue;
        if (await this.#take(ref)) taken.push(id);
        else absent++;
      }
    } catch (error) {
      for (const id of taken) this.#blobs.release(id);
      throw error;
    }
    return absent;
  }

  async #take(ref: BlobRef): Promise<boolean> {
    const { id } = ref;
    if (this.#blobs.get(id) !== undefined) {
      this.#blobs.retain(id);
      return true;
    }
    const found = await this.#engine.objects.open({ name: id, size: ref.size });
    if (found === undefined) return false;
    try {
      await this.#blobs.restoreFrom(ref, sourceStream(found, CHUNK_BYTES));
      this.#stored.set(id, Promise.resolve());
      return true;
    } catch (error) {
      if (error instanceof StoreFullError || error instanceof ChunkGoneError) return false;
      throw error;
    }
  }

  /** No event refers to it. */
  forget(ids: readonly string[]): void {
    for (const id of ids) this.#stored.delete(id);
  }
}

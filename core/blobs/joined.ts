import type { Blocks } from "../bytes/blocks.ts";
import type {
  BlobAbout,
  BlobLoan,
  BlobReader,
  BlobRef,
  BlobSource,
  BlobStore,
  BorrowedBlob,
  LentParts,
  OpenedBlob,
  PutOptions,
} from "./blob.ts";

/** Several stores as one: `put` goes to the first, ids are looked up in all. */
export class JoinedBlobStore implements BlobStore {
  readonly #first: BlobStore;
  readonly #stores: BlobStore[];

  constructor(first: BlobStore) {
    this.#first = first;
    this.#stores = [first];
  }

  get freeBytes(): number {
    return this.#first.freeBytes;
  }

  expectBytes(bytes: number, options?: { readonly shrink?: boolean }): void {
    this.#first.expectBytes(bytes, options);
  }

  /** Adds a store. */
  join(store: BlobStore): void {
    this.#stores.push(store);
  }

  put(source: BlobSource, about?: BlobAbout, options?: PutOptions): Promise<BlobRef> {
    return this.#first.put(source, about, options);
  }

  putAtOnce(blocks: Blocks, about?: BlobAbout, options?: PutOptions): BlobRef | undefined {
    return this.#first.putAtOnce?.(blocks, about, options);
  }

  get(id: string): BlobRef | undefined {
    return this.#of(id).get(id);
  }

  open(id: string, range?: { start: number; end: number }): Promise<OpenedBlob | undefined> {
    return this.#of(id).open(id, range);
  }

  read(id: string, at: number, length: number): Promise<Uint8Array | undefined> {
    return this.#of(id).read(id, at, length);
  }

  readParts(
    id: string,
    at: number,
    length: number,
  ): Promise<readonly Uint8Array[] | undefined> {
    return this.#of(id).readParts(id, at, length);
  }

  reader(id: string): BlobReader | undefined {
    return this.#of(id).reader(id);
  }

  lend(id: string, at: number): BlobLoan | undefined {
    return this.#of(id).lend?.(id, at);
  }

  lendParts(id: string, at: number, length: number): LentParts | undefined {
    return this.#of(id).lendParts?.(id, at, length);
  }

  borrow(id: string): BorrowedBlob | undefined {
    return this.#of(id).borrow?.(id);
  }

  own(id: string): void {
    this.#of(id).own?.(id);
  }

  takeSpare(): Uint8Array<ArrayBuffer> | undefined {
    return this.#first.takeSpare?.();
  }

  concat(ids: readonly string[], about?: BlobAbout): Promise<BlobRef | undefined> {
    return this.#of(ids[0] ?? "").concat(ids, about);
  }

  retain(id: string): void {
    this.#of(id).retain(id);
  }

  release(id: string): void {
    this.#of(id).release(id);
  }

  remove(id: string): Promise<void> {
    return this.#of(id).remove(id);
  }

  prune(): void {
    for (const store of this.#stores) store.prune();
  }

  #of(id: string): BlobStore {
    return this.#stores.find((store) => store.get(id) !== undefined) ?? this.#first;
  }
}

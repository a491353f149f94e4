import type { BlobRef, BlobStore } from "../../../core/blobs/blob.ts";
import { compareKeys } from "../codec/order.ts";
import { S3Error } from "../errors.ts";
import { Bucket } from "./bucket.ts";
import type { CatalogLimits, Completion, StoredObject, UploadPart } from "./model.ts";
import { Upload, type UploadStart } from "./upload.ts";

/** Completed uploads that are remembered, so that a repeated completion gets the same answer. */
const MAX_COMPLETED = 1000;

/** Numbers over the whole catalog. */
export interface CatalogStats {
  readonly buckets: number;
  readonly objects: number;
  readonly bytes: number;
  readonly active_uploads: number;
  readonly parts: number;
  readonly part_bytes: number;
}

const NO_LIMITS: CatalogLimits = {
  maxBuckets: Infinity,
  maxObjects: Infinity,
  maxUploads: Infinity,
  maxParts: Infinity,
};

/**
 * Buckets, objects and uploads. Every change happens at once, between two awaits; what is awaited behind it is only
 * the end of bytes that nothing names any more. Whoever hands over a blob has retained it once.
 */
export class Catalog {
  readonly blobs: BlobStore;
  readonly now: () => Date;
  #limits = NO_LIMITS;
  readonly #buckets = new Map<string, Bucket>();
  readonly #uploads = new Map<string, Upload>();
  readonly #completed = new Map<string, Completion>();
  /** How many objects name a blob: a copy shares the bytes of its source. */
  readonly #names = new Map<string, number>();
  #objects = 0;
  #parts = 0;

  constructor(options: { blobs: BlobStore; now: () => Date }) {
    this.blobs = options.blobs;
    this.now = options.now;
  }

  /** Sets the limits, once the settings are known. */
  limit(limits: CatalogLimits): void {
    this.#limits = limits;
  }

  get stats(): CatalogStats {
    let [bytes, partBytes] = [0, 0];
    for (const bucket of this.#buckets.values()) bytes += bucket.bytes;
    for (const upload of this.#uploads.values()) {
      for (const part of upload.parts.values()) partBytes += part.size;
    }
    return {
      buckets: this.#buckets.size,
      objects: this.#objects,
      bytes,
      active_uploads: this.#uploads.size,
      parts: this.#parts,
      part_bytes: partBytes,
    };
  }

  /** By name. */
  buckets(): readonly Bucket[] {
    return [...this.#buckets.values()].sort((a, b) => compareKeys(a.name, b.name));
  }

  /** Throws `NoSuchBucket`. */
  bucket(name: string): Bucket {
    const bucket = this.#buckets.get(name);
    return bucket ?? this.#goneBucket(name);
  }

  /** Throws `NoSuchKey`. */
  object(bucket: Bucket, key: string): StoredObject {
    const object = bucket.get(key);
    if (object === undefined) {
      throw new S3Error("NoSuchKey", `Cannot find key "${key}" in bucket "${bucket.name}"`);
    }
    return object;
  }

  /** Whether it was made; one that exists stays as it is. The name has been checked. */
  createBucket(name: string, { region = "" }: { region?: string } = {}): boolean {
    if (this.#buckets.has(name)) return false;
    if (this.#buckets.size >= this.#limits.maxBuckets) this.#full("buckets", "max_buckets");
    this.#buckets.set(name, new Bucket(name, { created: this.now(), region }));
    return true;
  }

  /** Throws `BucketNotEmpty`. Its open uploads go with it. */
  async deleteBucket(bucket: Bucket): Promise<void> {
    if (bucket.size > 0) {
      throw new S3Error(
        "BucketNotEmpty",
        `Cannot delete bucket "${bucket.name}": it holds ${bucket.size} objects`,
      );
    }
    this.#buckets.delete(bucket.name);
    const uploads = this.uploadsOf(bucket.name);
    await Promise.all(uploads.map((upload) => this.#end(upload)));
  }

  /** Throws when another object would be one too many. */
  checkRoom(bucket: Bucket, key: string): void {
    if (bucket.get(key) !== undefined || this.#objects < this.#limits.maxObjects) return;
    this.#full("objects", "max_objects");
  }

  /**
   * Puts an object in place; its blob is the catalog's from here on, also when it is refused, which happens when the
   * bucket has gone, when there are too many objects, and when `check` throws.
   */
  async put(
    bucket: Bucket,
    object: StoredObject,
    check: (old: StoredObject | undefined) => void = () => {},
  ): Promise<void> {
    this.#name(object.blob.id);
    let freed = object.blob.id;
    try {
      if (this.#buckets.get(bucket.name) !== bucket) this.#goneBucket(bucket.name);
      check(bucket.get(object.key));
      this.checkRoom(bucket, object.key);
      const old = bucket.set(object);
      if (old === undefined) this.#objects++;
      freed = old?.blob.id ?? "";
    } finally {
      await this.#free(freed);
    }
  }

  /** Takes an object out. Returns it, or nothing when there was none. */
  async delete(bucket: Bucket, key: string): Promise<StoredObject | undefined> {
    const object = bucket.delete(key);
    if (object === undefined) return undefined;
    this.#objects--;
    await this.#free(object.blob.id);
    return object;
  }

  /**
   * A further name for bytes that are there, for an object that is put before anything else is awaited. Throws
   * `NoSuchKey` when they have gone.
   */
  share({ blob }: { blob: BlobRef }): BlobRef {
    if (this.blobs.get(blob.id) === undefined) {
      throw new S3Error("NoSuchKey", "Cannot use the bytes of an object that was just deleted");
    }
    this.blobs.retain(blob.id);
    return blob;
  }

  createUpload(start: UploadStart): Upload {
    if (this.#uploads.size >= this.#limits.maxUploads) {
      this.#full("multipart uploads", "max_active_uploads");
    }
    const id = crypto.randomUUID().replaceAll("-", "");
    const upload = new Upload(id, { start, initiated: this.now() });
    this.#uploads.set(id, upload);
    return upload;
  }

  /** Throws `NoSuchUpload`, also for the upload of another key. */
  upload(id: string, { bucket, key }: { bucket: string; key: string }): Upload {
    const upload = this.#uploads.get(id);
    if (upload?.start.bucket !== bucket || upload.start.key !== key) {
      throw new S3Error(
        "NoSuchUpload",
        `Cannot find multipart upload "${id}" of this key: it was completed, aborted or never created`,
      );
    }
    return upload;
  }

  /** What a completed upload was answered with, while that is remembered. */
  completion(id: string): Completion | undefined {
    return this.#completed.get(id);
  }

  /** Uploads under way, in the order of their keys, then of their creation. */
  uploadsOf(bucket?: string): readonly Upload[] {
    return [...this.#uploads.values()]
      .filter(({ start }) => bucket === undefined || start.bucket === bucket)
      .sort((a, b) => compareKeys(a.start.key, b.start.key));
  }

  /** Throws when another part would be one too many. */
  checkPartRoom(upload: Upload, number: number): void {
    if (upload.parts.has(number) || this.#parts < this.#limits.maxParts) return;
    this.#full("parts", "max_parts");
  }

  /** Keeps a part; its blob is the catalog's from here on, also when the upload has gone meanwhile. */
  async putPart(upload: Upload, part: UploadPart): Promise<void> {
    this.#name(part.blob.id);
    let freed = part.blob.id;
    try {
      this.upload(upload.id, upload.start);
      this.checkPartRoom(upload, part.number);
      const old = upload.parts.get(part.number);
      upload.parts.set(part.number, part);
      if (old === undefined) this.#parts++;
      freed = old?.blob.id ?? "";
    } finally {
      await this.#free(freed);
    }
  }

  /** Ends an upload: what was sent of it goes. */
  async abort(upload: Upload): Promise<void> {
    await this.#end(upload);
  }

  /** Ends an upload whose object is in place. */
  async complete(upload: Upload, completion: Completion): Promise<void> {
    this.#completed.set(upload.id, completion);
    for (const id of this.#completed.keys()) {
      if (this.#completed.size <= MAX_COMPLETED) break;
      this.#completed.delete(id);
    }
    await this.#end(upload);
  }

  /** Everything goes but the uploads that a request is at work on. */
  async clear(): Promise<void> {
    const objects = this.buckets().flatMap((bucket) => [...bucket.objects()]);
    const idle = this.uploadsOf().filter((upload) => !upload.busy);
    this.#buckets.clear();
    this.#completed.clear();
    this.#objects = 0;
    await Promise.all([
      ...objects.map((object) => this.#free(object.blob.id)),
      ...idle.map((upload) => this.#end(upload)),
    ]);
  }

  async #end(upload: Upload): Promise<void> {
    if (!this.#uploads.delete(upload.id)) return;
    this.#parts -= upload.parts.size;
    await Promise.all([...upload.parts.values()].map((part) => this.#free(part.blob.id)));
  }

  #name(blob: string): void {
    this.#names.set(blob, (this.#names.get(blob) ?? 0) + 1);
  }

  /** The bytes go with the last object that names them. */
  async #free(blob: string): Promise<void> {
    if (blob === "") return;
    const names = (this.#names.get(blob) ?? 1) - 1;
    if (names > 0) {
      this.#names.set(blob, names);
      this.blobs.release(blob);
      return;
    }
    this.#names.delete(blob);
    await this.blobs.remove(blob);
  }

  #goneBucket(name: string): never {
    throw new S3Error("NoSuchBucket", `Cannot find bucket "${name}": create it first`);
  }

  #full(what: string, option: string): never {
    throw new S3Error(
      "ServiceUnavailable",
      `Cannot keep more ${what}: delete some, or raise ${option} under [plugins.s3.providers.http]`,
    );
  }
}

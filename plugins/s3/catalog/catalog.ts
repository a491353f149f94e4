import type { BlobRef, BlobStore } from "../../../core/blobs/blob.ts";
import { compact } from "../../../core/compact.ts";
import type { CannedAcl } from "../codec/acl.ts";
import { compareKeys } from "../codec/order.ts";
import { S3Error } from "../errors.ts";
import { Bucket } from "./bucket.ts";
import { type Change, type Journal, type KeptCatalog, NO_JOURNAL } from "./journal.ts";
import type { CatalogLimits, Completion, StoredObject, Tag, UploadPart } from "./model.ts";
import type { SettingName } from "./settings.ts";
import { Upload, type UploadStart } from "./upload.ts";

/** Completed uploads that are remembered, so that a repeated completion gets the same answer. */
const MAX_COMPLETED = 1000;

/** Most characters of all that is configured of buckets. */
const MAX_SETTINGS_LENGTH = 16_777_216;

/** Numbers over the whole catalog. */
export interface CatalogStats {
  readonly buckets: number;
  readonly objects: number;
  readonly bytes: number;
  readonly active_uploads: number;
  readonly parts: number;
  readonly part_bytes: number;
}

/** What a new bucket is asked to be. */
export interface NewBucket {
  /** Location constraint; none unless given. */
  readonly region?: string;
  readonly acl?: CannedAcl | undefined;
}

/** More goes than comes: a full disk takes it. */
const FREES = { frees: true };

const NO_LIMITS: CatalogLimits = {
  maxBuckets: Infinity,
  maxObjects: Infinity,
  maxUploads: Infinity,
  maxParts: Infinity,
};

/** What a catalog is opened with. */
export interface CatalogOptions {
  readonly blobs: BlobStore;
  readonly now: () => Date;
  /** Where ids of uploads come from; the platform unless given. */
  readonly uuid?: () => string;
  /** Keeps changes; nobody does unless given. */
  readonly journal?: Journal;
  /** What was kept earlier; its blobs are retained here. */
  readonly kept?: KeptCatalog;
}

/**
 * Buckets, objects and uploads. Every change happens at once, between two awaits: it is kept, then it is there; what is
 * awaited behind it is only the end of bytes that nothing names any more. Whoever hands over a blob has retained it once.
 */
export class Catalog {
  readonly blobs: BlobStore;
  readonly now: () => Date;
  /** Whether it outlasts the process. */
  readonly isKept: boolean;
  readonly #journal: Journal;
  readonly #uuid: () => string;
  #limits = NO_LIMITS;
  #permanent: readonly string[] = [];
  readonly #buckets = new Map<string, Bucket>();
  readonly #uploads = new Map<string, Upload>();
  readonly #completed = new Map<string, Completion>();
  /** How many objects name a blob: a copy shares the bytes of its source. */
  readonly #names = new Map<string, number>();
  #objects = 0;
  #parts = 0;

  constructor(options: CatalogOptions) {
    const { blobs, now, journal = NO_JOURNAL, kept, uuid = () => crypto.randomUUID() } = options;
    this.blobs = blobs;
    this.now = now;
    this.#journal = journal;
    this.isKept = journal !== NO_JOURNAL;
    this.#uuid = uuid;
    if (kept !== undefined) this.#restore(kept);
  }

  #restore({ buckets, uploads, completions }: KeptCatalog): void {
    for (const bucket of buckets) {
      this.#buckets.set(bucket.name, bucket);
      this.#objects += bucket.size;
      for (const { blob } of bucket.objects()) this.#retain(blob.id);
    }
    for (const upload of uploads) {
      this.#uploads.set(upload.id, upload);
      this.#parts += upload.parts.size;
      for (const { blob } of upload.parts.values()) this.#retain(blob.id);
    }
    for (const [id, completion] of completions) this.#completed.set(id, completion);
  }

  #retain(blob: string): void {
    this.blobs.retain(blob);
    this.#name(blob);
  }

  /** Sets the limits, once the settings are known. */
  limit(limits: CatalogLimits): void {
    this.#limits = limits;
  }

  /**
   * Creates the buckets of the configuration, now and again after each reset, even on a full disk. The names have been
   * checked.
   */
  setPermanentBuckets(names: readonly string[]): void {
    this.#permanent = names;
    for (const name of names) this.#makeBucket(name, { region: "", acl: undefined, ...FREES });
  }

  /** As it was at the start of an empty catalog. */
  async reset(): Promise<void> {
    await this.clear();
    this.setPermanentBuckets(this.#permanent);
    await this.settled();
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

  /** The bucket, if there is one. */
  findBucket(name: string): Bucket | undefined {
    return this.#buckets.get(name);
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

  /** Resolves when every change made so far outlasts a loss of power; the others wait for that themselves. */
  settled(): Promise<void> {
    return this.#journal.settled();
  }

  /**
   * Whether it was made or changed: one that exists takes the ACL and stays as it is otherwise. The name has been
   * checked. To be settled by the caller.
   */
  createBucket(name: string, { region = "", acl }: NewBucket = {}): boolean {
    const old = this.#buckets.get(name);
    if (old === undefined) return this.#makeBucket(name, { region, acl, frees: false });
    if (old.acl === acl) return false;
    const { created, region: place } = old;
    this.#journal.commit([{ kind: "make bucket", bucket: { name, created, region: place, acl } }]);
    old.acl = acl;
    return true;
  }

  #makeBucket(
    name: string,
    about: NewBucket & { readonly region: string; readonly frees: boolean },
  ): boolean {
    const { frees, ...asked } = about;
    if (this.#buckets.has(name)) return false;
    if (this.#buckets.size >= this.#limits.maxBuckets) this.#full("buckets", "max_buckets");
    const bucket = new Bucket(name, { ...asked, created: this.now() });
    this.#journal.commit([{ kind: "make bucket", bucket }], { frees });
    this.#buckets.set(name, bucket);
    return true;
  }

  /** Configures a bucket; without a text the setting goes. Throws when there is too much, or the bucket has gone. */
  async configure(bucket: Bucket, name: SettingName, text: string | undefined): Promise<void> {
    if (this.#buckets.get(bucket.name) !== bucket) this.#goneBucket(bucket.name);
    const change = { bucket: bucket.name, name };
    if (text === undefined) {
      this.#journal.commit([{ kind: "drop setting", ...change }], FREES);
      bucket.settings.delete(name);
    } else {
      const length = this.#settingsLength - (bucket.settings.get(name)?.length ?? 0) + text.length;
      if (length > MAX_SETTINGS_LENGTH) {
        throw new S3Error(
          "ServiceUnavailable",
          `Cannot keep ${length} characters of settings: at most ${MAX_SETTINGS_LENGTH} are taken`,
        );
      }
      this.#journal.commit([{ kind: "put setting", ...change, text }]);
      bucket.settings.set(name, text);
    }
    await this.#journal.settled();
  }

  /** Over all buckets. */
  get #settingsLength(): number {
    let length = 0;
    for (const { settings } of this.#buckets.values()) {
      for (const text of settings.values()) length += text.length;
    }
    return length;
  }

  /** Throws `BucketNotEmpty`. Its open uploads go with it. */
  async deleteBucket(bucket: Bucket): Promise<void> {
    if (bucket.size > 0) {
      throw new S3Error(
        "BucketNotEmpty",
        `Cannot delete bucket "${bucket.name}": it holds ${bucket.size} objects`,
      );
    }
    const uploads = this.uploadsOf(bucket.name);
    this.#journal.commit([
      { kind: "drop bucket", name: bucket.name },
      ...uploads.map(({ id }): Change => ({ kind: "end upload", id })),
    ], FREES);
    this.#buckets.delete(bucket.name);
    await this.#letGo(uploads.flatMap((upload) => this.#end(upload)));
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
    await this.#change(object.blob.id, () => this.#place(bucket, object, { check }));
  }

  /** Changes what is said of an object; its bytes and its time stay. Throws `NoSuchKey`. */
  async amend(
    bucket: Bucket,
    key: string,
    change: { readonly tags: readonly Tag[] | undefined } | { readonly acl: CannedAcl },
  ): Promise<void> {
    if (this.#buckets.get(bucket.name) !== bucket) this.#goneBucket(bucket.name);
    const { tags, ...rest } = this.object(bucket, key);
    const object = { ...rest, ...compact({ tags, ...change }) };
    this.#journal.commit([{ kind: "put object", bucket: bucket.name, object }]);
    bucket.set(object);
    await this.#journal.settled();
  }

  /** Returns the blobs that lost a name. */
  #place(
    bucket: Bucket,
    object: StoredObject,
    { check, also = [] }: {
      check: (old: StoredObject | undefined) => void;
      also?: readonly Change[];
    },
  ): readonly string[] {
    if (this.#buckets.get(bucket.name) !== bucket) this.#goneBucket(bucket.name);
    check(bucket.get(object.key));
    this.checkRoom(bucket, object.key);
    const frees = object.size < (bucket.get(object.key)?.size ?? 0);
    this.#journal.commit([{ kind: "put object", bucket: bucket.name, object }, ...also], { frees });
    const old = bucket.set(object);
    if (old !== undefined) return [old.blob.id];
    this.#objects++;
    return [];
  }

  /** Takes objects out, all or none. Returns those that there were. Throws when the bucket has gone. */
  async deleteMany(bucket: Bucket, keys: readonly string[]): Promise<readonly StoredObject[]> {
    if (this.#buckets.get(bucket.name) !== bucket) this.#goneBucket(bucket.name);
    const objects = new Set(keys.flatMap((key) => bucket.get(key) ?? []));
    if (objects.size === 0) return [];
    const change = (key: string): Change => ({ kind: "drop object", bucket: bucket.name, key });
    this.#journal.commit([...objects].map(({ key }) => change(key)), FREES);
    // Those at the end first: keys that come in order then leave nothing to move up.
    for (const { key } of [...objects].reverse()) bucket.delete(key);
    this.#objects -= objects.size;
    await this.#letGo([...objects].map(({ blob }) => blob.id));
    return [...objects];
  }

  /** Takes an object out. Returns it, or nothing when there was none. Throws when the bucket has gone. */
  async delete(bucket: Bucket, key: string): Promise<StoredObject | undefined> {
    return (await this.deleteMany(bucket, [key]))[0];
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

  /** To be settled by the caller. */
  createUpload(start: UploadStart): Upload {
    if (this.#uploads.size >= this.#limits.maxUploads) {
      this.#full("multipart uploads", "max_active_uploads");
    }
    const id = this.#uuid().replaceAll("-", "");
    const upload = new Upload(id, { start, initiated: this.now() });
    this.#journal.commit([{ kind: "begin upload", upload }]);
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
    await this.#change(part.blob.id, () => {
      this.upload(upload.id, upload.start);
      this.checkPartRoom(upload, part.number);
      this.#journal.commit([{ kind: "put part", upload: upload.id, part }]);
      const old = upload.parts.get(part.number);
      upload.parts.set(part.number, part);
      if (old !== undefined) return [old.blob.id];
      this.#parts++;
      return [];
    });
  }

  /** Ends an upload: what was sent of it goes. */
  async abort(upload: Upload): Promise<void> {
    this.#journal.commit([{ kind: "end upload", id: upload.id }], FREES);
    await this.#letGo(this.#end(upload));
  }

  /** Ends an upload with its object in place, as `put` does; what it is answered with is remembered. */
  async complete(
    upload: Upload,
    { bucket, object, completion, check }: {
      bucket: Bucket;
      object: StoredObject;
      completion: Completion;
      check: (old: StoredObject | undefined) => void;
    },
  ): Promise<void> {
    const { id } = upload;
    const forgotten = [...this.#completed.keys()].slice(0, -MAX_COMPLETED + 1);
    await this.#change(object.blob.id, () => {
      // It may have been aborted while its parts were put together.
      this.upload(id, upload.start);
      const freed = this.#place(bucket, object, {
        check,
        also: [
          { kind: "end upload", id },
          { kind: "note completion", id, completion },
          ...forgotten.map((id): Change => ({ kind: "forget completion", id })),
        ],
      });
      this.#completed.set(id, completion);
      for (const id of forgotten) this.#completed.delete(id);
      return [...freed, ...this.#end(upload)];
    });
  }

  /** Everything goes but the uploads that a request is at work on. */
  async clear(): Promise<void> {
    const objects = this.buckets().flatMap((bucket) => [...bucket.objects()]);
    const idle = this.uploadsOf().filter((upload) => !upload.busy);
    this.#journal.commit([
      ...this.buckets().map(({ name }): Change => ({ kind: "drop bucket", name })),
      ...idle.map(({ id }): Change => ({ kind: "end upload", id })),
      ...[...this.#completed.keys()].map((id): Change => ({ kind: "forget completion", id })),
    ], FREES);
    this.#buckets.clear();
    this.#completed.clear();
    this.#objects = 0;
    await this.#letGo([
      ...objects.map(({ blob }) => blob.id),
      ...idle.flatMap((upload) => this.#end(upload)),
    ]);
  }

  /** Returns the blobs of its parts. */
  #end(upload: Upload): readonly string[] {
    if (!this.#uploads.delete(upload.id)) return [];
    this.#parts -= upload.parts.size;
    return [...upload.parts.values()].map(({ blob }) => blob.id);
  }

  #name(blob: string): void {
    this.#names.set(blob, (this.#names.get(blob) ?? 0) + 1);
  }

  /** Makes a change that names `blob`, and lets go of the blobs it returns; of `blob` itself when it is refused. */
  async #change(blob: string, change: () => readonly string[]): Promise<void> {
    this.#name(blob);
    let freed: readonly string[];
    try {
      freed = change();
    } catch (error) {
      await this.#free([blob]);
      throw error;
    }
    await this.#letGo(freed);
  }

  /** Waits until a change is settled, then frees the blobs that it let go of. */
  async #letGo(blobs: readonly string[]): Promise<void> {
    await this.#journal.settled();
    await this.#free(blobs);
  }

  /** One name less for each. The bytes go with the last object or part that names them. */
  async #free(blobs: readonly string[]): Promise<void> {
    const unnamed = blobs.filter((blob) => {
      const names = (this.#names.get(blob) ?? 1) - 1;
      if (names === 0) return this.#names.delete(blob) || true;
      this.#names.set(blob, names);
      this.blobs.release(blob);
      return false;
    });
    await Promise.all(unnamed.map((blob) => this.blobs.remove(blob)));
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

import type { BlobRef, BlobStore } from "../../../core/blobs/blob.ts";
import { compact } from "../../../core/compact.ts";
import type { CannedAcl } from "../codec/acl.ts";
import { compareKeys } from "../codec/order.ts";
import { S3Error } from "../errors.ts";
import { Bucket } from "./bucket.ts";
import { aboutBucket, type Change, type Journal, type KeptCatalog, NO_JOURNAL } from "./journal.ts";
import type {
  CatalogLimits,
  Completion,
  DeleteEntry,
  Deletion,
  StoredObject,
  Tag,
  UploadPart,
  Versioning,
  VersionPlace,
} from "./model.ts";
import { isMarker, NULL_VERSION } from "./model.ts";
import type { SettingName } from "./settings.ts";
import { Upload, type UploadStart } from "./upload.ts";
import { BlobNames } from "./blob_names.ts";
import { type CatalogOptions, type NewBucket, NO_LIMITS } from "./options.ts";
import { full, goneBucket, notEmpty } from "./refusals.ts";
import { type CatalogStats, countAll, settingsLength } from "./stats.ts";
import { findVersion } from "./find_version.ts";
import { isPlaced, VersionSteps } from "./version_steps.ts";
import { makeId } from "./version_table.ts";

/** Completed uploads that are remembered, so that a repeated completion gets the same answer. */
const MAX_COMPLETED = 1000;

/** Most characters of all that is configured of buckets. */
const MAX_SETTINGS_LENGTH = 16_777_216;

/** More goes than comes: a full disk takes it. */
const FREES = { frees: true };

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
  readonly #names: BlobNames;
  /** Of every bucket, with earlier versions and delete markers. */
  #versions = 0;
  /** Of the version that came last. */
  #sequence = 0;
  #parts = 0;

  constructor(options: CatalogOptions) {
    const { blobs, now, journal = NO_JOURNAL, kept, uuid = () => crypto.randomUUID() } = options;
    this.blobs = blobs;
    this.#names = new BlobNames(blobs);
    this.now = now;
    this.#journal = journal;
    this.isKept = journal !== NO_JOURNAL;
    this.#uuid = uuid;
    if (kept !== undefined) this.#restore(kept);
  }

  #restore({ buckets, uploads, completions }: KeptCatalog): void {
    for (const bucket of buckets) {
      this.#buckets.set(bucket.name, bucket);
      this.#versions += bucket.versionCount;
      for (const version of bucket.everyVersion()) {
        this.#sequence = Math.max(this.#sequence, version.version?.sequence ?? 0);
        if (!isMarker(version)) this.#names.retain(version.blob.id);
      }
    }
    for (const upload of uploads) {
      this.#uploads.set(upload.id, upload);
      this.#parts += upload.parts.size;
      for (const { blob } of upload.parts.values()) this.#names.retain(blob.id);
    }
    for (const [id, completion] of completions) this.#completed.set(id, completion);
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
    return countAll([...this.#buckets.values()], [...this.#uploads.values()]);
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
    return bucket ?? goneBucket(name);
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
    this.#journal.commit([{ kind: "make bucket", bucket: aboutBucket(old, { acl }) }]);
    old.acl = acl;
    return true;
  }

  /** Once a bucket has versions, it keeps them: it can be suspended, and enabled again. */
  async setVersioning(bucket: Bucket, versioning: Versioning): Promise<void> {
    if (this.#buckets.get(bucket.name) !== bucket) goneBucket(bucket.name);
    this.#journal.commit([{ kind: "make bucket", bucket: aboutBucket(bucket, { versioning }) }]);
    bucket.versioning = versioning;
    await this.#journal.settled();
  }

  #makeBucket(
    name: string,
    about: NewBucket & { readonly region: string; readonly frees: boolean },
  ): boolean {
    const { frees, ...asked } = about;
    if (this.#buckets.has(name)) return false;
    if (this.#buckets.size >= this.#limits.maxBuckets) full("buckets", "max_buckets");
    const bucket = new Bucket(name, { ...asked, created: this.now() });
    this.#journal.commit([{ kind: "make bucket", bucket }], { frees });
    this.#buckets.set(name, bucket);
    return true;
  }

  /** Configures a bucket; without a text the setting goes. Throws when there is too much, or the bucket has gone. */
  async configure(bucket: Bucket, name: SettingName, text: string | undefined): Promise<void> {
    if (this.#buckets.get(bucket.name) !== bucket) goneBucket(bucket.name);
    const change = { bucket: bucket.name, name };
    if (text === undefined) {
      this.#journal.commit([{ kind: "drop setting", ...change }], FREES);
      bucket.settings.delete(name);
    } else {
      const length = settingsLength(this.#buckets.values()) -
        (bucket.settings.get(name)?.length ?? 0) + text.length;
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

  /** Throws `BucketNotEmpty`. Its open uploads go with it. */
  async deleteBucket(bucket: Bucket): Promise<void> {
    if (bucket.versionCount > 0) notEmpty(bucket);
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
    if (bucket.replacedBy(key) !== undefined || this.#versions < this.#limits.maxObjects) return;
    full("objects", "max_objects");
  }

  /**
   * Puts an object in place; its blob is the catalog's from here on, also when it is refused, which happens when the
   * bucket has gone, when there are too many objects, and when `check` throws. Returns it as it was kept.
   */
  async put(
    bucket: Bucket,
    object: StoredObject,
    check: (old: StoredObject | undefined) => void = () => {},
  ): Promise<StoredObject> {
    let kept = object;
    await this.#change(object.blob.id, () => {
      const placed = this.#place(bucket, object, { check });
      kept = placed.object;
      return placed.freed;
    });
    return kept;
  }

  /** Changes what is said of an object; its bytes and its time stay. Throws as `findVersion` does; returns it. */
  async amend(
    bucket: Bucket,
    { key, version }: DeleteEntry,
    change: { readonly tags: readonly Tag[] | undefined } | { readonly acl: CannedAcl },
  ): Promise<StoredObject> {
    if (this.#buckets.get(bucket.name) !== bucket) goneBucket(bucket.name);
    const { tags, ...rest } = findVersion(bucket, { key, version, changes: true });
    const object = { ...rest, ...compact({ tags, ...change }) };
    this.#journal.commit([
      isPlaced(object)
        ? { kind: "put version", bucket: bucket.name, version: object }
        : { kind: "put object", bucket: bucket.name, object },
    ]);
    bucket.replace(object);
    await this.#journal.settled();
    return object;
  }

  /** Returns the object as it is kept, and the blobs that lost a name. */
  #place(
    bucket: Bucket,
    object: StoredObject,
    { check, also = () => [] }: {
      check: (old: StoredObject | undefined) => void;
      also?: (object: StoredObject) => readonly Change[];
    },
  ): { object: StoredObject; freed: readonly string[] } {
    if (this.#buckets.get(bucket.name) !== bucket) goneBucket(bucket.name);
    check(bucket.get(object.key));
    this.checkRoom(bucket, object.key);
    if (bucket.versioning !== undefined) {
      const steps = new VersionSteps(bucket, this.#nextPlace);
      const placed = steps.put(object);
      return { object: placed, freed: this.#keep(steps, { also: also(placed) }) };
    }
    const frees = object.size < (bucket.get(object.key)?.size ?? 0);
    const change: Change = { kind: "put object", bucket: bucket.name, object };
    this.#journal.commit([change, ...also(object)], { frees });
    const old = bucket.set(object);
    if (old === undefined) this.#versions++;
    return { object, freed: old === undefined ? [] : [old.blob.id] };
  }

  readonly #nextPlace = ({ versioning }: Bucket): VersionPlace => {
    const sequence = ++this.#sequence;
    const id = versioning === "Enabled" ? makeId(sequence, this.#uuid()) : NULL_VERSION;
    return { id, sequence };
  };

  /** Keeps the steps, or takes them back. Returns the blobs that lost a name. */
  #keep(
    steps: VersionSteps,
    { also = [], frees = false }: { also?: readonly Change[]; frees?: boolean } = {},
  ): readonly string[] {
    try {
      this.#journal.commit([...steps.changes, ...also], { frees });
    } catch (error) {
      steps.undo();
      throw error;
    }
    this.#versions += steps.added;
    return steps.freed;
  }

  /**
   * Deletes what the entries ask for, all or none. Returns what became of each; nothing for what was not there. Throws
   * when the bucket has gone, and when there are too many objects to keep a delete marker.
   */
  async deleteMany(
    bucket: Bucket,
    entries: readonly DeleteEntry[],
  ): Promise<readonly (Deletion | undefined)[]> {
    if (this.#buckets.get(bucket.name) !== bucket) goneBucket(bucket.name);
    if (bucket.versioning !== undefined) return await this.#deleteVersions(bucket, entries);
    const objects = new Map<string, StoredObject>();
    const deletions = entries.map(({ key }): Deletion | undefined => {
      const removed = objects.has(key) ? undefined : bucket.get(key);
      if (removed === undefined) return undefined;
      objects.set(key, removed);
      return { removed };
    });
    if (objects.size === 0) return deletions;
    const change = (key: string): Change => ({ kind: "drop object", bucket: bucket.name, key });
    this.#journal.commit([...objects.keys()].map(change), FREES);
    // Those at the end first: keys that come in order then leave nothing to move up.
    for (const key of [...objects.keys()].reverse()) bucket.delete(key);
    this.#versions -= objects.size;
    await this.#letGo([...objects.values()].map(({ blob }) => blob.id));
    return deletions;
  }

  async #deleteVersions(
    bucket: Bucket,
    entries: readonly DeleteEntry[],
  ): Promise<readonly (Deletion | undefined)[]> {
    const steps = new VersionSteps(bucket, this.#nextPlace);
    const now = this.now();
    const deletions = entries.map((entry) => steps.delete(entry, now));
    if (steps.added > 0 && this.#versions + steps.added > this.#limits.maxObjects) {
      steps.undo();
      full("objects", "max_objects");
    }
    await this.#letGo(this.#keep(steps, { frees: steps.added < 0 }));
    return deletions;
  }

  /** Deletes an object or a version. Returns what became of it, or nothing when it was not there. */
  async delete(bucket: Bucket, entry: DeleteEntry): Promise<Deletion | undefined> {
    return (await this.deleteMany(bucket, [entry]))[0];
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
      full("multipart uploads", "max_active_uploads");
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
    full("parts", "max_parts");
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
  ): Promise<StoredObject> {
    const { id } = upload;
    let kept = object;
    const complete = ({ version }: StoredObject): Completion => ({
      ...completion,
      ...compact({ versionId: version?.id }),
    });
    const forgotten = [...this.#completed.keys()].slice(0, -MAX_COMPLETED + 1);
    await this.#change(object.blob.id, () => {
      // It may have been aborted while its parts were put together.
      this.upload(id, upload.start);
      const placed = this.#place(bucket, object, {
        check,
        also: (kept) => [
          { kind: "end upload", id },
          { kind: "note completion", id, completion: complete(kept) },
          ...forgotten.map((id): Change => ({ kind: "forget completion", id })),
        ],
      });
      this.#completed.set(id, complete(placed.object));
      for (const id of forgotten) this.#completed.delete(id);
      kept = placed.object;
      return [...placed.freed, ...this.#end(upload)];
    });
    return kept;
  }

  /** Everything goes but the uploads that a request is at work on. */
  async clear(): Promise<void> {
    const versions = this.buckets().flatMap((bucket) => [...bucket.everyVersion()]);
    const idle = this.uploadsOf().filter((upload) => !upload.busy);
    this.#journal.commit([
      ...this.buckets().map(({ name }): Change => ({ kind: "drop bucket", name })),
      ...idle.map(({ id }): Change => ({ kind: "end upload", id })),
      ...[...this.#completed.keys()].map((id): Change => ({ kind: "forget completion", id })),
    ], FREES);
    this.#buckets.clear();
    this.#completed.clear();
    this.#versions = 0;
    await this.#letGo([
      ...versions.flatMap((version) => isMarker(version) ? [] : [version.blob.id]),
      ...idle.flatMap((upload) => this.#end(upload)),
    ]);
  }

  /** Returns the blobs of its parts. */
  #end(upload: Upload): readonly string[] {
    if (!this.#uploads.delete(upload.id)) return [];
    this.#parts -= upload.parts.size;
    return [...upload.parts.values()].map(({ blob }) => blob.id);
  }

  /** Makes a change that names `blob`, and lets go of the blobs it returns; of `blob` itself when it is refused. */
  async #change(blob: string, change: () => readonly string[]): Promise<void> {
    this.#names.add(blob);
    let freed: readonly string[];
    try {
      freed = change();
    } catch (error) {
      await this.#names.free([blob]);
      throw error;
    }
    await this.#letGo(freed);
  }

  /** Waits until a change is settled, then frees the blobs that it let go of. */
  async #letGo(blobs: readonly string[]): Promise<void> {
    await this.#journal.settled();
    await this.#names.free(blobs);
  }
}

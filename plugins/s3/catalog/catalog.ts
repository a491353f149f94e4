import type { BlobRef, BlobStore } from "../../../core/blobs/blob.ts";
import { compact } from "../../../core/compact.ts";
import { compareKeys } from "../codec/order.ts";
import { S3Error } from "../errors.ts";
import type { Bucket } from "./bucket.ts";
import { aboutBucket, type Change, NO_JOURNAL, type Plan } from "./journal.ts";
import { holding, type Keeper, OwnKeeper } from "./keeper.ts";
import type {
  CatalogLimits,
  Completion,
  DeleteEntry,
  Deletion,
  StoredObject,
  Versioning,
  VersionPlace,
} from "./model.ts";
import { NULL_VERSION } from "./model.ts";
import type { SettingName } from "./settings.ts";
import { CatalogState } from "./state.ts";
import type { Upload } from "./upload.ts";
import { Uploads } from "./uploads.ts";
import { type CatalogOptions, type NewBucket, NO_LIMITS } from "./options.ts";
import { full, goneBucket, notEmpty } from "./refusals.ts";
import { type CatalogStats, countAll, settingsLength } from "./stats.ts";
import { findVersion } from "./find_version.ts";
import { isPlaced, VersionSteps } from "./version_steps.ts";
import { makeId } from "./version_table.ts";

/** Changes to an object; `undefined` removes a property. */
export type Amendment = {
  readonly [K in "tags" | "acl" | "retention" | "legalHold"]?: StoredObject[K] | undefined;
};

/** Options of a new object. */
export interface PutCheck {
  /** Throws if the key does not hold what the client expects. */
  readonly check?: (old: StoredObject | undefined) => void;
  /** The bytes are those of another object, which must still exist. */
  readonly isShared?: boolean;
}

/** Maximum total characters of all bucket settings. */
const MAX_SETTINGS_LENGTH = 16_777_216;

/**
 * Buckets, objects and uploads. Every change is planned from the catalog as it is, stored, and then visible; conditions
 * are checked in the plan, because other instances may have changed the catalog meanwhile. Callers that pass a blob have
 * retained it once.
 */
export class Catalog {
  readonly blobs: BlobStore;
  readonly now: () => Date;
  readonly uploads: Uploads;
  readonly #state: CatalogState;
  readonly #keeper: Keeper;
  readonly #uuid: () => string;
  #limits = NO_LIMITS;
  #permanent: readonly string[] = [];

  constructor(options: CatalogOptions) {
    const { blobs, now, journal = NO_JOURNAL, kept, uuid = () => crypto.randomUUID() } = options;
    this.blobs = blobs;
    this.now = now;
    const state = options.shared?.state ?? new CatalogState(blobs);
    if (kept !== undefined) state.restore(kept);
    const isKept = journal !== NO_JOURNAL;
    this.#state = state;
    this.#keeper = options.shared?.keeper ?? new OwnKeeper(journal, { state, isKept });
    this.#uuid = uuid;
    const limits = (): CatalogLimits => this.#limits;
    this.uploads = new Uploads({ keeper: this.#keeper, state, now, uuid, limits });
  }

  /** Whether it persists across restarts. */
  get isKept(): boolean {
    return this.#keeper.isKept;
  }

  /**
   * Resolves once the catalog has everything that any instance acknowledged before the call; `undefined` if it does.
   * Rejects with `S3Error` "SlowDown".
   */
  current(): Promise<void> | undefined {
    return this.#keeper.current();
  }

  /** Sets the limits once the settings are loaded. */
  limit(limits: CatalogLimits): void {
    this.#limits = limits;
  }

  /**
   * Creates the buckets of the configuration, now and after each reset, even on a full disk. Their names are already
   * validated.
   */
  async setPermanentBuckets(names: readonly string[]): Promise<void> {
    this.#permanent = names;
    await Promise.all(names.map((name) =>
      this.#keeper.change(() => {
        if (this.#state.buckets.has(name)) return { changes: [], result: undefined };
        return { ...this.#planBucket(name, { region: "", acl: undefined }), frees: true };
      })
    ));
  }

  /** Resets it to the start of an empty catalog. */
  async reset(): Promise<void> {
    await this.clear();
    await this.setPermanentBuckets(this.#permanent);
  }

  get stats(): CatalogStats {
    return countAll([...this.#state.buckets.values()], this.uploads.list());
  }

  /** Sorted by name. */
  buckets(): readonly Bucket[] {
    return [...this.#state.buckets.values()].sort((a, b) => compareKeys(a.name, b.name));
  }

  /** Returns the bucket, if it exists. */
  findBucket(name: string): Bucket | undefined {
    return this.#state.buckets.get(name);
  }

  /** Returns the bucket. Throws `NoSuchBucket`. */
  bucket(name: string): Bucket {
    const bucket = this.#state.buckets.get(name);
    return bucket ?? goneBucket(name);
  }

  /** Throws `NoSuchBucket` for a bucket that was deleted, and perhaps created again. */
  #check(bucket: Bucket): void {
    if (this.#state.buckets.get(bucket.name) !== bucket) goneBucket(bucket.name);
  }

  /**
   * Returns whether it was created or changed: an existing one takes the ACL and is otherwise unchanged. The name is
   * already validated.
   */
  async createBucket(name: string, { region = "", ...more }: NewBucket = {}): Promise<boolean> {
    return await this.#keeper.change(() => {
      const old = this.#state.buckets.get(name);
      if (old === undefined) return this.#planBucket(name, { region, ...more });
      const { acl } = more;
      if (old.acl === acl) return { changes: [], result: false };
      return {
        changes: [{ kind: "make bucket", bucket: aboutBucket(old, { acl }) }],
        result: true,
      };
    });
  }

  /** Changes the ACL of a bucket. */
  async setAcl({ name }: Bucket, acl: Bucket["acl"]): Promise<void> {
    await this.#keeper.change(() => ({
      changes: [{ kind: "make bucket", bucket: aboutBucket(this.bucket(name), { acl }) }],
      result: undefined,
    }));
  }

  /**
   * A bucket never loses its versions: versioning can be suspended and enabled again. Throws as `check` does, and if the
   * bucket is gone.
   */
  async setVersioning(
    bucket: Bucket,
    versioning: Versioning,
    check?: () => void,
  ): Promise<void> {
    await this.#keeper.change(() => {
      this.#check(bucket);
      check?.();
      const changed = aboutBucket(bucket, { versioning });
      return { changes: [{ kind: "make bucket", bucket: changed }], result: undefined };
    });
  }

  #planBucket(
    name: string,
    { region, acl, versioning, settings = {} }: NewBucket & { readonly region: string },
  ): Plan<true> {
    if (this.#state.buckets.size >= this.#limits.maxBuckets) full("buckets", "max_buckets");
    const bucket = { name, created: this.now(), region, acl, versioning };
    const changes: Change[] = [{ kind: "make bucket", bucket }];
    for (const [setting, text] of Object.entries(settings)) {
      changes.push({ kind: "put setting", bucket: name, name: setting as SettingName, text });
    }
    return { changes, result: true };
  }

  /**
   * Stores a setting of a bucket; deletes it without a text. Throws as `check` does, if there is too much, and if the
   * bucket is gone.
   */
  async configure(
    bucket: Bucket,
    { name, text, check }: {
      readonly name: SettingName;
      readonly text?: string;
      readonly check?: () => void;
    },
  ): Promise<void> {
    const change = { bucket: bucket.name, name };
    await this.#keeper.change((): Plan<void> => {
      this.#check(bucket);
      check?.();
      if (text === undefined) {
        return {
          changes: [{ kind: "drop setting", ...change }],
          result: undefined,
          frees: true,
        };
      }
      const length = settingsLength(this.#state.buckets.values()) -
        (bucket.settings.get(name)?.length ?? 0) + text.length;
      if (length > MAX_SETTINGS_LENGTH) {
        throw new S3Error(
          "ServiceUnavailable",
          `Cannot keep ${length} characters of settings: at most ${MAX_SETTINGS_LENGTH} are allowed`,
        );
      }
      return { changes: [{ kind: "put setting", ...change, text }], result: undefined };
    });
  }

  /** Deletes a bucket and its open uploads. Throws `BucketNotEmpty`. */
  async deleteBucket(bucket: Bucket): Promise<void> {
    await this.#keeper.change(() => {
      this.#check(bucket);
      if (bucket.versionCount > 0) notEmpty(bucket);
      const uploads = this.uploads.list(bucket.name);
      return {
        changes: [
          { kind: "drop bucket", name: bucket.name },
          ...uploads.map(({ id }): Change => ({ kind: "end upload", id })),
        ],
        result: undefined,
        frees: true,
      };
    });
  }

  /** Throws if there is no room for another object. */
  checkRoom(bucket: Bucket, key: string): void {
    const { versions } = this.#state;
    if (bucket.replacedBy(key) !== undefined || versions < this.#limits.maxObjects) return;
    full("objects", "max_objects");
  }

  /**
   * Stores an object and returns it. The catalog owns its blob from now on, even if it refuses: when the bucket is
   * gone, when there are too many objects, and when `check` throws.
   */
  async put(
    bucket: Bucket,
    object: StoredObject,
    options: PutCheck = {},
  ): Promise<StoredObject> {
    return await this.#holding(
      object.blob,
      () => this.#keeper.change(() => this.#planPut(bucket, object, options)),
    );
  }

  #holding<T>(blob: BlobRef, change: () => Promise<T>): Promise<T> {
    return holding({ keeper: this.#keeper, state: this.#state }, blob.id, change);
  }

  /**
   * Changes the properties of an object and returns it; bytes and time stay. Throws as `findVersion` and `check` do.
   */
  async amend(
    bucket: Bucket,
    { key, version }: DeleteEntry,
    { check, ...change }: Amendment & { readonly check?: (object: StoredObject) => void },
  ): Promise<StoredObject> {
    return await this.#keeper.change(() => {
      this.#check(bucket);
      const found = findVersion(bucket, { key, version, changes: true });
      check?.(found);
      const object = amend(found, change);
      const changed: Change = isPlaced(object)
        ? { kind: "put version", bucket: bucket.name, version: object }
        : { kind: "put object", bucket: bucket.name, object };
      return { changes: [changed], result: object };
    });
  }

  #planPut(
    bucket: Bucket,
    object: StoredObject,
    { check, isShared = false }: PutCheck,
  ): Plan<StoredObject> {
    this.#check(bucket);
    if (isShared && !this.#state.names.has(object.blob.id)) throw goneBytes();
    check?.(bucket.get(object.key));
    this.checkRoom(bucket, object.key);
    // It replaces none, so that no step has to be tried and undone.
    if (bucket.versioning === "Enabled") {
      // One text for the key of all its versions: they take less memory and are listed faster.
      const key = bucket.newest(object.key)?.key ?? object.key;
      const placed = { ...object, key, version: this.#nextPlace(bucket) };
      return {
        changes: [{ kind: "put version", bucket: bucket.name, version: placed }],
        result: placed,
      };
    }
    if (bucket.versioning !== undefined) {
      const steps = new VersionSteps(bucket, this.#nextPlace);
      const placed = steps.put(object);
      steps.undo();
      return { changes: steps.changes, result: placed };
    }
    return {
      changes: [{ kind: "put object", bucket: bucket.name, object }],
      result: object,
      frees: object.size < (bucket.get(object.key)?.size ?? 0),
    };
  }

  readonly #nextPlace = ({ versioning }: Bucket): VersionPlace => {
    const sequence = this.#state.nextSequence();
    const id = versioning === "Enabled" ? makeId(sequence, this.#uuid()) : NULL_VERSION;
    return { id, sequence };
  };

  /**
   * Deletes all entries or none; `choose` returns them from the bucket as it is then. Returns a result for each that
   * existed. Throws if the bucket is gone, and if there are too many objects to store a delete marker.
   */
  async deleteMany(
    bucket: Bucket,
    choose: () => readonly DeleteEntry[],
  ): Promise<readonly (Deletion | undefined)[]> {
    return await this.#keeper.change(() => {
      this.#check(bucket);
      const entries = choose();
      if (bucket.versioning !== undefined) return this.#planDeletions(bucket, entries);
      const objects = new Map<string, StoredObject>();
      const deletions = entries.map(({ key }): Deletion | undefined => {
        const removed = objects.has(key) ? undefined : bucket.get(key);
        if (removed === undefined) return undefined;
        objects.set(key, removed);
        return { removed };
      });
      const change = (key: string): Change => ({ kind: "drop object", bucket: bucket.name, key });
      // From the end: keys in order then leave nothing to shift.
      const changes = [...objects.keys()].reverse().map(change);
      return { changes, result: deletions, frees: true };
    });
  }

  #planDeletions(
    bucket: Bucket,
    entries: readonly DeleteEntry[],
  ): Plan<readonly (Deletion | undefined)[]> {
    const steps = new VersionSteps(bucket, this.#nextPlace);
    const now = this.now();
    const deletions = entries.map((entry) => steps.delete(entry, now));
    steps.undo();
    if (steps.added > 0 && this.#state.versions + steps.added > this.#limits.maxObjects) {
      full("objects", "max_objects");
    }
    return { changes: steps.changes, result: deletions, frees: steps.added < 0 };
  }

  /** Deletes an object or a version. Returns the result, or `undefined` if it did not exist. Throws as `check` does. */
  async delete(
    bucket: Bucket,
    entry: DeleteEntry,
    check?: () => void,
  ): Promise<Deletion | undefined> {
    const [deletion] = await this.deleteMany(bucket, () => {
      check?.();
      return [entry];
    });
    return deletion;
  }

  /**
   * Adds a reference to existing bytes, for an object that is put before the next await. Throws `NoSuchKey` if the
   * bytes are gone.
   */
  share({ blob }: { blob: BlobRef }): BlobRef {
    if (this.blobs.get(blob.id) === undefined) throw goneBytes();
    this.blobs.retain(blob.id);
    return blob;
  }

  /** Ends an upload with its object, as `put` does, and remembers the response. */
  async complete(
    upload: Upload,
    { bucket, object, completion, check }: {
      bucket: Bucket;
      object: StoredObject;
      completion: Completion;
      check: (old: StoredObject | undefined) => void;
    },
  ): Promise<StoredObject> {
    return await this.#holding(object.blob, () =>
      this.#keeper.change(() => {
        // It may have been aborted while its parts were assembled.
        this.uploads.get(upload.id, upload.start);
        const plan = this.#planPut(bucket, object, { check });
        const versionId = plan.result.version?.id;
        const done = { ...completion, ...compact({ versionId }) };
        const more = this.uploads.completionChanges(upload.id, done);
        return { ...plan, changes: [...plan.changes, ...more] };
      }));
  }

  /** Removes everything except uploads with a request under way. */
  async clear(): Promise<void> {
    await this.#keeper.change(() => {
      const { buckets, uploads, completions } = this.#state;
      const idle = [...uploads.values()].filter((upload) => !upload.busy);
      return {
        changes: [
          ...[...buckets.keys()].map((name): Change => ({ kind: "drop bucket", name })),
          ...idle.map(({ id }): Change => ({ kind: "end upload", id })),
          ...[...completions.keys()].map((id): Change => ({ kind: "forget completion", id })),
        ],
        result: undefined,
        frees: true,
      };
    });
  }
}

function goneBytes(): S3Error {
  return new S3Error("NoSuchKey", "Cannot use the bytes of an object that was just deleted");
}

function amend(object: StoredObject, change: Amendment): StoredObject {
  const { tags, acl, retention, legalHold, ...rest } = object;
  return { ...rest, ...compact({ tags, acl, retention, legalHold, ...change }) };
}

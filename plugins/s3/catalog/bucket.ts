import type { CannedAcl } from "../codec/acl.ts";
import { placeOf } from "../codec/order.ts";
import {
  isMarker,
  NULL_VERSION,
  type StoredObject,
  type Version,
  type Versioning,
} from "./model.ts";
import type { SettingName } from "./settings.ts";
import { VersionTable } from "./version_table.ts";

/** Properties of a bucket besides its name and objects. */
export interface BucketAbout {
  readonly created: Date;
  readonly region: string;
  readonly acl?: CannedAcl | undefined;
  readonly versioning?: Versioning | undefined;
}

/** A bucket and its objects, in key order. */
export class Bucket {
  readonly name: string;
  readonly created: Date;
  /** Empty without a location constraint. */
  readonly region: string;
  /** As set by its creator; private if absent. */
  acl: CannedAcl | undefined;
  /** Its settings, as text. */
  readonly settings = new Map<SettingName, string>();
  /** Sorted, so that the cost of a page depends on its size, not on that of the bucket. */
  readonly #keys: string[] = [];
  readonly #objects = new Map<string, StoredObject>();
  #versioning: Versioning | undefined;
  /** Only once the bucket has versions. */
  #versions: VersionTable | undefined;
  #count = 0;
  #bytes = 0;

  constructor(name: string, about: BucketAbout) {
    this.name = name;
    this.created = about.created;
    this.region = about.region;
    this.acl = about.acl;
    this.versioning = about.versioning;
  }

  /** Drops its objects and settings; they are read again. */
  forget(): void {
    this.settings.clear();
    this.#keys.length = 0;
    this.#objects.clear();
    this.#versioning = undefined;
    this.#versions = undefined;
    this.#count = 0;
    this.#bytes = 0;
  }

  /** Absent until first enabled. */
  get versioning(): Versioning | undefined {
    return this.#versioning;
  }

  set versioning(state: Versioning | undefined) {
    this.#versioning = state;
    if (state !== undefined) this.#versions ??= new VersionTable(this.#keys);
  }

  /** Keys of objects, sorted. */
  get keys(): readonly string[] {
    return this.#keys;
  }

  /** Keys of versions, sorted, including those whose newest version is a delete marker. */
  get versionKeys(): readonly string[] {
    return this.#versions?.keys ?? this.#keys;
  }

  /** Number of objects. */
  get size(): number {
    return this.#keys.length;
  }

  /** Number of objects, earlier versions and delete markers. */
  get versionCount(): number {
    return this.#count;
  }

  /** Total bytes of all objects and their earlier versions. */
  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): StoredObject | undefined {
    return this.#objects.get(key);
  }

  /** Returns every object, in no particular order. */
  objects(): Iterable<StoredObject> {
    return this.#objects.values();
  }

  /** Yields every version of every key, including delete markers, in no particular order. */
  *everyVersion(): Generator<Version> {
    for (const key of this.versionKeys) yield* this.versions(key);
  }

  /** Returns the versions of a key, oldest first. */
  versions(key: string): readonly Version[] {
    const object = this.#objects.get(key);
    return this.#versions?.get(key) ?? (object === undefined ? [] : [object]);
  }

  /** Returns the newest version of a key. */
  newest(key: string): Version | undefined {
    return this.#versions?.get(key)?.at(-1) ?? this.#objects.get(key);
  }

  /** Returns the version of a key with this id. */
  version(key: string, id: string): Version | undefined {
    const object = this.#objects.get(key);
    if (this.#versions !== undefined) return this.#versions.find(key, id, object);
    return id === NULL_VERSION ? object : undefined;
  }

  /** Returns the object that a put under a key replaces. */
  replacedBy(key: string): Version | undefined {
    if (this.#versioning === "Enabled") return undefined;
    return this.#versioning === undefined ? this.get(key) : this.version(key, NULL_VERSION);
  }

  /** Replaces the object of a key. Returns the old one. Only if no version has to be preserved. */
  set(object: StoredObject): StoredObject | undefined {
    const old = this.#objects.get(object.key);
    if (old === undefined) {
      this.#keys.splice(placeOf(this.#keys, object.key), 0, object.key);
      this.#versions?.addKey(object.key);
      this.#count++;
    }
    this.#objects.set(object.key, object);
    this.#bytes += object.size - (old?.size ?? 0);
    return old;
  }

  /** Removes an object. Only if the key has no other version. */
  delete(key: string): StoredObject | undefined {
    const old = this.#objects.get(key);
    if (old === undefined) return undefined;
    this.#objects.delete(key);
    this.#keys.splice(placeOf(this.#keys, key), 1);
    this.#count--;
    this.#bytes -= old.size;
    return old;
  }

  /** Inserts a version at its position among those of its key. Only in a bucket with versions. */
  add(version: Version): void {
    this.#versions!.add(version, this.#objects.get(version.key));
    this.#count++;
    this.#bytes += sizeOf(version);
    this.#showNewest(version.key);
  }

  /** Removes a version. Only in a bucket with versions. */
  remove(version: Version): void {
    this.#versions!.remove(version);
    this.#count--;
    this.#bytes -= sizeOf(version);
    this.#showNewest(version.key);
  }

  /** Replaces a changed object within the same version. */
  replace(object: StoredObject): void {
    if (this.#versions?.replace(object) === true) this.#showNewest(object.key);
    else this.set(object);
  }

  /** Derives the current object of a key, if any, from its newest version. */
  #showNewest(key: string): void {
    const newest = this.#versions!.get(key)?.at(-1);
    const had = this.#objects.has(key);
    if (newest !== undefined && !isMarker(newest)) {
      this.#objects.set(key, newest);
      if (!had) this.#keys.splice(placeOf(this.#keys, key), 0, key);
    } else if (had) {
      this.#objects.delete(key);
      this.#keys.splice(placeOf(this.#keys, key), 1);
    }
  }
}

function sizeOf(version: Version): number {
  return isMarker(version) ? 0 : version.size;
}

import type { CannedAcl } from "../codec/acl.ts";
import { compareKeys, lowerBound } from "../codec/order.ts";
import type { StoredObject } from "./model.ts";
import type { SettingName } from "./settings.ts";

/** What is known of a bucket besides its name and objects. */
export interface BucketAbout {
  readonly created: Date;
  readonly region: string;
  readonly acl?: CannedAcl | undefined;
}

/** A bucket and its objects, in the order of their keys. */
export class Bucket {
  readonly name: string;
  readonly created: Date;
  /** Empty for the one that has no location constraint. */
  readonly region: string;
  /** As its maker named it; without one a bucket is private. */
  acl: CannedAcl | undefined;
  /** What is configured, as text. */
  readonly settings = new Map<SettingName, string>();
  /** Sorted, so that a page costs what it holds, not what the bucket does. */
  readonly #keys: string[] = [];
  readonly #objects = new Map<string, StoredObject>();
  #bytes = 0;

  constructor(name: string, about: BucketAbout) {
    this.name = name;
    this.created = about.created;
    this.region = about.region;
    this.acl = about.acl;
  }

  /** Keys in order. */
  get keys(): readonly string[] {
    return this.#keys;
  }

  /** Number of objects. */
  get size(): number {
    return this.#keys.length;
  }

  /** Bytes of all objects. */
  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): StoredObject | undefined {
    return this.#objects.get(key);
  }

  /** Every object, in no particular order. */
  objects(): Iterable<StoredObject> {
    return this.#objects.values();
  }

  /** Puts an object in the place of its key. Returns the one that was there. */
  set(object: StoredObject): StoredObject | undefined {
    const old = this.#objects.get(object.key);
    if (old === undefined) this.#keys.splice(this.#placeOf(object.key), 0, object.key);
    this.#objects.set(object.key, object);
    this.#bytes += object.size - (old?.size ?? 0);
    return old;
  }

  /** Takes an object out. */
  delete(key: string): StoredObject | undefined {
    const old = this.#objects.get(key);
    if (old === undefined) return undefined;
    this.#objects.delete(key);
    this.#keys.splice(this.#placeOf(key), 1);
    this.#bytes -= old.size;
    return old;
  }

  #placeOf(key: string): number {
    return lowerBound(this.#keys, (other) => compareKeys(other, key) >= 0);
  }
}

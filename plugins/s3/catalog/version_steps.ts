/** Changes to the versions of a bucket, made at once and taken back when they cannot be kept. */
import type { Bucket } from "./bucket.ts";
import type { Change, PlacedVersion } from "./journal.ts";
import {
  type DeleteEntry,
  type DeleteMarker,
  type Deletion,
  isMarker,
  NULL_VERSION,
  type StoredObject,
  type Version,
  type VersionPlace,
} from "./model.ts";

/** Gives out places; the id is "null" where the bucket is suspended. */
export type PlaceMaker = (bucket: Bucket) => VersionPlace;

/** Steps in one bucket that has versions. */
export class VersionSteps {
  /** What is to be kept. */
  readonly changes: Change[] = [];
  /** Blobs that lost a name. */
  readonly freed: string[] = [];
  /** Versions that came, without those that went. */
  added = 0;
  readonly #bucket: Bucket;
  readonly #nextPlace: PlaceMaker;
  readonly #undo: (() => void)[] = [];

  constructor(bucket: Bucket, nextPlace: PlaceMaker) {
    this.#bucket = bucket;
    this.#nextPlace = nextPlace;
  }

  /** Puts an object in front of the versions of its key. Returns it with its place. */
  put(object: StoredObject): StoredObject {
    const placed = { ...object, version: this.#nextPlace(this.#bucket) };
    this.#makeRoom(placed);
    this.#add(placed);
    return placed;
  }

  /** Does what an entry asks for; nothing for a version that is not there. */
  delete({ key, version: id }: DeleteEntry, now: Date): Deletion | undefined {
    if (id === undefined) {
      const marker: DeleteMarker = { key, modified: now, version: this.#nextPlace(this.#bucket) };
      this.#makeRoom(marker);
      this.#add(marker);
      return { marker };
    }
    const removed = this.#bucket.version(key, id);
    if (removed === undefined) return undefined;
    this.#remove(removed);
    return { removed };
  }

  /** Takes every step back. */
  undo(): void {
    for (const step of this.#undo.reverse()) step();
  }

  /** A key has one version "null" at most. */
  #makeRoom({ key, version }: PlacedVersion): void {
    const old = version.id === NULL_VERSION ? this.#bucket.version(key, NULL_VERSION) : undefined;
    if (old !== undefined) this.#remove(old);
  }

  #add(version: PlacedVersion): void {
    this.#bucket.add(version);
    this.#undo.push(() => this.#bucket.remove(version));
    this.changes.push({ kind: "put version", bucket: this.#bucket.name, version });
    this.added++;
  }

  #remove(version: Version): void {
    this.#bucket.remove(version);
    this.#undo.push(() => this.#bucket.add(version));
    const bucket = this.#bucket.name;
    this.changes.push(
      isPlaced(version)
        ? { kind: "drop version", bucket, version }
        : { kind: "drop object", bucket, key: version.key },
    );
    if (!isMarker(version)) this.freed.push(version.blob.id);
    this.added--;
  }
}

/** Whether a version has a place of its own; one without was put before its bucket had versions. */
export function isPlaced(version: Version): version is PlacedVersion {
  return version.version !== undefined;
}

/** Plans changes to the versions of a bucket: each step sees those before it; all are rolled back in the end. */
import type { Bucket } from "./bucket.ts";
import type { Change, PlacedVersion } from "./journal.ts";
import {
  type DeleteEntry,
  type DeleteMarker,
  type Deletion,
  NULL_VERSION,
  type StoredObject,
  type Version,
  type VersionPlace,
} from "./model.ts";

/** Assigns positions; the id is "null" while versioning is suspended. */
export type PlaceMaker = (bucket: Bucket) => VersionPlace;

/** Steps in one bucket with versions. */
export class VersionSteps {
  /** Changes to store. */
  readonly changes: Change[] = [];
  /** Number of versions added, minus those removed. */
  added = 0;
  readonly #bucket: Bucket;
  readonly #nextPlace: PlaceMaker;
  readonly #undo: (() => void)[] = [];

  constructor(bucket: Bucket, nextPlace: PlaceMaker) {
    this.#bucket = bucket;
    this.#nextPlace = nextPlace;
  }

  /** Adds an object as the newest version of its key. Returns it with its position. */
  put(object: StoredObject): StoredObject {
    const placed = { ...object, version: this.#nextPlace(this.#bucket) };
    this.#makeRoom(placed);
    this.#add(placed);
    return placed;
  }

  /** Carries out one deletion; returns `undefined` if the version does not exist. */
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

  /** Rolls every step back. */
  undo(): void {
    for (const step of this.#undo.reverse()) step();
  }

  /** A key has at most one version "null". */
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
    this.added--;
  }
}

/** Returns whether a version has a position; one put before its bucket had versions has none. */
export function isPlaced(version: Version): version is PlacedVersion {
  return version.version !== undefined;
}

/** The versions of the keys of one bucket. Finding, adding and removing one costs the same however many a key has. */
import { lowerBound, placeOf } from "../codec/order.ts";
import { idOf, NULL_VERSION, type StoredObject, type Version } from "./model.ts";

/** Ids that S3 gives out have this form; ours are 32 hexadecimal digits, of which the first tell when. */
const OWN_ID = /^[0-9a-f]{32}$/;
const SEQUENCE_DIGITS = 12;

/** An id that nobody else has: `uuid` makes it hard to guess, the sequence tells its place when it is gone. */
export function makeId(sequence: number, uuid: string): string {
  const digits = sequence.toString(16).padStart(SEQUENCE_DIGITS, "0");
  return `${digits}${uuid.replaceAll("-", "")}`.slice(0, 32);
}

/** Where a version stands or stood among those of its key; nothing for an id that does not tell. */
function sequenceIn(id: string): number | undefined {
  return OWN_ID.test(id) ? parseInt(id.slice(0, SEQUENCE_DIGITS), 16) : undefined;
}

/** Whether an id is one that was made for this place. */
export function isOwnId(id: string, sequence: unknown): boolean {
  return sequenceIn(id) === sequence;
}

function sequenceOf({ version }: Version): number {
  return version?.sequence ?? 0;
}

/** Index of the first version that is not older. */
function indexOf(versions: readonly Version[], sequence: number): number {
  return lowerBound(versions, (other) => sequenceOf(other) >= sequence);
}

/** How many of the versions of a key are older than `found`, or than the one that had this id; all where none tells. */
export function countOlder(
  versions: readonly Version[],
  { id, found }: { id: string; found: Version | undefined },
): number {
  const sequence = found === undefined ? sequenceIn(id) : sequenceOf(found);
  return sequence === undefined ? versions.length : indexOf(versions, sequence);
}

/** Versions by key. A key whose only version was put before versioning is not here: its object is all there is. */
export class VersionTable {
  /** Sorted. */
  readonly keys: string[];
  /** Oldest first. */
  readonly #versions = new Map<string, Version[]>();
  /** Those with the id "null" that came under suspension. */
  readonly #nulls = new Map<string, Version>();

  constructor(keys: readonly string[]) {
    this.keys = [...keys];
  }

  get(key: string): readonly Version[] | undefined {
    return this.#versions.get(key);
  }

  /** `object` is the current one of the key. */
  find(key: string, id: string, object: StoredObject | undefined): Version | undefined {
    const versions = this.#versions.get(key);
    if (id === NULL_VERSION) {
      const oldest = versions === undefined ? object : versions[0];
      return this.#nulls.get(key) ?? (oldest?.version === undefined ? oldest : undefined);
    }
    const found = versions?.[indexOf(versions, sequenceIn(id) ?? 0)];
    return found !== undefined && idOf(found) === id ? found : undefined;
  }

  addKey(key: string): void {
    this.keys.splice(placeOf(this.keys, key), 0, key);
  }

  /** `object` is the current one of the key so far. */
  add(version: Version, object: StoredObject | undefined): void {
    const { key } = version;
    let versions = this.#versions.get(key);
    if (versions === undefined) {
      if (object === undefined) this.addKey(key);
      versions = object === undefined ? [] : [object];
      this.#versions.set(key, versions);
    }
    versions.splice(indexOf(versions, sequenceOf(version)), 0, version);
    if (version.version?.id === NULL_VERSION) this.#nulls.set(key, version);
  }

  remove({ key, version }: Version): void {
    const versions = this.#versions.get(key) ?? [];
    versions.splice(indexOf(versions, version?.sequence ?? 0), 1);
    if (version?.id === NULL_VERSION) this.#nulls.delete(key);
    if (versions.length > 0) return;
    this.#versions.delete(key);
    this.keys.splice(placeOf(this.keys, key), 1);
  }

  /** Whether the key is here. */
  replace(object: StoredObject): boolean {
    const versions = this.#versions.get(object.key);
    if (versions === undefined) return false;
    versions[indexOf(versions, sequenceOf(object))] = object;
    if (this.#nulls.has(object.key) && idOf(object) === NULL_VERSION) {
      this.#nulls.set(object.key, object);
    }
    return true;
  }
}

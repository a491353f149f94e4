/** Versions of the keys of one bucket. Finding, adding and removing one costs the same for any number of versions. */
import { lowerBound, placeOf } from "../codec/order.ts";
import { idOf, NULL_VERSION, type StoredObject, type Version } from "./model.ts";

/** Ids that S3 generates have this form; ours are 32 hexadecimal digits that begin with the sequence number. */
const OWN_ID = /^[0-9a-f]{32}$/;
const SEQUENCE_DIGITS = 12;

/** Returns a unique id: `uuid` makes it hard to guess, the sequence gives its position even after its deletion. */
export function makeId(sequence: number, uuid: string): string {
  const digits = sequence.toString(16).padStart(SEQUENCE_DIGITS, "0");
  const random = uuid.replaceAll("-", "");
  // Not a part of a longer text, which would stay in memory with it.
  return `${digits}${random.slice(0, 8)}${random.slice(8, 20)}`;
}

/** Returns the position of an existing or deleted version; `undefined` if the id does not contain one. */
function sequenceIn(id: string): number | undefined {
  return OWN_ID.test(id) ? parseInt(id.slice(0, SEQUENCE_DIGITS), 16) : undefined;
}

/** Returns whether an id was generated for this position. */
export function isOwnId(id: string, sequence: unknown): boolean {
  return sequenceIn(id) === sequence;
}

function sequenceOf({ version }: Version): number {
  return version?.sequence ?? 0;
}

/** Returns the index of the first version that is not older. */
function indexOf(versions: readonly Version[], sequence: number): number {
  return lowerBound(versions, (other) => sequenceOf(other) >= sequence);
}

/** Returns how many versions of a key are older than `found`, or than this id; all if the position is unknown. */
export function countOlder(
  versions: readonly Version[],
  { id, found }: { id: string; found: Version | undefined },
): number {
  const sequence = found === undefined ? sequenceIn(id) : sequenceOf(found);
  return sequence === undefined ? versions.length : indexOf(versions, sequence);
}

/** Versions by key. Keys with one version from before versioning are absent: their object is enough. */
export class VersionTable {
  /** Sorted. */
  readonly keys: string[];
  /** Oldest first. */
  readonly #versions = new Map<string, Version[]>();
  /** Those with the id "null", put while versioning was suspended. */
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

  /** Returns whether the key is in the table. */
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

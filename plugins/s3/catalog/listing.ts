/** Pages of a bucket: keys in order, with keys that share a prefix up to the delimiter folded into one entry. */
import { compareKeys, lowerBound } from "../codec/order.ts";
import type { Bucket } from "./bucket.ts";
import type { StoredObject, Version } from "./model.ts";
import { countOlder } from "./version_table.ts";

/** Parameters of a page. */
export interface ListQuery {
  readonly prefix: string;
  /** Empty for no folding. */
  readonly delimiter: string;
  /** Strictly after this key; after a common prefix, past every key it covers. Empty: from the beginning. */
  readonly after: string;
  /** Maximum number of keys and common prefixes together. */
  readonly maxKeys: number;
  /** Only matching keys; called for every key on the way, so the cost includes the skipped ones. */
  readonly accepts?: (key: string) => boolean;
}

/** One page. */
export interface Listing {
  readonly objects: readonly StoredObject[];
  readonly prefixes: readonly string[];
  readonly truncated: boolean;
  /** Last key or common prefix of the page: `after` of the next one. */
  readonly last: string;
}

/** Lists one page of a bucket. */
export function listBucket(bucket: Bucket, query: ListQuery): Listing {
  const { keys } = bucket;
  const objects: StoredObject[] = [];
  const prefixes: string[] = [];
  let at = firstOf(keys, query);
  let last = "";
  while (at < keys.length && keys[at]!.startsWith(query.prefix)) {
    if (query.accepts?.(keys[at]!) === false) {
      at++;
      continue;
    }
    if (objects.length + prefixes.length >= query.maxKeys) {
      return { objects, prefixes, truncated: query.maxKeys > 0, last };
    }
    const key = keys[at]!;
    const folded = fold(key, query);
    if (folded === undefined) {
      objects.push(bucket.get(key)!);
      at++;
    } else {
      prefixes.push(folded);
      at = behind(keys, folded);
    }
    last = folded ?? key;
  }
  return { objects, prefixes, truncated: false, last };
}

function firstOf(keys: readonly string[], { prefix, after, ...query }: ListQuery): number {
  const start = lowerBound(keys, (key) => compareKeys(key, prefix) >= 0);
  if (after === "") return start;
  const folded = after.startsWith(prefix) && fold(after, { prefix, after, ...query }) === after;
  const next = folded
    ? behind(keys, after)
    : lowerBound(keys, (key) => compareKeys(key, after) > 0);
  return Math.max(start, next);
}

/** Returns the common prefix that a key folds into. */
function fold(key: string, { prefix, delimiter }: ListQuery): string | undefined {
  const found = delimiter === "" ? -1 : key.indexOf(delimiter, prefix.length);
  return found < 0 ? undefined : key.slice(0, found + delimiter.length);
}

/** Returns the index of the first key after all that begin with `prefix`. */
function behind(keys: readonly string[], prefix: string): number {
  return lowerBound(keys, (key) => compareKeys(key, prefix) > 0 && !key.startsWith(prefix));
}

/** Parameters of a page of versions. */
export interface VersionsQuery extends Omit<ListQuery, "accepts"> {
  /** With it, the page begins with the versions of the key `after` that are older than this id. */
  readonly afterVersion?: string | undefined;
}

/** One page of versions. */
export interface VersionListing {
  /** Keys in order, the versions of each newest first. */
  readonly versions: readonly Version[];
  readonly prefixes: readonly string[];
  readonly truncated: boolean;
  /** Last entry of the page: a common prefix, or a key and version. */
  readonly last: { readonly key: string; readonly version?: Version };
}

/** Lists one page of the versions of a bucket. */
export function listVersions(bucket: Bucket, query: VersionsQuery): VersionListing {
  const keys = bucket.versionKeys;
  const versions: Version[] = [];
  const prefixes: string[] = [];
  let last: VersionListing["last"] = { key: "" };
  const isFull = (): boolean => versions.length + prefixes.length >= query.maxKeys;
  const end = (truncated: boolean): VersionListing => ({ versions, prefixes, truncated, last });
  // The rest of the key at which the previous page ended.
  const resumed = resumedOf(bucket, query);
  let at = firstOf(keys, query) - (resumed === undefined ? 0 : 1);
  let count = resumed;
  while (at < keys.length && keys[at]!.startsWith(query.prefix)) {
    const key = keys[at]!;
    const folded = fold(key, query);
    if (folded !== undefined) {
      if (isFull()) return end(query.maxKeys > 0);
      prefixes.push(folded);
      last = { key: folded };
      at = behind(keys, folded);
      continue;
    }
    const all = bucket.versions(key);
    for (let left = count ?? all.length; left > 0; left--) {
      if (isFull()) return end(query.maxKeys > 0);
      const version = all[left - 1]!;
      versions.push(version);
      last = { key, version };
    }
    count = undefined;
    at++;
  }
  return end(false);
}

/** Returns how many versions of the key `after` remain; `undefined` if the page begins with another key. */
function resumedOf(bucket: Bucket, query: VersionsQuery): number | undefined {
  const { after, afterVersion, prefix } = query;
  if (afterVersion === undefined || !after.startsWith(prefix)) return undefined;
  const all = bucket.versions(after);
  if (all.length === 0 || fold(after, query) !== undefined) return undefined;
  return countOlder(all, { id: afterVersion, found: bucket.version(after, afterVersion) });
}

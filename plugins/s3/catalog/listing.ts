/** Pages of a bucket: keys in order, those that share a prefix up to the delimiter folded into one entry. */
import { compareKeys, lowerBound } from "../codec/order.ts";
import type { Bucket } from "./bucket.ts";
import type { StoredObject } from "./model.ts";

/** Which page. */
export interface ListQuery {
  readonly prefix: string;
  /** Empty: nothing is folded. */
  readonly delimiter: string;
  /** Strictly after this key; after a common prefix, behind all that it stands for. Empty: from the beginning. */
  readonly after: string;
  /** Most entries, keys and common prefixes together. */
  readonly maxKeys: number;
  /** Only keys for which it holds; it is asked of every key on the way, so a page then costs what is passed over too. */
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

/** The common prefix that a key folds into. */
function fold(key: string, { prefix, delimiter }: ListQuery): string | undefined {
  const found = delimiter === "" ? -1 : key.indexOf(delimiter, prefix.length);
  return found < 0 ? undefined : key.slice(0, found + delimiter.length);
}

/** Index of the first key behind all that begin with `prefix`. */
function behind(keys: readonly string[], prefix: string): number {
  return lowerBound(keys, (key) => compareKeys(key, prefix) > 0 && !key.startsWith(prefix));
}

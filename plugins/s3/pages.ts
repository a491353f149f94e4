/** Pages of the read-back API of the catalog: objects of a bucket, and versions of a key. */
import { LongList } from "../../core/bytes/long_list.ts";
import { compact } from "../../core/compact.ts";
import { count, text } from "../../core/http/params.ts";
import type { Bucket } from "./catalog/bucket.ts";
import { checkVersionId } from "./catalog/find_version.ts";
import { listBucket, type ListQuery } from "./catalog/listing.ts";
import { idOf, type StoredObject, type Version } from "./catalog/model.ts";
import { countOlder } from "./catalog/version_table.ts";
import { readToken, writeToken } from "./http/list_token.ts";
import { listUrl, type ObjectsView, toBucket, toObject, versionsUrl } from "./views.ts";

const MAX_KEYS = 1000;

/** Parameters of a page of versions. */
export const VERSIONS_QUERY = {
  max_versions: count("Maximum number of entries; at most, and by default, 1000"),
  after: text("Id of a version: only older ones"),
};

/** Parameters of a page of objects. */
export const LIST_QUERY = {
  prefix: text("Only keys with this prefix"),
  delimiter: text("Group keys that share everything up to this into common prefixes"),
  start_after: text("Only entries strictly after this key or common prefix"),
  continuation: text("Token of the previous page; takes precedence over start_after"),
  max_keys: count("Maximum number of entries; at most, and by default, 1000"),
  search: text("Only keys that contain this text, ignoring case"),
};

/** A page of the versions of a key. */
export interface VersionsPage {
  /** Newest first. */
  readonly versions: readonly Version[];
  /** Number for the key, over all pages. */
  readonly count: number;
  /** Link to the next page. */
  readonly next: string | undefined;
}

/** Returns one page of the versions of a key. */
export function pageOfVersions(
  bucket: Bucket,
  { key, after, max_versions = MAX_KEYS }: {
    readonly key: string;
    readonly after?: string | undefined;
    readonly max_versions?: number | undefined;
  },
): VersionsPage {
  checkVersionId(after, "after");
  const all = bucket.versions(key);
  const end = after === undefined
    ? all.length
    : countOlder(all, { id: after, found: bucket.version(key, after) });
  const most = Math.min(max_versions, MAX_KEYS);
  const start = Math.max(0, end - most);
  const versions = all.slice(start, end).reverse();
  const last = versions.at(-1);
  const next = start === 0 || last === undefined
    ? undefined
    : versionsUrl(bucket.name, { key, after: idOf(last), max_versions: String(most) });
  return { versions, count: all.length, next };
}

/** A page before it is written. */
export type UnwrittenObjects = Omit<ObjectsView, "objects" | "common_prefixes"> & {
  readonly objects: LongList<StoredObject>;
  readonly common_prefixes: LongList<string>;
};

/** Returns one page of a bucket. */
export function toPage(
  bucket: Bucket,
  self: string,
  query: { [K in keyof typeof LIST_QUERY]: ReturnType<(typeof LIST_QUERY)[K]["read"]> },
): UnwrittenObjects {
  const { prefix = "", delimiter = "", start_after, continuation } = query;
  const maxKeys = Math.min(query.max_keys ?? MAX_KEYS, MAX_KEYS);
  const after = continuation === undefined ? start_after ?? "" : readToken(continuation);
  const accepts = holding(query.search);
  const listing = listBucket(bucket, { prefix, delimiter, after, maxKeys, ...accepts });
  const token = listing.truncated ? writeToken(listing.last) : undefined;
  const asked = {
    ...compact({ prefix: prefix || undefined, delimiter: delimiter || undefined }),
  };
  const search: Record<string, string> = accepts === undefined
    ? {}
    : { search: query.search ?? "" };
  const next = { ...asked, ...search, continuation: token ?? "", max_keys: String(maxKeys) };
  return {
    bucket: toBucket(bucket),
    objects: new LongList(listing.objects, (object) => toObject(bucket.name, object)),
    common_prefixes: new LongList(listing.prefixes, (folded) => ({
      prefix: folded,
      list: listUrl(bucket.name, { prefix: folded, delimiter, ...search }),
    })),
    is_truncated: listing.truncated,
    max_keys: maxKeys,
    self,
    ...asked,
    ...compact({ start_after, continuation_token: continuation }),
    ...(token === undefined ? {} : {
      next_continuation_token: token,
      next: listUrl(bucket.name, next),
    }),
  };
}

/** Filters keys by a text. Absent for an empty one, so that no key is tested. */
function holding(text = ""): Pick<ListQuery, "accepts"> | undefined {
  const wanted = text.toLowerCase();
  return wanted === "" ? undefined : { accepts: (key) => key.toLowerCase().includes(wanted) };
}

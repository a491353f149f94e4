/** Version ids in requests and responses (Amazon S3 user guide, "How S3 Versioning works"). */
import type { Bucket } from "../catalog/bucket.ts";
import { findVersion } from "../catalog/find_version.ts";
import { type DeleteEntry, idOf, NULL_VERSION, type StoredObject } from "../catalog/model.ts";
import type { S3Request } from "./request.ts";

/** Returns the key and version in the path and `versionId`. */
export function entryOf({ target, query }: S3Request): DeleteEntry {
  return { key: target.key, version: query.get("versionId") ?? undefined };
}

/** Returns the object that a request reads, or `changes`. Throws `NoSuchBucket`, and as `findVersion` does. */
export function findObject(
  request: S3Request,
  { changes = false }: { changes?: boolean } = {},
): StoredObject {
  const bucket = request.catalog.bucket(request.target.bucket);
  return findVersion(bucket, { ...entryOf(request), changes });
}

/** Names the version of an object if its bucket has versions or the request named it. */
export function versionHeaders(
  { catalog, target, query }: S3Request,
  object: StoredObject,
): Record<string, string> {
  const isTold = query.has("versionId") ||
    catalog.findBucket(target.bucket)?.versioning !== undefined;
  return isTold ? { "x-amz-version-id": idOf(object) } : {};
}

/** Names the version that a request created; S3 does not while versioning is suspended. */
export function newVersionHeaders(id: string | undefined): Record<string, string> {
  return id === undefined || id === NULL_VERSION ? {} : { "x-amz-version-id": id };
}

/** Names the version that a copy read. */
export function sourceHeaders(
  { versioning }: Bucket,
  { asked, object }: { asked: string | undefined; object: StoredObject },
): Record<string, string> {
  const isTold = asked !== undefined || versioning !== undefined;
  return isTold ? { "x-amz-copy-source-version-id": idOf(object) } : {};
}

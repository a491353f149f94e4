/** Finds the object that a request names by its key, or by key and version. */
import { S3Error } from "../errors.ts";
import type { Bucket } from "./bucket.ts";
import { idOf, isMarker, NULL_VERSION, type StoredObject, type Version } from "./model.ts";

/** The requested object. */
export interface Wanted {
  readonly key: string;
  /** By default the current object. */
  readonly version?: string | undefined;
  /** Whether to change it: S3 then refuses any delete marker like one named by its id. */
  readonly changes?: boolean;
}

/** Ids as S3 generates them; it refuses others with `InvalidArgument`, without a search. */
const ISSUED = /^[\w.-]{32}$/;

/** Throws `InvalidArgument` for an invalid version id; `undefined` is valid. */
export function checkVersionId(id: string | undefined, name = "versionId"): void {
  if (id === undefined || id === NULL_VERSION || ISSUED.test(id)) return;
  throw new S3Error(
    "InvalidArgument",
    `Cannot use ${name} "${id}": expected "${NULL_VERSION}", or an id from this store`,
  );
}

/**
 * Throws `NoSuchKey`, `NoSuchVersion`, `InvalidArgument` for an invalid id, and `MethodNotAllowed` for a delete
 * marker (Amazon S3 user guide, "Working with delete markers").
 */
export function findVersion(
  bucket: Bucket,
  { key, version, changes = false }: Wanted,
): StoredObject {
  checkVersionId(version);
  const isNamed = version !== undefined &&
    (bucket.versioning !== undefined || version !== NULL_VERSION);
  const found = isNamed ? bucket.version(key, version) : bucket.newest(key);
  if (found !== undefined && !isMarker(found)) return found;
  if (found !== undefined && (isNamed || changes)) {
    throw new S3Error(
      "MethodNotAllowed",
      `Cannot use version "${
        idOf(found)
      }" of key "${key}": it is a delete marker, which can be deleted`,
      { ...markerHeaders(found), allow: "DELETE", "last-modified": found.modified.toUTCString() },
    );
  }
  if (isNamed) throw noSuchVersion(version);
  throw new S3Error(
    "NoSuchKey",
    `Cannot find key "${key}" in bucket "${bucket.name}"`,
    found === undefined ? {} : markerHeaders(found),
  );
}

/** Returns the header fields that name a delete marker. */
export function markerHeaders(marker: Version): Record<string, string> {
  return { "x-amz-delete-marker": "true", "x-amz-version-id": idOf(marker) };
}

/** Returns the error for an unknown id. */
export function noSuchVersion(id: string): S3Error {
  return new S3Error(
    "NoSuchVersion",
    `Cannot find version "${id}": it was deleted, never existed, or belongs to another key`,
  );
}

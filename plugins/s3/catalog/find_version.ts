/** The object that a request names by its key, or by its key and a version. */
import { S3Error } from "../errors.ts";
import type { Bucket } from "./bucket.ts";
import { idOf, isMarker, NULL_VERSION, type StoredObject, type Version } from "./model.ts";

/** Which object is asked for. */
export interface Wanted {
  readonly key: string;
  /** The current object unless given. */
  readonly version?: string | undefined;
  /** Whether it is to be changed: S3 then refuses a delete marker as it does one that is named by its id. */
  readonly changes?: boolean;
}

/** Ids that S3 gives out; another is refused with `InvalidArgument` there, without a search for it. */
const ISSUED = /^[\w.-]{32}$/;

/** Throws `InvalidArgument` for what no version can be called; `undefined` for none is fine. */
export function checkVersionId(id: string | undefined, name = "versionId"): void {
  if (id === undefined || id === NULL_VERSION || ISSUED.test(id)) return;
  throw new S3Error(
    "InvalidArgument",
    `Cannot use ${name} "${id}": expected "${NULL_VERSION}", or an id that this store gave out`,
  );
}

/**
 * Throws `NoSuchKey`, `NoSuchVersion`, `InvalidArgument` for an id that is none, and `MethodNotAllowed` for a delete
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

/** Fields that name a delete marker. */
export function markerHeaders(marker: Version): Record<string, string> {
  return { "x-amz-delete-marker": "true", "x-amz-version-id": idOf(marker) };
}

/** What an unknown id is refused with. */
export function noSuchVersion(id: string): S3Error {
  return new S3Error(
    "NoSuchVersion",
    `Cannot find version "${id}": it was deleted, never there, or is one of another key`,
  );
}

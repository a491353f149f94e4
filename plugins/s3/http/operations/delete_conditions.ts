/** Conditions of a deletion: of one object, or of an entry among many. */
import type { Bucket } from "../../catalog/bucket.ts";
import { checkVersionId, noSuchVersion } from "../../catalog/find_version.ts";
import type { LockAccess } from "../../catalog/lock.ts";
import { type DeleteEntry, isMarker, NULL_VERSION } from "../../catalog/model.ts";
import { checkDelete, type DeleteConditions } from "../../codec/conditions.ts";
import { S3Error } from "../../errors.ts";
import { checkUnlocked } from "../lock.ts";
import { readDate } from "../request.ts";

/** Source of each condition. */
export type Names = { readonly [C in keyof DeleteConditions]-?: string };

/**
 * Reads the conditions, each by its name. `code` is the error for an invalid time or size: header fields are arguments,
 * elements are a part of the document.
 */
export function readDeleteConditions(
  read: (name: string) => string | null | undefined,
  names: Names,
  code: "InvalidArgument" | "MalformedXML",
): DeleteConditions {
  const modified = readDate(names.modified, read(names.modified), code);
  const size = read(names.size) ?? undefined;
  if (size !== undefined && !/^\d{1,15}$/.test(size)) {
    throw new S3Error(
      code,
      `Cannot read ${names.size} "${size}": expected an integer of at least 0`,
    );
  }
  return {
    match: read(names.match) ?? undefined,
    modified,
    size: size === undefined ? undefined : Number(size),
  };
}

/**
 * Checks the conditions of an entry. Throws `PreconditionFailed`, `NoSuchKey` for a tag without an object,
 * `NoSuchVersion` for a tag without that version, and `InvalidArgument` for an invalid id. In a bucket with versions, a
 * missing version counts as deleted, so that a deletion can be repeated. Throws `AccessDenied` for a locked version, and
 * `NotImplemented` for a size or time where a delete marker would be created without an object to compare.
 */
export function checkDeletion(
  bucket: Bucket,
  { key, version }: DeleteEntry,
  { conditions, names, access }: {
    readonly conditions: DeleteConditions;
    readonly names: Names;
    readonly access: LockAccess;
  },
): void {
  checkVersionId(version);
  const found = version === undefined ? bucket.get(key) : bucket.version(key, version);
  const isUnknown = version !== undefined && version !== NULL_VERSION && found === undefined;
  if (isUnknown && bucket.versioning === undefined) throw noSuchVersion(version);
  // A delete marker has no tag and no bytes.
  const held = found !== undefined && isMarker(found) ? { ...found, etag: "", size: 0 } : found;
  const verdict = checkDelete(conditions, held);
  if (verdict === "missing") {
    if (isUnknown) throw noSuchVersion(version);
    throw new S3Error("NoSuchKey", "Cannot delete under a condition: no object has this key");
  }
  if (verdict === "failed") {
    throw new S3Error("PreconditionFailed", "Cannot delete: a condition does not hold");
  }
  if (found === undefined && version === undefined && bucket.versioning !== undefined) {
    refuseUncompared(conditions, names);
  }
  // Without an id the version stays, behind a delete marker.
  if (version !== undefined) checkUnlocked(found, access);
}

/**
 * Only directory buckets have these conditions, and succeed without an object; they have no versions (Amazon S3 API
 * reference, DeleteObject). For a bucket with versions nothing is documented.
 */
function refuseUncompared({ size, modified }: DeleteConditions, names: Names): void {
  if (size === undefined && modified === undefined) return;
  const name = size === undefined ? names.modified : names.size;
  throw new S3Error(
    "NotImplemented",
    `Cannot delete under ${name}: the bucket has versions, but no current object to compare; ` +
      `expected ${names.match}, or no condition`,
  );
}

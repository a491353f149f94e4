/** Conditions on a deletion, of one object or of an entry of many. */
import type { Bucket } from "../../catalog/bucket.ts";
import { checkVersionId, noSuchVersion } from "../../catalog/find_version.ts";
import { type DeleteEntry, isMarker, NULL_VERSION } from "../../catalog/model.ts";
import { checkDelete, type DeleteConditions } from "../../codec/conditions.ts";
import { S3Error } from "../../errors.ts";
import { readDate } from "../request.ts";

/** Where each of the conditions stands. */
type Names = { readonly [C in keyof DeleteConditions]-?: string };

/**
 * Reads the conditions, each by its name. `code` is that of the error for a text that is no time or no size: header
 * fields are arguments, elements are a part of the document.
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
 * Holds the conditions against what an entry is about. Throws `PreconditionFailed`, `NoSuchKey` for a tag where there is
 * no object, `NoSuchVersion` for one where there is no such version, and `InvalidArgument` for an id that is none. In a
 * bucket with versions, one that is not there is as good as deleted, so that a deletion can be sent again.
 */
export function checkDeletion(
  bucket: Bucket,
  { key, version }: DeleteEntry,
  conditions: DeleteConditions,
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
    throw new S3Error("NoSuchKey", "Cannot delete under a condition: nothing has this key");
  }
  if (verdict === "failed") {
    throw new S3Error("PreconditionFailed", "Cannot delete: a condition does not hold");
  }
}

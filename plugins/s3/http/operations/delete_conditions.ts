/** Conditions on a deletion, of one object or of an entry of many. */
import type { StoredObject } from "../../catalog/model.ts";
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

/** Throws `PreconditionFailed`, or `NoSuchKey` for a tag where there is no object. */
export function checkDeletion(conditions: DeleteConditions, object?: StoredObject): void {
  const verdict = checkDelete(conditions, object);
  if (verdict === "missing") {
    throw new S3Error("NoSuchKey", "Cannot delete under a condition: nothing has this key");
  }
  if (verdict === "failed") {
    throw new S3Error("PreconditionFailed", "Cannot delete: a condition does not hold");
  }
}

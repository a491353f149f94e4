/** The object that a copy reads. */
import type { StoredObject } from "../../catalog/model.ts";
import { checkConditions } from "../../codec/conditions.ts";
import { readCopySource, type Target } from "../../codec/target.ts";
import { S3Error } from "../../errors.ts";
import { readConditions, type S3Request } from "../request.ts";

/** Where it is, and what it is. */
export interface CopySource {
  readonly target: Target;
  readonly object: StoredObject;
}

/** Finds the source and checks the conditions on it. */
export function findSource({ catalog, call }: S3Request): CopySource {
  const header = call.headers.get("x-amz-copy-source") ?? "";
  const target = readCopySource(header);
  if (target === undefined) {
    throw new S3Error(
      "InvalidArgument",
      `Cannot read x-amz-copy-source "${header}": expected bucket/key, percent-encoded`,
    );
  }
  const object = catalog.object(catalog.bucket(target.bucket), target.key);
  if (checkConditions(readConditions(call.headers, "x-amz-copy-source-"), object) !== "go on") {
    throw new S3Error("PreconditionFailed", "Cannot copy: a condition on the source does not hold");
  }
  return { target, object };
}

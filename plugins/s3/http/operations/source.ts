/** The source object of a copy. */
import type { Bucket } from "../../catalog/bucket.ts";
import { findVersion } from "../../catalog/find_version.ts";
import type { StoredObject } from "../../catalog/model.ts";
import { checkConditions } from "../../codec/conditions.ts";
import { readCopySource, type SourceTarget } from "../../codec/target.ts";
import { S3Error } from "../../errors.ts";
import { checkObjectKey, SOURCE_FIELDS } from "../customer_key.ts";
import { readConditions, type S3Request } from "../request.ts";
import { sourceHeaders } from "../versions.ts";

/** Its location and properties. */
export interface CopySource {
  readonly target: SourceTarget;
  readonly object: StoredObject;
  /** Header fields of the response about the source. */
  readonly headers: Record<string, string>;
}

/** Finds the source and checks its conditions. */
export function findSource({ catalog, call }: S3Request): CopySource {
  const header = call.headers.get("x-amz-copy-source") ?? "";
  const target = readCopySource(header);
  if (target === undefined) {
    throw new S3Error(
      "InvalidArgument",
      `Cannot read x-amz-copy-source "${header}": expected bucket/key[?versionId=id], ` +
        "percent-encoded",
    );
  }
  const bucket = catalog.bucket(target.bucket);
  const object = findSourceVersion(bucket, target);
  checkObjectKey(call.headers, object.encryption, SOURCE_FIELDS);
  if (checkConditions(readConditions(call.headers, "x-amz-copy-source-"), object) !== "go on") {
    throw new S3Error("PreconditionFailed", "Cannot copy: a condition on the source does not hold");
  }
  return { target, object, headers: sourceHeaders(bucket, { asked: target.version, object }) };
}

/** A delete marker named by its id has its own error here (Amazon S3 API reference, CopyObject). */
function findSourceVersion(bucket: Bucket, target: SourceTarget): StoredObject {
  try {
    return findVersion(bucket, target);
  } catch (error) {
    if (!(error instanceof S3Error) || error.code !== "MethodNotAllowed") throw error;
    throw new S3Error("InvalidRequest", `Cannot copy version "${target.version}": a delete marker`);
  }
}

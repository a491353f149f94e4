/** The object that a copy reads. */
import type { StoredObject } from "../../catalog/model.ts";
import { checkConditions } from "../../codec/conditions.ts";
import { readCopySource, type SourceTarget } from "../../codec/target.ts";
import { S3Error } from "../../errors.ts";
import { readConditions, type S3Request } from "../request.ts";
import { checkVersion } from "../versions.ts";

/** Where it is, and what it is. */
export interface CopySource {
  readonly target: SourceTarget;
  readonly object: StoredObject;
}

/** Names the version of the source in the answer to a request that named it. */
export function sourceVersion({ target: { version } }: CopySource): Record<string, string> {
  return version === undefined ? {} : { "x-amz-copy-source-version-id": version };
}

/** Finds the source and checks the conditions on it. */
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
  checkVersion(target.version);
  const object = catalog.object(bucket, target.key);
  if (checkConditions(readConditions(call.headers, "x-amz-copy-source-"), object) !== "go on") {
    throw new S3Error("PreconditionFailed", "Cannot copy: a condition on the source does not hold");
  }
  return { target, object };
}

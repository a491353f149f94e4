/**
 * Version ids in requests. No bucket here has versions, so that each object has the one version "null" (Amazon S3 user
 * guide, "How S3 Versioning works").
 */
import type { StoredObject } from "../catalog/model.ts";
import { S3Error } from "../errors.ts";
import type { S3Request } from "./request.ts";

/** Id of the only version that an object has. */
const NULL_VERSION = "null";

/** Ids that S3 gives out; another is refused with `InvalidArgument` there, without a search for it. */
const ISSUED = /^[\w.-]{32}$/;

/** Throws `InvalidArgument` and `NoSuchVersion` for an id that is not "null"; `undefined` for none. */
export function checkVersion(id: string | undefined): void {
  if (id === undefined || id === NULL_VERSION) return;
  if (ISSUED.test(id)) throw noSuchVersion(id);
  throw new S3Error("InvalidArgument", `Cannot use versionId "${id}": expected "${NULL_VERSION}"`);
}

/** As an entry of DeleteObjects has it, which never tells a malformed id from an unknown one. */
export function checkListedVersion(id: string | undefined): void {
  if (id !== undefined && id !== NULL_VERSION) throw noSuchVersion(id);
}

function noSuchVersion(id: string): S3Error {
  return new S3Error(
    "NoSuchVersion",
    `Cannot find version "${id}": this store has no versions, every object is its version ` +
      `"${NULL_VERSION}"`,
  );
}

/** The object that the path and `versionId` name. Throws `NoSuchBucket`, `NoSuchVersion` and `NoSuchKey`. */
export function findObject({ catalog, target, query }: S3Request): StoredObject {
  const bucket = catalog.bucket(target.bucket);
  checkVersion(query.get("versionId") ?? undefined);
  return catalog.object(bucket, target.key);
}

/** Names the version in the answer to a request that named it. */
export function versionHeaders({ query }: S3Request): Record<string, string> {
  return query.has("versionId") ? { "x-amz-version-id": NULL_VERSION } : {};
}

import { tellObject } from "../../capture.ts";
import { empty } from "../reply.ts";
import type { Operation } from "../request.ts";
import { checkVersion, versionHeaders } from "../versions.ts";
import { checkDeletion, readDeleteConditions } from "./delete_conditions.ts";

const CONDITIONS = {
  match: "if-match",
  modified: "x-amz-if-match-last-modified-time",
  size: "x-amz-if-match-size",
} as const;

/** DeleteObject: `DELETE /bucket/key`. A key that is not there is as good as deleted, unless a condition asks for it. */
export const deleteObject: Operation = async (request) => {
  const { catalog, target, call, query, actor } = request;
  const bucket = catalog.bucket(target.bucket);
  checkVersion(query.get("versionId") ?? undefined);
  const read = (name: string): string | null => call.headers.get(name);
  const conditions = readDeleteConditions(read, CONDITIONS, "InvalidArgument");
  checkDeletion(conditions, bucket.get(target.key));
  const object = await catalog.delete(bucket, target.key);
  if (object !== undefined) {
    tellObject(actor, object, { operation: "object.delete", bucket: bucket.name });
  }
  return empty(204, versionHeaders(request));
};

import { tellDeletion } from "../../capture.ts";
import { markerHeaders } from "../../catalog/find_version.ts";
import { type Deletion, isMarker } from "../../catalog/model.ts";
import { lockAccess } from "../lock.ts";
import { empty } from "../reply.ts";
import type { Operation, S3Request } from "../request.ts";
import { entryOf } from "../versions.ts";
import { checkDeletion, readDeleteConditions } from "./delete_conditions.ts";

const CONDITIONS = {
  match: "if-match",
  modified: "x-amz-if-match-last-modified-time",
  size: "x-amz-if-match-size",
} as const;

/**
 * DeleteObject: `DELETE /bucket/key`. A missing key counts as deleted, unless a condition requires it. In a bucket with
 * versions the object stays behind a delete marker, and `versionId` deletes one version permanently.
 */
export const deleteObject: Operation = async (request) => {
  const { catalog, target, call, actor } = request;
  const bucket = catalog.bucket(target.bucket);
  const entry = entryOf(request);
  const read = (name: string): string | null => call.headers.get(name);
  const conditions = readDeleteConditions(read, CONDITIONS, "InvalidArgument");
  const access = lockAccess(request);
  const check = (): void => checkDeletion(bucket, entry, { conditions, names: CONDITIONS, access });
  const deletion = await catalog.delete(bucket, entry, check);
  if (deletion !== undefined) tellDeletion(actor, bucket.name, deletion);
  return empty(204, toHeaders(request, deletion));
};

function toHeaders({ query }: S3Request, deletion: Deletion | undefined): Record<string, string> {
  const { marker, removed } = deletion ?? {};
  if (marker !== undefined) return markerHeaders(marker);
  if (removed !== undefined && isMarker(removed)) return markerHeaders(removed);
  const asked = query.get("versionId");
  return asked === null ? {} : { "x-amz-version-id": asked };
}

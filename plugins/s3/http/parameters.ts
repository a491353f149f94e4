/**
 * Parameters of the query, with the operations that read them (Amazon S3 API reference). Another operation would ignore
 * them and answer something else, so it refuses them. Names that S3 has nowhere pass, as they do there: SDKs and caches
 * add some of their own.
 *
 * @module
 */
import { S3Error } from "../errors.ts";
import type { OperationName } from "./operation_name.ts";

const READS: readonly OperationName[] = ["GetObject", "HeadObject"];
const LISTS: readonly OperationName[] = ["ListObjects", "ListObjectsV2", "ListObjectVersions"];
const FOLDS: readonly OperationName[] = [...LISTS, "ListMultipartUploads"];
const MARKED: readonly OperationName[] = ["ListObjectVersions", "ListMultipartUploads"];

const TAKERS: ReadonlyMap<string, readonly OperationName[]> = new Map<
  string,
  readonly OperationName[]
>([
  ["versionId", [
    ...READS,
    "DeleteObject",
    "GetObjectAcl",
    "PutObjectAcl",
    "GetObjectAttributes",
    "GetObjectLegalHold",
    "PutObjectLegalHold",
    "GetObjectRetention",
    "PutObjectRetention",
    "GetObjectTagging",
    "PutObjectTagging",
    "DeleteObjectTagging",
  ]],
  ["partNumber", [...READS, "UploadPart", "UploadPartCopy"]],
  ["response-cache-control", READS],
  ["response-content-disposition", READS],
  ["response-content-encoding", READS],
  ["response-content-language", READS],
  ["response-content-type", READS],
  ["response-expires", READS],
  ["prefix", ["ListBuckets", ...FOLDS]],
  ["delimiter", FOLDS],
  ["encoding-type", FOLDS],
  ["max-keys", LISTS],
  ["marker", ["ListObjects"]],
  ["list-type", ["ListObjectsV2"]],
  ["continuation-token", ["ListBuckets", "ListObjectsV2"]],
  ["start-after", ["ListObjectsV2"]],
  ["fetch-owner", ["ListObjectsV2"]],
  ["key-marker", MARKED],
  ["version-id-marker", ["ListObjectVersions"]],
  ["upload-id-marker", ["ListMultipartUploads"]],
  ["max-uploads", ["ListMultipartUploads"]],
  ["max-parts", ["ListParts"]],
  ["part-number-marker", ["ListParts"]],
  ["max-buckets", ["ListBuckets"]],
  ["bucket-region", ["ListBuckets"]],
]);

/** Only operations that this store lacks read these. */
const WITHOUT: ReadonlySet<string> = new Set([
  "annotation-prefix",
  "annotationName",
  "id",
  "max-annotation-results",
  "max-directory-buckets",
  "select-type",
]);

/** Returns whether S3 has a parameter of that name. */
export function isParameter(name: string): boolean {
  return TAKERS.has(name) || /^x-amz-/i.test(name);
}

/** Throws `InvalidArgument` for a parameter of other operations, `NotImplemented` for one of unsupported operations. */
export function checkParameters(query: URLSearchParams, operation: OperationName): void {
  for (const name of query.keys()) {
    if (WITHOUT.has(name)) {
      throw new S3Error(
        "NotImplemented",
        `Cannot use ${name} with ${operation}: it belongs to operations that this store does not support`,
      );
    }
    const takers = TAKERS.get(name);
    if (takers === undefined || takers.includes(operation)) continue;
    throw new S3Error(
      "InvalidArgument",
      `Cannot use ${name} with ${operation}: it belongs to ${takers.join(", ")}`,
    );
  }
}

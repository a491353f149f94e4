/** Which operation a request asks for. */
import type { HeaderValues } from "../../../core/http/call.ts";
import { S3Error } from "../errors.ts";
import { abortUpload } from "./operations/abort_upload.ts";
import { completeUpload } from "./operations/complete_upload.ts";
import { copyObject } from "./operations/copy_object.ts";
import { createBucket } from "./operations/create_bucket.ts";
import { createUpload } from "./operations/create_upload.ts";
import { deleteBucket } from "./operations/delete_bucket.ts";
import { deleteObject } from "./operations/delete_object.ts";
import { deleteObjects } from "./operations/delete_objects.ts";
import { getBucketLocation } from "./operations/get_bucket_location.ts";
import { getBucketVersioning } from "./operations/get_bucket_versioning.ts";
import { getObject } from "./operations/get_object.ts";
import { getObjectAttributes } from "./operations/get_object_attributes.ts";
import { headBucket } from "./operations/head_bucket.ts";
import { listBuckets } from "./operations/list_buckets.ts";
import { listObjects, listObjectsV2 } from "./operations/list_objects.ts";
import { listParts } from "./operations/list_parts.ts";
import { listUploads } from "./operations/list_uploads.ts";
import { putObject } from "./operations/put_object.ts";
import { uploadPart } from "./operations/upload_part.ts";
import { uploadPartCopy } from "./operations/upload_part_copy.ts";
import type { Operation, S3Request } from "./request.ts";

/** By `METHOD` or `METHOD sub-resource`. */
type Table = Readonly<Record<string, Operation>>;

const SERVICE: Table = { GET: listBuckets };

const BUCKET: Table = {
  GET: (request) =>
    request.query.get("list-type") === "2" ? listObjectsV2(request) : listObjects(request),
  PUT: createBucket,
  HEAD: headBucket,
  DELETE: deleteBucket,
  "GET location": getBucketLocation,
  "GET versioning": getBucketVersioning,
  "GET uploads": listUploads,
  "POST delete": deleteObjects,
};

const OBJECT: Table = {
  GET: getObject,
  HEAD: getObject,
  PUT: (request) => isCopy(request) ? copyObject(request) : putObject(request),
  DELETE: deleteObject,
  "GET attributes": getObjectAttributes,
  "POST uploads": createUpload,
  "PUT uploadId": (request) => isCopy(request) ? uploadPartCopy(request) : uploadPart(request),
  "POST uploadId": completeUpload,
  "DELETE uploadId": abortUpload,
  "GET uploadId": listParts,
};

/** Of `OBJECT`: what may name a version. */
const VERSIONED: ReadonlySet<string> = new Set(["GET", "HEAD", "DELETE", "GET attributes"]);

/** Sub-resources of S3 that are left out on purpose, or have no meaning here. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  "abac",
  "accelerate",
  "acl",
  "analytics",
  "cors",
  "encryption",
  "intelligent-tiering",
  "inventory",
  "legal-hold",
  "lifecycle",
  "logging",
  "metadataConfiguration",
  "metadataTable",
  "metrics",
  "notification",
  "object-lock",
  "ownershipControls",
  "policy",
  "policyStatus",
  "publicAccessBlock",
  "renameObject",
  "replication",
  "requestPayment",
  "restore",
  "retention",
  "select",
  "session",
  "tagging",
  "torrent",
  "versions",
  "website",
]);

/** The operation of a request. Throws `MethodNotAllowed` and `NotImplemented`. */
export function findOperation(request: S3Request): Operation {
  const { call, target, query } = request;
  if (call.method === "OPTIONS") throw refuseOptions(call.headers);
  checkLeftOut(query);
  const table = tableOf(request);
  const subresource = subresourceOf(table, query);
  const name = subresource === undefined ? call.method : `${call.method} ${subresource}`;
  const operation = table[name];
  if (query.has("versionId") && (table !== OBJECT || !VERSIONED.has(name))) throw refuseVersion();
  if (operation !== undefined) return operation;
  if (subresource === "versioning") throw leftOut(subresource);
  const what = target.key !== "" ? "an object" : target.bucket !== "" ? "a bucket" : "the service";
  throw new S3Error(
    "MethodNotAllowed",
    `Cannot ${name} ${what}: it takes ${Object.keys(table).join(", ")}`,
    { allow: [...new Set(Object.keys(table).map((key) => key.split(" ")[0]!))].join(", ") },
  );
}

function tableOf({ target }: S3Request): Table {
  if (target.bucket === "") return SERVICE;
  return target.key === "" ? BUCKET : OBJECT;
}

/** Names in the query that are sub-resources, for each table. */
const SUBRESOURCES: ReadonlyMap<Table, ReadonlySet<string>> = new Map(
  [SERVICE, BUCKET, OBJECT].map((table) => [
    table,
    new Set(Object.keys(table).flatMap((key) => key.split(" ").slice(1))),
  ]),
);

function subresourceOf(table: Table, query: URLSearchParams): string | undefined {
  if (query.size === 0) return undefined;
  return [...query.keys()].find((name) => SUBRESOURCES.get(table)?.has(name));
}

function checkLeftOut(query: URLSearchParams): void {
  for (const [name, value] of query) {
    if (value === "" && LEFT_OUT.has(name)) throw leftOut(name);
  }
}

function refuseVersion(): S3Error {
  return new S3Error(
    "InvalidArgument",
    "Cannot use versionId here: only reads and deletions of an object take one",
  );
}

function leftOut(name: string): S3Error {
  // Version 2 of the aws CLI asks for tags when it copies in parts.
  const wayOut = name === "tagging" ? "; use --copy-props metadata-directive with aws s3" : "";
  return new S3Error(
    "NotImplemented",
    `Cannot answer "${name}": this store has no versions, policies, ACLs, tags or rules${wayOut}`,
  );
}

/** No bucket has CORS rules. */
function refuseOptions(headers: HeaderValues): S3Error {
  if (headers.has("origin") && headers.has("access-control-request-method")) {
    return new S3Error("AccessForbidden", "Cannot allow this request: buckets have no CORS rules");
  }
  return new S3Error("BadRequest", "Cannot answer OPTIONS without Origin and request method");
}

function isCopy({ call }: S3Request): boolean {
  return call.headers.has("x-amz-copy-source");
}

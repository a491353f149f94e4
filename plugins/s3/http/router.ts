/** Finds the operation of a request. */
import { S3Error } from "../errors.ts";
import type { OperationName } from "./operation_name.ts";
import { abortUpload } from "./operations/abort_upload.ts";
import { createBucket, deleteBucket, getBucketLocation, headBucket } from "./operations/bucket.ts";
import { completeUpload } from "./operations/complete_upload.ts";
import { copyObject } from "./operations/copy_object.ts";
import { createUpload } from "./operations/create_upload.ts";
import { deleteObject } from "./operations/delete_object.ts";
import { deleteObjects } from "./operations/delete_objects.ts";
import { getBucketAcl, getObjectAcl } from "./operations/get_acl.ts";
import { getObject } from "./operations/get_object.ts";
import { getObjectAttributes } from "./operations/get_object_attributes.ts";
import { listBuckets } from "./operations/list_buckets.ts";
import { listObjects, listObjectsV2 } from "./operations/list_objects.ts";
import { listParts } from "./operations/list_parts.ts";
import { listObjectVersions } from "./operations/list_versions.ts";
import { listUploads } from "./operations/list_uploads.ts";
import {
  getLegalHold,
  getRetention,
  putLegalHold,
  putRetention,
} from "./operations/object_lock.ts";
import { postObject } from "./operations/post_object.ts";
import { deleteTags, getTags, putTags } from "./operations/object_tags.ts";
import { putObject } from "./operations/put_object.ts";
import { getPolicy, getPolicyStatus, putPolicy } from "./operations/policy.ts";
import { putBucketAcl, putObjectAcl } from "./operations/put_acl.ts";
import { deleteSetting, getSetting, putSetting } from "./operations/setting.ts";
import { uploadPart } from "./operations/upload_part.ts";
import { getBucketVersioning, putBucketVersioning } from "./operations/versioning.ts";
import { uploadPartCopy } from "./operations/upload_part_copy.ts";
import { checkParameters, isParameter } from "./parameters.ts";
import type { Operation, S3Request } from "./request.ts";

/** An operation with its name in the API reference. */
export type Found = readonly [name: OperationName, run: Operation];

/** By `METHOD` or `METHOD sub-resource`; a function where more decides. */
type Table = Readonly<Record<string, Found | ((request: S3Request) => Found)>>;

const SERVICE: Table = { GET: ["ListBuckets", listBuckets] };

const BUCKET: Table = {
  GET: findListing,
  PUT: ["CreateBucket", createBucket],
  HEAD: ["HeadBucket", headBucket],
  DELETE: ["DeleteBucket", deleteBucket],
  "GET acl": ["GetBucketAcl", getBucketAcl],
  "PUT acl": ["PutBucketAcl", putBucketAcl],
  "GET accelerate": ["GetBucketAccelerateConfiguration", getSetting("accelerate")],
  "PUT accelerate": ["PutBucketAccelerateConfiguration", putSetting("accelerate")],
  "GET cors": ["GetBucketCors", getSetting("cors")],
  "PUT cors": ["PutBucketCors", putSetting("cors")],
  "DELETE cors": ["DeleteBucketCors", deleteSetting("cors")],
  "GET tagging": ["GetBucketTagging", getSetting("tagging")],
  "PUT tagging": ["PutBucketTagging", putSetting("tagging")],
  "DELETE tagging": ["DeleteBucketTagging", deleteSetting("tagging")],
  "GET encryption": ["GetBucketEncryption", getSetting("encryption")],
  "PUT encryption": ["PutBucketEncryption", putSetting("encryption")],
  "DELETE encryption": ["DeleteBucketEncryption", deleteSetting("encryption")],
  "GET lifecycle": ["GetBucketLifecycleConfiguration", getSetting("lifecycle")],
  "PUT lifecycle": ["PutBucketLifecycleConfiguration", putSetting("lifecycle")],
  "DELETE lifecycle": ["DeleteBucketLifecycle", deleteSetting("lifecycle")],
  "GET logging": ["GetBucketLogging", getSetting("logging")],
  "PUT logging": ["PutBucketLogging", putSetting("logging")],
  "GET notification": ["GetBucketNotificationConfiguration", getSetting("notification")],
  "PUT notification": ["PutBucketNotificationConfiguration", putSetting("notification")],
  "GET object-lock": ["GetObjectLockConfiguration", getSetting("object-lock")],
  "PUT object-lock": ["PutObjectLockConfiguration", putSetting("object-lock")],
  "GET ownershipControls": ["GetBucketOwnershipControls", getSetting("ownershipControls")],
  "PUT ownershipControls": ["PutBucketOwnershipControls", putSetting("ownershipControls")],
  "DELETE ownershipControls": ["DeleteBucketOwnershipControls", deleteSetting("ownershipControls")],
  "GET policy": ["GetBucketPolicy", getPolicy],
  "PUT policy": ["PutBucketPolicy", putPolicy],
  "DELETE policy": ["DeleteBucketPolicy", deleteSetting("policy")],
  "GET policyStatus": ["GetBucketPolicyStatus", getPolicyStatus],
  "GET publicAccessBlock": ["GetPublicAccessBlock", getSetting("publicAccessBlock")],
  "PUT publicAccessBlock": ["PutPublicAccessBlock", putSetting("publicAccessBlock")],
  "DELETE publicAccessBlock": ["DeletePublicAccessBlock", deleteSetting("publicAccessBlock")],
  "GET replication": ["GetBucketReplication", getSetting("replication")],
  "PUT replication": ["PutBucketReplication", putSetting("replication")],
  "DELETE replication": ["DeleteBucketReplication", deleteSetting("replication")],
  "GET requestPayment": ["GetBucketRequestPayment", getSetting("requestPayment")],
  "PUT requestPayment": ["PutBucketRequestPayment", putSetting("requestPayment")],
  "GET website": ["GetBucketWebsite", getSetting("website")],
  "PUT website": ["PutBucketWebsite", putSetting("website")],
  "DELETE website": ["DeleteBucketWebsite", deleteSetting("website")],
  "GET location": ["GetBucketLocation", getBucketLocation],
  "GET versioning": ["GetBucketVersioning", getBucketVersioning],
  "PUT versioning": ["PutBucketVersioning", putBucketVersioning],
  "GET versions": ["ListObjectVersions", listObjectVersions],
  "GET uploads": ["ListMultipartUploads", listUploads],
  "POST delete": ["DeleteObjects", deleteObjects],
  POST: (request) => {
    if (isForm(request)) return ["PostObject", postObject];
    throw notAllowed(request, "POST");
  },
};

const OBJECT: Table = {
  GET: ["GetObject", getObject],
  HEAD: ["HeadObject", getObject],
  PUT: (request) => isCopy(request) ? ["CopyObject", copyObject] : ["PutObject", putObject],
  DELETE: ["DeleteObject", deleteObject],
  "GET acl": ["GetObjectAcl", getObjectAcl],
  "PUT acl": ["PutObjectAcl", putObjectAcl],
  "GET attributes": ["GetObjectAttributes", getObjectAttributes],
  "GET legal-hold": ["GetObjectLegalHold", getLegalHold],
  "PUT legal-hold": ["PutObjectLegalHold", putLegalHold],
  "GET retention": ["GetObjectRetention", getRetention],
  "PUT retention": ["PutObjectRetention", putRetention],
  "GET tagging": ["GetObjectTagging", getTags],
  "PUT tagging": ["PutObjectTagging", putTags],
  "DELETE tagging": ["DeleteObjectTagging", deleteTags],
  "POST uploads": ["CreateMultipartUpload", createUpload],
  "PUT uploadId": (request) =>
    isCopy(request) ? ["UploadPartCopy", uploadPartCopy] : ["UploadPart", uploadPart],
  "POST uploadId": ["CompleteMultipartUpload", completeUpload],
  "DELETE uploadId": ["AbortMultipartUpload", abortUpload],
  "GET uploadId": ["ListParts", listParts],
};

/** Sub-resources of S3 that are deliberately unsupported, or have no meaning here. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  "abac",
  "analytics",
  "annotation",
  "intelligent-tiering",
  "inventory",
  "metadataAnnotationTable",
  "metadataConfiguration",
  "metadataInventoryTable",
  "metadataJournalTable",
  "metadataTable",
  "metrics",
  "renameObject",
  "restore",
  "select",
  "session",
  "torrent",
]);

/**
 * Returns the operation of a request. Throws `MethodNotAllowed`, `NotImplemented`, and `InvalidArgument` for parameters
 * of other operations, or that contradict each other.
 */
export function findOperation(request: S3Request): Found {
  const { call, query } = request;
  const table = tableOf(request);
  const subresource = query.size === 0 ? undefined : subresourceOf(query);
  const name = subresource === undefined ? call.method : `${call.method} ${subresource}`;
  const entry = table[name];
  if (entry === undefined) throw notAllowed(request, name);
  const found = typeof entry === "function" ? entry(request) : entry;
  if (query.size > 0) {
    checkParameters(query, found[0]);
    checkFlags(query, found[0]);
  }
  return found;
}

function tableOf({ target }: S3Request): Table {
  if (target.bucket === "") return SERVICE;
  return target.key === "" ? BUCKET : OBJECT;
}

/** Names of all sub-resources in the query. */
const SUBRESOURCES: ReadonlySet<string> = new Set(
  [SERVICE, BUCKET, OBJECT].flatMap((table) =>
    Object.keys(table).flatMap((key) => key.split(" ").slice(1))
  ),
);

/** Names such as those of S3: letters and hyphens. */
const FLAG = /^[a-z][a-z-]*$/i;

/**
 * Throws `NotImplemented` for an unknown name without a value in a request that changes something: it may be a
 * sub-resource that S3 has got since, and `DELETE /bucket/key?name` must not delete the object itself.
 */
function checkFlags(query: URLSearchParams, operation: OperationName): void {
  if (/^(Get|Head|List)/.test(operation)) return;
  for (const [name, value] of query) {
    const isFlag = value === "" && FLAG.test(name);
    if (isFlag && !SUBRESOURCES.has(name) && !isParameter(name)) throw leftOut(name);
  }
}

function subresourceOf(query: URLSearchParams): string | undefined {
  const names = new Set<string>();
  for (const name of query.keys()) {
    if (LEFT_OUT.has(name)) throw leftOut(name);
    if (SUBRESOURCES.has(name)) names.add(name);
  }
  if (names.size < 2) return [...names][0];
  throw new S3Error("InvalidArgument", `Cannot answer ${[...names].join(" and ")} at once`);
}

function findListing({ query }: S3Request): Found {
  const type = query.get("list-type");
  if (type === null) return ["ListObjects", listObjects];
  if (type === "2") return ["ListObjectsV2", listObjectsV2];
  throw new S3Error("InvalidArgument", `Cannot use list-type "${type}": expected 2, or none`);
}

function notAllowed(request: S3Request, name: string): S3Error {
  const { target } = request;
  const table = tableOf(request);
  const what = target.key !== "" ? "an object" : target.bucket !== "" ? "a bucket" : "the service";
  return new S3Error(
    "MethodNotAllowed",
    `Cannot ${name} ${what}: it takes ${Object.keys(table).join(", ")}`,
    { allow: [...new Set(Object.keys(table).map((key) => key.split(" ")[0]!))].join(", ") },
  );
}

function leftOut(name: string): S3Error {
  return new S3Error(
    "NotImplemented",
    `Cannot answer "${name}": this store does not support it`,
  );
}

function isForm({ call }: S3Request): boolean {
  return /^multipart\/form-data\b/i.test(call.headers.get("content-type") ?? "");
}

function isCopy({ call }: S3Request): boolean {
  return call.headers.has("x-amz-copy-source");
}

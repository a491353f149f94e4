/** The catalog as shown in the API. */
import type { Static } from "@sinclair/typebox";
import { compact } from "../../core/compact.ts";
import { BlobRefShape } from "../../core/blobs/schema.ts";
import { Type } from "../../core/shape_type.ts";
import type { Bucket } from "./catalog/bucket.ts";
import { hasLocks } from "./catalog/lock.ts";
import type { Catalog } from "./catalog/catalog.ts";
import {
  type ContentHeaders,
  idOf,
  isMarker,
  type StoredObject,
  type Version,
} from "./catalog/model.ts";
import { describeProtection } from "./protection.ts";
import { EncryptionShape, RetentionShape } from "./schema.ts";
import type { Upload } from "./catalog/upload.ts";

const dateTime = (description: string): ReturnType<typeof Type.String> =>
  Type.String({ format: "date-time", description });

/** Totals of all buckets. */
export const StatsShape = Type.Object({
  active_uploads: Type.Integer({ description: "Open multipart uploads" }),
  buckets: Type.Integer({ description: "Number of buckets" }),
  bytes: Type.Integer({ description: "Of all objects" }),
  objects: Type.Integer({ description: "Number of objects" }),
  part_bytes: Type.Integer({ description: "Of all parts of active uploads" }),
  parts: Type.Integer({ description: "Parts of active uploads" }),
}, { $id: "s3.Stats" });

/** Links of a bucket. */
export const BucketLinksShape = Type.Object({
  self: Type.String({ description: "This bucket" }),
  objects: Type.String({ description: "Its objects" }),
}, { $id: "s3.BucketLinks" });

/** One bucket. */
export const BucketViewShape = Type.Object({
  name: Type.String({ description: "Name of the bucket" }),
  creation_time: dateTime("When it was created"),
  objects: Type.Integer({ description: "Current objects" }),
  bytes: Type.Integer({ description: "Bytes of its objects, earlier versions included" }),
  acl: Type.Optional(Type.String({ description: "Canned ACL, if set" })),
  object_lock: Type.Optional(
    Type.Boolean({ description: "Whether its versions can be locked; absent if not" }),
  ),
  versioning: Type.Optional(
    Type.String({ description: "Enabled or Suspended; absent for a bucket without versions" }),
  ),
  versions: Type.Optional(
    Type.Integer({ description: "Objects, earlier versions and delete markers" }),
  ),
  links: BucketLinksShape,
}, { $id: "s3.BucketView" });

/** Every bucket. */
export const BucketsViewShape = Type.Object({
  buckets: Type.Array(BucketViewShape, { description: "By name" }),
  stats: StatsShape,
  self: Type.String(),
}, { $id: "s3.BucketsView" });

/** Checksums in base64. */
export const ChecksumsShape = Type.Object({
  crc32: Type.Optional(Type.String()),
  crc32c: Type.Optional(Type.String()),
  crc64nvme: Type.Optional(Type.String()),
  sha1: Type.Optional(Type.String()),
  sha256: Type.Optional(Type.String()),
  type: Type.Optional(Type.String({ description: "FULL_OBJECT or COMPOSITE" })),
}, { $id: "s3.Checksums" });

/** Header fields stored with an object. */
export const ContentHeadersShape = Type.Object({
  cache_control: Type.Optional(Type.String()),
  content_disposition: Type.Optional(Type.String()),
  content_encoding: Type.Optional(Type.String()),
  content_language: Type.Optional(Type.String()),
  content_type: Type.Optional(Type.String()),
  expires: Type.String({ format: "date-time", description: "0001-01-01T00:00:00Z when unset" }),
}, { $id: "s3.ContentHeaders" });

/** Links of an object. */
export const ObjectLinksShape = Type.Object({
  self: Type.String({ description: "This object" }),
  content: Type.String({ description: "Its bytes" }),
  list: Type.String({ description: "Objects of its bucket" }),
  versions: Type.String({ description: "Versions of its key" }),
}, { $id: "s3.ObjectLinks" });

/** One object. */
export const ObjectViewShape = Type.Object({
  bucket: Type.String({ description: "Name of its bucket" }),
  key: Type.String({ description: "Key of the object" }),
  size: Type.Integer({ description: "Size in bytes" }),
  etag: Type.String({ description: "Without quotes" }),
  last_modified: dateTime("When it was stored"),
  blob: BlobRefShape,
  checksums: ChecksumsShape,
  headers: ContentHeadersShape,
  links: ObjectLinksShape,
  version_id: Type.Optional(Type.String({ description: "Only in a bucket with versions" })),
  acl: Type.Optional(Type.String({ description: "Canned ACL, if set" })),
  encryption: Type.Optional(EncryptionShape),
  retention: Type.Optional(RetentionShape),
  legal_hold: Type.Optional(Type.Boolean({ description: "Only for an object that had one" })),
  storage_class: Type.Optional(Type.String({ description: "Unless it is STANDARD" })),
  metadata: Type.Optional(
    Type.Record(Type.String(), Type.String(), { description: "User metadata, by name" }),
  ),
  tags: Type.Optional(
    Type.Record(Type.String(), Type.String(), { description: "Tags, if the object has any" }),
  ),
}, { $id: "s3.ObjectView" });

/** One version of a key. */
export const VersionViewShape = Type.Object({
  version_id: Type.String({ description: "Id of the version" }),
  is_latest: Type.Boolean({ description: "Whether it is the current version" }),
  delete_marker: Type.Boolean({
    description: "Whether it is a delete marker, which has no bytes",
  }),
  last_modified: dateTime("When it was stored"),
  size: Type.Optional(Type.Integer({ description: "Size in bytes" })),
  etag: Type.Optional(Type.String({ description: "Without quotes" })),
  encryption: Type.Optional(EncryptionShape),
  retention: Type.Optional(RetentionShape),
  legal_hold: Type.Optional(Type.Boolean({ description: "Only for a version that had one" })),
  links: Type.Object({
    self: Type.String({ description: "Takes DELETE" }),
    content: Type.Optional(Type.String({ description: "Its bytes" })),
    restore: Type.Optional(Type.String({ description: "Takes POST" })),
  }, { $id: "s3.VersionLinks" }),
}, { $id: "s3.VersionView" });

/** One page of the versions of a key. */
export const VersionsViewShape = Type.Object({
  bucket: Type.String({ description: "Name of the bucket" }),
  key: Type.String({ description: "Key of the versions" }),
  count: Type.Integer({ description: "Versions of the key, on all pages" }),
  versions: Type.Array(VersionViewShape, { description: "Newest first" }),
  next: Type.Optional(Type.String({ description: "The next page" })),
  self: Type.String(),
}, { $id: "s3.VersionsView" });

/** Keys with a common prefix up to the delimiter. */
export const CommonPrefixViewShape = Type.Object({
  prefix: Type.String({ description: "The prefix, delimiter included" }),
  list: Type.String({ description: "Listing of these keys" }),
}, { $id: "s3.CommonPrefixView" });

/** One page of a bucket. */
export const ObjectsViewShape = Type.Object({
  bucket: BucketViewShape,
  objects: Type.Array(ObjectViewShape, { description: "By key" }),
  common_prefixes: Type.Array(CommonPrefixViewShape, { description: "By prefix" }),
  is_truncated: Type.Boolean({ description: "Whether there is another page" }),
  max_keys: Type.Integer({ description: "Maximum number of entries, as applied" }),
  self: Type.String({ description: "This page" }),
  continuation_token: Type.Optional(Type.String({ description: "As requested" })),
  delimiter: Type.Optional(Type.String({ description: "As requested" })),
  next: Type.Optional(Type.String({ description: "The next page" })),
  next_continuation_token: Type.Optional(Type.String({ description: "Token of the next page" })),
  prefix: Type.Optional(Type.String({ description: "As requested" })),
  start_after: Type.Optional(Type.String({ description: "As requested" })),
}, { $id: "s3.ObjectsView" });

/** One open multipart upload. */
export const UploadViewShape = Type.Object({
  upload_id: Type.String({ description: "Id of the upload" }),
  bucket: Type.String({ description: "Name of its bucket" }),
  key: Type.String({ description: "Key of the future object" }),
  initiated: dateTime("When it was begun"),
  parts: Type.Integer({ description: "Parts uploaded so far" }),
  bytes: Type.Integer({ description: "Of these parts" }),
  content_type: Type.String({ description: "Type that the object will have" }),
  active: Type.Boolean({ description: "Whether a request is using it" }),
  links: Type.Object({ self: Type.String() }, { $id: "s3.UploadLinks" }),
}, { $id: "s3.UploadView" });

/** Open multipart uploads. */
export const UploadsViewShape = Type.Object({
  uploads: Type.Array(UploadViewShape, { description: "By key" }),
  self: Type.String(),
}, { $id: "s3.UploadsView" });

/** Result of a run of the lifecycle rules. */
export const LifecycleRunShape = Type.Object({
  expired: Type.Integer({ description: "Objects that were deleted" }),
  aborted: Type.Integer({ description: "Uploads that were aborted" }),
}, { $id: "s3.LifecycleRun", description: "Result of applying the lifecycle rules" });

/** Every bucket. */
export type BucketsView = Static<typeof BucketsViewShape>;
/** One bucket. */
export type BucketView = Static<typeof BucketViewShape>;
/** One object. */
export type ObjectView = Static<typeof ObjectViewShape>;
/** One page of a bucket. */
export type ObjectsView = Static<typeof ObjectsViewShape>;
/** One version of a key. */
export type VersionView = Static<typeof VersionViewShape>;
/** One open multipart upload. */
export type UploadView = Static<typeof UploadViewShape>;

const BASE = "/api/v1/s3/buckets";
const UPLOADS = "/api/v1/s3/uploads";
const NO_DATE = "0001-01-01T00:00:00Z";

/** Returns every bucket, by name. */
export function toBuckets(catalog: Catalog): BucketsView {
  return { buckets: catalog.buckets().map(toBucket), stats: catalog.stats, self: BASE };
}

/** One bucket. */
export function toBucket(bucket: Bucket): BucketView {
  const self = bucketUrl(bucket.name);
  return {
    name: bucket.name,
    creation_time: bucket.created.toISOString(),
    objects: bucket.size,
    bytes: bucket.bytes,
    ...compact({ acl: bucket.acl, versioning: bucket.versioning }),
    ...(hasLocks(bucket) ? { object_lock: true } : {}),
    ...(bucket.versioning === undefined ? {} : { versions: bucket.versionCount }),
    links: { self, objects: `${self}/objects` },
  };
}

/** One object. */
export function toObject(bucket: string, object: StoredObject): ObjectView {
  const { key, size, etag, blob, checksums, checksumType, metadata } = object;
  const place = bucketUrl(bucket);
  const path = encodePath(key);
  const names = Object.keys(metadata);
  return {
    bucket,
    key,
    size,
    etag,
    last_modified: object.modified.toISOString(),
    blob: { ...blob },
    checksums: {
      ...checksums,
      ...(Object.keys(checksums).length === 0 ? {} : { type: checksumType }),
    },
    headers: toContentHeaders(object.headers),
    links: {
      self: `${place}/objects/${path}`,
      content: `${place}/content/${path}`,
      list: `${place}/objects`,
      versions: `${place}/versions/${path}`,
    },
    ...compact({
      acl: object.acl,
      tags: object.tags && Object.fromEntries(object.tags),
      version_id: object.version?.id,
      storage_class: object.headers["x-amz-storage-class"],
    }),
    ...describeProtection(object),
    ...(names.length === 0 ? {} : {
      metadata: Object.fromEntries(names.map((name) => [name, fromBytes(metadata[name]!)])),
    }),
  };
}

/** One version of a key. */
export function toVersion(bucket: Bucket, version: Version): VersionView {
  const place = bucketUrl(bucket.name);
  const path = `${encodePath(version.key)}?version_id=${encodeURIComponent(idOf(version))}`;
  const isLatest = bucket.newest(version.key) === version;
  const self = `${place}/objects/${path}`;
  const about = {
    version_id: idOf(version),
    is_latest: isLatest,
    delete_marker: isMarker(version),
    last_modified: version.modified.toISOString(),
  };
  if (isMarker(version)) return { ...about, links: { self } };
  const restore = isLatest ? {} : { restore: `${place}/restore/${path}` };
  return {
    ...about,
    size: version.size,
    etag: version.etag,
    ...describeProtection(version),
    links: { self, content: `${place}/content/${path}`, ...restore },
  };
}

/** One open multipart upload. */
export function toUpload(upload: Upload): UploadView {
  const { id, start, initiated, parts } = upload;
  let bytes = 0;
  for (const part of parts.values()) bytes += part.size;
  return {
    upload_id: id,
    bucket: start.bucket,
    key: start.key,
    initiated: initiated.toISOString(),
    parts: parts.size,
    bytes,
    content_type: fromBytes(start.headers["content-type"] ?? ""),
    active: upload.busy,
    links: { self: `${UPLOADS}/${encodeURIComponent(id)}` },
  };
}

function toContentHeaders(headers: ContentHeaders): ObjectView["headers"] {
  const expires = Date.parse(headers.expires ?? "");
  const read = (name: string, field: string): Record<string, string> => {
    const value = headers[field];
    return value === undefined ? {} : { [name]: fromBytes(value) };
  };
  return {
    ...read("cache_control", "cache-control"),
    ...read("content_disposition", "content-disposition"),
    ...read("content_encoding", "content-encoding"),
    ...read("content_language", "content-language"),
    ...read("content_type", "content-type"),
    expires: Number.isNaN(expires) ? NO_DATE : new Date(expires).toISOString(),
  };
}

const strict = new TextDecoder("utf-8", { fatal: true });

/** Header values are byte strings; valid UTF-8 is decoded. */
function fromBytes(value: string): string {
  if (!/[^ -~]/.test(value)) return value;
  try {
    return strict.decode(Uint8Array.from(value, (char) => char.charCodeAt(0)));
  } catch {
    return value;
  }
}

/** Listing of a bucket. */
export function listUrl(bucket: string, query: Readonly<Record<string, string>>): string {
  const search = new URLSearchParams(query).toString();
  return `${bucketUrl(bucket)}/objects${search === "" ? "" : `?${search}`}`;
}

/** Returns the address of a page of a key's versions. */
export function versionsUrl(
  bucket: string,
  { key, ...query }: Readonly<Record<"key" | "after" | "max_versions", string>>,
): string {
  return `${bucketUrl(bucket)}/versions/${encodePath(key)}?${new URLSearchParams(query)}`;
}

function bucketUrl(bucket: string): string {
  return `${BASE}/${encodeURIComponent(bucket)}`;
}

/** Clients resolve `.` and `..` between slashes, so the slashes of such a key are encoded. */
function encodePath(key: string): string {
  const segments = key.split("/");
  const dotted = segments.some((segment) => segment === "." || segment === "..");
  return segments.map(encodeURIComponent).join(dotted ? "%2F" : "/");
}

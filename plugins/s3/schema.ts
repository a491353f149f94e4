/** JSON shapes of captured items. `model.ts` is generated from them, including their descriptions. */
import { BlobRefShape } from "../../core/blobs/schema.ts";
import { Type } from "../../core/shape_type.ts";
import { ENCRYPTION_ALGORITHMS, RETENTION_MODES } from "./catalog/model.ts";
import { described, flag, text, whole, words } from "../../core/shapes.ts";

/** Changes to buckets and objects. */
export const S3_OPERATIONS = [
  "bucket.create",
  "bucket.delete",
  "bucket.notification",
  "object.put",
  "object.copy",
  "object.delete",
  "object.tagging",
  "object.acl",
] as const;

/** Encryption of an object, as set by its sender or its bucket. */
export const EncryptionShape = Type.Object({
  algorithm: words(ENCRYPTION_ALGORITHMS, "As in x-amz-server-side-encryption"),
  kms_key_id: Type.Optional(text("Of a KMS key")),
  kms_context: Type.Optional(text("Base64 of a JSON object")),
  bucket_key: Type.Optional(flag("Whether a bucket key is used; absent if not")),
  customer_key_md5: Type.Optional(text("Only for a customer-provided key (SSE-C), in base64")),
}, { $id: "s3.Encryption", description: "Stated encryption of an object" });

/** Retention of a version. */
export const RetentionShape = Type.Object({
  mode: words(RETENTION_MODES, "Whether a bypass lifts it"),
  until: text("ISO 8601 time"),
}, { $id: "s3.Retention", description: "Retention of a version by object lock" });

export const S3OperationShape = Type.Object({
  operation: words(S3_OPERATIONS, "Operation and what it applies to"),
  bucket: text("Name of the bucket"),
  key: Type.Optional(text("Only for an object")),
  size: Type.Optional(whole("Size in bytes; only for an object")),
  etag: Type.Optional(text("Without quotes")),
  content_type: Type.Optional(text("Media type as stated by the sender")),
  blob: Type.Optional(
    described(BlobRefShape, "The bytes, readable while the object exists"),
  ),
  acl: Type.Optional(text("Canned ACL, if set")),
  tags: Type.Optional(
    Type.Record(Type.String(), Type.String(), { description: "Tags, if the object has any" }),
  ),
  version_id: Type.Optional(text("Only in a bucket with versions")),
  encryption: Type.Optional(
    described(
      EncryptionShape,
      "If set by its sender or bucket; the bytes are stored as received",
    ),
  ),
  retention: Type.Optional(
    described(RetentionShape, "Only for a version that object lock retains"),
  ),
  legal_hold: Type.Optional(flag("Only for a version that had one")),
  delete_marker: Type.Optional(
    words(
      ["created", "removed"],
      "Only for a deletion that created or removed a delete marker",
    ),
  ),
  source: Type.Optional(
    Type.Object({
      bucket: text("Name of its bucket"),
      key: text("Its key"),
      version_id: Type.Optional(text("Only in a bucket with versions")),
    }, { description: "Only of a copy" }),
  ),
  upload_id: Type.Optional(text("Only for a completed multipart upload")),
  parts: Type.Optional(whole("Only for a completed multipart upload")),
}, { $id: "s3.Operation", description: "A change to a bucket or object" });

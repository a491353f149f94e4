/** JSON shapes of what the plugin captures. `model.ts` is made from them, with the texts that they give. */
import { Type } from "@sinclair/typebox";
import { BlobRefShape } from "../../core/blobs/schema.ts";
import { described, text, whole, words } from "../../core/shapes.ts";

/** What can happen to buckets and objects. */
export const S3_OPERATIONS = [
  "bucket.create",
  "bucket.delete",
  "object.put",
  "object.copy",
  "object.delete",
] as const;

export const S3OperationShape = Type.Object({
  operation: words(S3_OPERATIONS, "What was done, and to what"),
  bucket: text("Name of the bucket"),
  key: Type.Optional(text("Only of an object")),
  size: Type.Optional(whole("Bytes; only of an object")),
  etag: Type.Optional(text("Without quotes")),
  content_type: Type.Optional(text("Media type as stated by the sender")),
  blob: Type.Optional(
    described(BlobRefShape, "The bytes, readable as long as the object is there"),
  ),
  acl: Type.Optional(text("Canned ACL, where the sender named one")),
  tags: Type.Optional(
    Type.Record(Type.String(), Type.String(), { description: "Tags, where the object has some" }),
  ),
  version_id: Type.Optional(text("Only in a bucket with versions")),
  delete_marker: Type.Optional(
    words(
      ["created", "removed"],
      "Only of a deletion that left a delete marker, or took one away",
    ),
  ),
  source: Type.Optional(
    Type.Object({
      bucket: text("Name of its bucket"),
      key: text("Its key"),
      version_id: Type.Optional(text("Only in a bucket with versions")),
    }, { description: "Only of a copy" }),
  ),
  upload_id: Type.Optional(text("Only of a completed multipart upload")),
  parts: Type.Optional(whole("Only of a completed multipart upload")),
}, { $id: "s3.Operation", description: "What happened to a bucket or object" });

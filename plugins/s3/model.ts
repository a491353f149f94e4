import { Type } from "@sinclair/typebox";
import type { BlobRef } from "../../core/blobs/blob.ts";
import { BlobRefShape } from "../../core/blobs/schema.ts";

/** What can happen to buckets and objects. */
export const S3_OPERATIONS = [
  "bucket.create",
  "bucket.delete",
  "object.put",
  "object.copy",
  "object.delete",
] as const;

/** JSON shape of what happened to a bucket or object: payload of every `s3.*` event. */
export const S3OperationShape = Type.Object({
  operation: Type.Union(S3_OPERATIONS.map((word) => Type.Literal(word))),
  bucket: Type.String(),
  key: Type.Optional(Type.String({ description: "Only of an object" })),
  size: Type.Optional(Type.Integer({ description: "Bytes; only of an object" })),
  etag: Type.Optional(Type.String({ description: "Without quotes" })),
  content_type: Type.Optional(Type.String()),
  blob: Type.Optional(BlobRefShape),
  source: Type.Optional(
    Type.Object({ bucket: Type.String(), key: Type.String() }, {
      description: "Only of a copy",
    }),
  ),
  upload_id: Type.Optional(Type.String({ description: "Only of a completed multipart upload" })),
  parts: Type.Optional(Type.Integer({ description: "Only of a completed multipart upload" })),
}, { $id: "s3.Operation" });

/** What happened to a bucket or object. */
export interface S3Operation {
  /** What was done, and to what. */
  readonly operation:
    | "bucket.create"
    | "bucket.delete"
    | "object.put"
    | "object.copy"
    | "object.delete";
  /** Name of the bucket. */
  readonly bucket: string;
  /** Only of an object. */
  readonly key?: string;
  /** Bytes; only of an object. */
  readonly size?: number;
  /** Without quotes. */
  readonly etag?: string;
  /** Media type as stated by the sender. */
  readonly content_type?: string;
  /** The bytes, readable as long as the object is there. */
  readonly blob?: BlobRef;
  /** Only of a copy. */
  readonly source?: { bucket: string; key: string };
  /** Only of a completed multipart upload. */
  readonly upload_id?: string;
  /** Only of a completed multipart upload. */
  readonly parts?: number;
}

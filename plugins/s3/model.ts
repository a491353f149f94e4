// Made from schema.ts by `deno task docs`: change the shapes there.
import type { BlobRef } from "../../core/blobs/blob.ts";

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
  /** Canned ACL, where the sender named one. */
  readonly acl?: string;
  /** Tags, where the object has some. */
  readonly tags?: Record<string, string>;
  /** Only in a bucket with versions. */
  readonly version_id?: string;
  /** Only of a deletion that left a delete marker, or took one away. */
  readonly delete_marker?: "created" | "removed";
  /** Only of a copy. */
  readonly source?: { readonly bucket: string; readonly key: string; readonly version_id?: string };
  /** Only of a completed multipart upload. */
  readonly upload_id?: string;
  /** Only of a completed multipart upload. */
  readonly parts?: number;
}

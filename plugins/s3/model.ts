// Made from schema.ts by `deno task docs`: change the shapes there.
import type { BlobRef } from "../../core/blobs/blob.ts";

/** Stated encryption of an object. */
export interface Encryption {
  /** As in x-amz-server-side-encryption. */
  readonly algorithm: "AES256" | "aws:kms" | "aws:kms:dsse";
  /** Of a KMS key. */
  readonly kms_key_id?: string;
  /** Base64 of a JSON object. */
  readonly kms_context?: string;
  /** Whether a bucket key is used; absent if not. */
  readonly bucket_key?: boolean;
  /** Only for a customer-provided key (SSE-C), in base64. */
  readonly customer_key_md5?: string;
}

/** Retention of a version by object lock. */
export interface Retention {
  /** Whether a bypass lifts it. */
  readonly mode: "GOVERNANCE" | "COMPLIANCE";
  /** ISO 8601 time. */
  readonly until: string;
}

/** A change to a bucket or object. */
export interface S3Operation {
  /** Operation and what it applies to. */
  readonly operation:
    | "bucket.create"
    | "bucket.delete"
    | "bucket.notification"
    | "object.put"
    | "object.copy"
    | "object.delete"
    | "object.tagging"
    | "object.acl";
  /** Name of the bucket. */
  readonly bucket: string;
  /** Only for an object. */
  readonly key?: string;
  /** Size in bytes; only for an object. */
  readonly size?: number;
  /** Without quotes. */
  readonly etag?: string;
  /** Media type as stated by the sender. */
  readonly content_type?: string;
  /** The bytes, readable while the object exists. */
  readonly blob?: BlobRef;
  /** Canned ACL, if set. */
  readonly acl?: string;
  /** Tags, if the object has any. */
  readonly tags?: Record<string, string>;
  /** Only in a bucket with versions. */
  readonly version_id?: string;
  /** If set by its sender or bucket; the bytes are stored as received. */
  readonly encryption?: Encryption;
  /** Only for a version that object lock retains. */
  readonly retention?: Retention;
  /** Only for a version that had one. */
  readonly legal_hold?: boolean;
  /** Only for a deletion that created or removed a delete marker. */
  readonly delete_marker?: "created" | "removed";
  /** Only of a copy. */
  readonly source?: { readonly bucket: string; readonly key: string; readonly version_id?: string };
  /** Only for a completed multipart upload. */
  readonly upload_id?: string;
  /** Only for a completed multipart upload. */
  readonly parts?: number;
}

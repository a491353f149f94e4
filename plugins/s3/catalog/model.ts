/** What the catalog holds. */
import type { BlobRef } from "../../../core/blobs/blob.ts";
import type { CannedAcl } from "../codec/acl.ts";

/** Checksum algorithms of S3, as header names and JSON names end. */
export const ALGORITHMS = ["crc32", "crc32c", "crc64nvme", "sha1", "sha256"] as const;

/** One of `ALGORITHMS`. */
export type Algorithm = typeof ALGORITHMS[number];

/** Whether a checksum is over all bytes or over the checksums of parts. */
export type ChecksumType = "FULL_OBJECT" | "COMPOSITE";

/** Base64 by algorithm; of a composite one with `-<parts>` behind it. */
export type Checksums = { readonly [A in Algorithm]?: string };

/** Header fields kept with an object, by their names in lower case. */
export type ContentHeaders = Readonly<Record<string, string>>;

/** Values of `x-amz-meta-*` by the rest of their names in lower case. */
export type Metadata = Readonly<Record<string, string>>;

/** A tag of an object or bucket. */
export type Tag = readonly [key: string, value: string];

/** What the sender says of an object besides its bytes. */
export interface ObjectAbout {
  readonly headers: ContentHeaders;
  readonly metadata: Metadata;
  /** As the sender named it; without one an object is private. */
  readonly acl?: CannedAcl;
  /** Absent for none. */
  readonly tags?: readonly Tag[];
}

/** One part of an object that came by a multipart upload. */
export interface ObjectPart {
  readonly number: number;
  readonly size: number;
  readonly checksums: Checksums;
}

/** The current object of a key. */
export interface StoredObject extends ObjectAbout {
  readonly key: string;
  readonly size: number;
  /** Without quotes. */
  readonly etag: string;
  readonly modified: Date;
  readonly blob: BlobRef;
  readonly checksums: Checksums;
  readonly checksumType: ChecksumType;
  /** Only of a multipart upload; in order. */
  readonly parts?: readonly ObjectPart[];
}

/** One sent part of an upload that is not complete. */
export interface UploadPart extends ObjectPart {
  /** Without quotes. */
  readonly etag: string;
  readonly modified: Date;
  readonly blob: BlobRef;
}

/** What a completed upload is answered with, once and again. */
export interface Completion {
  readonly bucket: string;
  readonly key: string;
  readonly etag: string;
  readonly checksums: Checksums;
  readonly checksumType: ChecksumType;
}

/** Most of each that the catalog takes. */
export interface CatalogLimits {
  readonly maxBuckets: number;
  readonly maxObjects: number;
  readonly maxUploads: number;
  readonly maxParts: number;
}

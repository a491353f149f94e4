/** Contents of the catalog. */
import type { BlobRef } from "../../../core/blobs/blob.ts";
import type { CannedAcl } from "../codec/acl.ts";

/** Checksum algorithms of S3, as the ends of header names and JSON names. */
export const ALGORITHMS = ["crc32", "crc32c", "crc64nvme", "sha1", "sha256"] as const;

/** One of `ALGORITHMS`. */
export type Algorithm = typeof ALGORITHMS[number];

/** Whether a checksum is over all bytes or over the checksums of parts. */
export type ChecksumType = "FULL_OBJECT" | "COMPOSITE";

/** Base64 by algorithm; a composite one ends in `-<parts>`. */
export type Checksums = { readonly [A in Algorithm]?: string };

/** Header fields stored with an object, by lower-case name. */
export type ContentHeaders = Readonly<Record<string, string>>;

/** Values of `x-amz-meta-*`, by the rest of the name in lower case. */
export type Metadata = Readonly<Record<string, string>>;

/** A tag of an object or bucket. */
export type Tag = readonly [key: string, value: string];

/** Encryption that a request can name. */
export const ENCRYPTION_ALGORITHMS = ["AES256", "aws:kms", "aws:kms:dsse"] as const;

/** Encryption of an object as its clients see it. The bytes are stored as received. */
export interface Encryption {
  readonly algorithm: typeof ENCRYPTION_ALGORITHMS[number];
  readonly kmsKeyId?: string;
  /** Base64 of a JSON object. */
  readonly kmsContext?: string;
  /** Only if true. */
  readonly bucketKey?: boolean;
  /** Base64 of the MD5 of the customer's key (SSE-C); the key itself is never stored. */
  readonly customerKeyMd5?: string;
}

/** Modes of retention. */
export const RETENTION_MODES = ["GOVERNANCE", "COMPLIANCE"] as const;

/** Until when a version must stay. */
export interface Retention {
  readonly mode: typeof RETENTION_MODES[number];
  readonly until: Date;
}

/** Locks that prevent the deletion of a version. */
export interface ObjectLock {
  readonly retention?: Retention;
  /** Absent if a version never had one. */
  readonly legalHold?: boolean;
}

/** Properties of an object set by its sender, besides its bytes. */
export interface ObjectAbout extends ObjectLock {
  readonly headers: ContentHeaders;
  readonly metadata: Metadata;
  /** As set by the sender; private if absent. */
  readonly acl?: CannedAcl;
  /** Absent for none. */
  readonly tags?: readonly Tag[];
  readonly encryption?: Encryption;
}

/** One part of an object from a multipart upload. */
export interface ObjectPart {
  readonly number: number;
  readonly size: number;
  readonly checksums: Checksums;
}

/** Position among the versions of a key. */
export interface VersionPlace {
  /** "null" if put while versioning was suspended. */
  readonly id: string;
  /** Larger than that of everything put before, in every bucket; at least 1. */
  readonly sequence: number;
}

/** An object: the current one of its key, or an earlier version. */
export interface StoredObject extends ObjectAbout {
  readonly key: string;
  readonly size: number;
  /** Without quotes. */
  readonly etag: string;
  readonly modified: Date;
  readonly blob: BlobRef;
  readonly checksums: Checksums;
  readonly checksumType: ChecksumType;
  /** Only from a multipart upload; in order. */
  readonly parts?: readonly ObjectPart[];
  /** Absent if put before its bucket had versions: the version "null", the oldest of its key. */
  readonly version?: VersionPlace;
}

/** A deletion that left the earlier versions of the key. */
export interface DeleteMarker {
  readonly key: string;
  readonly modified: Date;
  readonly version: VersionPlace;
}

/** One version of a key. */
export type Version = StoredObject | DeleteMarker;

/** Id of a version without an id. */
export const NULL_VERSION = "null";

/** Returns whether a version is a delete marker. */
export function isMarker(version: Version): version is DeleteMarker {
  return !("blob" in version);
}

/** Returns the id of a version, as requests name it. */
export function idOf({ version }: Version): string {
  return version?.id ?? NULL_VERSION;
}

/** Versioning states of a bucket with versions. */
export const VERSIONING = ["Enabled", "Suspended"] as const;

/** One of them. */
export type Versioning = typeof VERSIONING[number];

/** One deletion. */
export interface DeleteEntry {
  readonly key: string;
  /** The version to delete; by default the current object, with a delete marker in a bucket with versions. */
  readonly version?: string | undefined;
}

/** Result of a deletion. */
export interface Deletion {
  /** What was permanently deleted. */
  readonly removed?: Version;
  /** The new delete marker. */
  readonly marker?: DeleteMarker;
}

/** One uploaded part of an incomplete upload. */
export interface UploadPart extends ObjectPart {
  /** Without quotes. */
  readonly etag: string;
  readonly modified: Date;
  readonly blob: BlobRef;
}

/** Response to the completion of an upload, also when repeated. */
export interface Completion {
  readonly bucket: string;
  readonly key: string;
  readonly etag: string;
  readonly checksums: Checksums;
  readonly checksumType: ChecksumType;
  /** Absent if its bucket had no versions. */
  readonly versionId?: string;
  readonly encryption?: Encryption;
  /** Size of the object, and the conditions of the request as one text; absent in folders of earlier versions. */
  readonly size?: number;
  readonly conditions?: string;
}

/** Limits of the catalog. */
export interface CatalogLimits {
  readonly maxBuckets: number;
  /** Includes every version and delete marker. */
  readonly maxObjects: number;
  readonly maxUploads: number;
  readonly maxParts: number;
}

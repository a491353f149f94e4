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

/** Which of the versions of its key something is. */
export interface VersionPlace {
  /** "null" for what was put while versioning was suspended. */
  readonly id: string;
  /** Larger than that of everything put before, in any bucket; at least 1. */
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
  /** Only of a multipart upload; in order. */
  readonly parts?: readonly ObjectPart[];
  /** Absent for one that was put before its bucket had versions: the version "null", the oldest of its key. */
  readonly version?: VersionPlace;
}

/** Stands for a deletion that left the earlier versions of the key there. */
export interface DeleteMarker {
  readonly key: string;
  readonly modified: Date;
  readonly version: VersionPlace;
}

/** One version of a key. */
export type Version = StoredObject | DeleteMarker;

/** Id of a version that has none of its own. */
export const NULL_VERSION = "null";

/** Whether a version is a delete marker. */
export function isMarker(version: Version): version is DeleteMarker {
  return !("blob" in version);
}

/** Id of a version, as requests name it. */
export function idOf({ version }: Version): string {
  return version?.id ?? NULL_VERSION;
}

/** States of versioning, for a bucket that has it. */
export const VERSIONING = ["Enabled", "Suspended"] as const;

/** One of them. */
export type Versioning = typeof VERSIONING[number];

/** What a deletion asks for. */
export interface DeleteEntry {
  readonly key: string;
  /** The one version that goes; without it the current object goes, in a bucket with versions behind a delete marker. */
  readonly version?: string | undefined;
}

/** What a deletion did. */
export interface Deletion {
  /** What is gone for good. */
  readonly removed?: Version;
  /** What stands for the deletion from here on. */
  readonly marker?: DeleteMarker;
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
  /** Absent where its bucket had no versions. */
  readonly versionId?: string;
}

/** Most of each that the catalog takes. */
export interface CatalogLimits {
  readonly maxBuckets: number;
  /** Every version counts, delete markers as well. */
  readonly maxObjects: number;
  readonly maxUploads: number;
  readonly maxParts: number;
}

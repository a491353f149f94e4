/** Types of the S3 tab. */

import type { S3Operation } from "../../../../plugins/s3/model.ts";

export type * from "../../../../plugins/s3/model.ts";

/** One bucket. */
export interface BucketView {
  readonly name: string;
  readonly creation_time: string;
  readonly objects: number;
  readonly bytes: number;
  /** Absent for a bucket without versions. */
  readonly versioning?: string;
  readonly versions?: number;
  /** Absent for a bucket without object lock. */
  readonly object_lock?: boolean;
}

/** Protection of an object or version. */
export type Protection = Pick<S3Operation, "encryption" | "retention" | "legal_hold">;

/** One version of a key. */
export interface VersionView extends Protection {
  readonly version_id: string;
  readonly is_latest: boolean;
  readonly delete_marker: boolean;
  readonly last_modified: string;
  readonly size?: number;
  readonly links: { readonly self: string; readonly content?: string; readonly restore?: string };
}

/** One page of the versions of a key. */
export interface VersionsView {
  readonly count: number;
  readonly versions: readonly VersionView[];
  readonly next?: string;
}

/** Every bucket. */
export interface BucketsView {
  readonly buckets: readonly BucketView[];
  readonly stats: {
    readonly active_uploads: number;
    readonly buckets: number;
    readonly bytes: number;
    readonly objects: number;
  };
}

/** One object. */
export interface ObjectView extends Protection {
  readonly bucket: string;
  readonly key: string;
  readonly size: number;
  readonly etag: string;
  readonly last_modified: string;
  readonly checksums: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly links: { readonly self: string; readonly content: string };
  readonly metadata?: Readonly<Record<string, string>>;
  readonly tags?: Readonly<Record<string, string>>;
  readonly version_id?: string;
  readonly storage_class?: string;
}

/** One page of a bucket. */
export interface ObjectsView {
  readonly bucket: BucketView;
  readonly objects: readonly ObjectView[];
  readonly common_prefixes: readonly { readonly prefix: string }[];
  readonly next_continuation_token?: string;
}

/** One multipart upload in progress. */
export interface UploadView {
  readonly upload_id: string;
  readonly bucket: string;
  readonly key: string;
  readonly initiated: string;
  readonly parts: number;
  readonly bytes: number;
  readonly active: boolean;
  readonly links: { readonly self: string };
}

/** One line of a listing. */
export interface Row {
  /** The key, or the prefix that a folder stands for. */
  readonly id: string;
  readonly folder: boolean;
  /** Bytes; 0 for a folder. */
  readonly size: number;
  /** Empty for a folder. */
  readonly modified: string;
  readonly type: string;
}

/** Selection of a listing. */
export interface ListingQuery {
  readonly bucket: string;
  readonly prefix: string;
  /** Keys at any level that hold this text, instead of one level. */
  readonly search: string;
}

/** The loaded part of a listing. */
export interface Listing {
  /** Both in the order of their keys. */
  readonly folders: readonly Row[];
  readonly objects: readonly Row[];
  /** Where the next page begins; absent once all are loaded. */
  readonly token?: string;
  /** The bucket with its counts. */
  readonly bucket: BucketView;
}

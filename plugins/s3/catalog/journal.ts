/** Changes in the catalog, for the store that persists them. */
import type { Bucket, BucketAbout } from "./bucket.ts";
import type { Completion, DeleteMarker, StoredObject, UploadPart, VersionPlace } from "./model.ts";
import type { SettingName } from "./settings.ts";
import type { Upload } from "./upload.ts";

/** Stored properties of a bucket besides its objects. */
export type KeptBucket = Pick<Bucket, "name" | "created" | "region" | "acl" | "versioning">;

/** A version created after its bucket had versions. */
export type PlacedVersion = DeleteMarker | (StoredObject & { readonly version: VersionPlace });

/** One change. */
export type Change =
  /** Replaces an existing bucket of that name, whose objects stay. */
  | { readonly kind: "make bucket"; readonly bucket: KeptBucket }
  | {
    readonly kind: "put setting";
    readonly bucket: string;
    readonly name: SettingName;
    readonly text: string;
  }
  | { readonly kind: "drop setting"; readonly bucket: string; readonly name: SettingName }
  /** With its contents. */
  | { readonly kind: "drop bucket"; readonly name: string }
  | { readonly kind: "put object"; readonly bucket: string; readonly object: StoredObject }
  | { readonly kind: "drop object"; readonly bucket: string; readonly key: string }
  /** One with a position among the versions of its key. */
  | { readonly kind: "put version"; readonly bucket: string; readonly version: PlacedVersion }
  | {
    readonly kind: "drop version";
    readonly bucket: string;
    readonly version: Pick<PlacedVersion, "key" | "version">;
  }
  | { readonly kind: "begin upload"; readonly upload: Upload }
  | { readonly kind: "put part"; readonly upload: string; readonly part: UploadPart }
  /** With its parts. */
  | { readonly kind: "end upload"; readonly id: string }
  | { readonly kind: "note completion"; readonly id: string; readonly completion: Completion }
  | { readonly kind: "forget completion"; readonly id: string };

/** Changes that follow from the catalog as it is. */
export interface Plan<T> {
  /** In order; empty if there is nothing to do. */
  readonly changes: readonly Change[];
  /** The result, once they are stored. */
  readonly result: T;
  /** They free more than they add, so a full disk accepts them. */
  readonly frees?: boolean;
}

/** Stores changes on this machine. */
export interface Journal {
  /**
   * Stores all or none; throws `S3Error` "ServiceUnavailable" for none. They survive the process from now on. With
   * `frees`, for changes that free more than they add, a full disk accepts them, too.
   */
  commit(changes: readonly Change[], options?: { readonly frees?: boolean }): void;
  /**
   * Resolves when committed changes survive a loss of power as well. Only then may the bytes they release be removed.
   * Rejects with `S3Error` "ServiceUnavailable".
   */
  settled(): Promise<void>;
}

/** Stores nothing: the catalog lives as long as the process. */
export const NO_JOURNAL: Journal = { commit() {}, settled: () => Promise.resolve() };

/** A stored catalog. */
export interface KeptCatalog {
  /** With their objects. */
  readonly buckets: readonly Bucket[];
  /** With their parts; in the order of their creation. */
  readonly uploads: readonly Upload[];
  /** By the id of the upload; in the order of their completion. */
  readonly completions: ReadonlyMap<string, Completion>;
}

/** Returns the stored properties of a bucket, with a change. */
export function aboutBucket(
  bucket: Bucket,
  change: Pick<BucketAbout, "acl" | "versioning"> = {},
): KeptBucket {
  const { name, created, region, acl, versioning } = bucket;
  return { name, created, region, acl, versioning, ...change };
}

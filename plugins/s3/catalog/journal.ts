/** What changes in the catalog, told to whoever keeps it. */
import type { Bucket, BucketAbout } from "./bucket.ts";
import type { Completion, DeleteMarker, StoredObject, UploadPart, VersionPlace } from "./model.ts";
import type { SettingName } from "./settings.ts";
import type { Upload } from "./upload.ts";

/** What is kept of a bucket besides its objects. */
export type KeptBucket = Pick<Bucket, "name" | "created" | "region" | "acl" | "versioning">;

/** A version that came after its bucket had versions. */
export type PlacedVersion = DeleteMarker | (StoredObject & { readonly version: VersionPlace });

/** One change. */
export type Change =
  /** Also in the place of the one of that name, whose objects stay. */
  | { readonly kind: "make bucket"; readonly bucket: KeptBucket }
  | {
    readonly kind: "put setting";
    readonly bucket: string;
    readonly name: SettingName;
    readonly text: string;
  }
  | { readonly kind: "drop setting"; readonly bucket: string; readonly name: SettingName }
  /** With all that is in it. */
  | { readonly kind: "drop bucket"; readonly name: string }
  | { readonly kind: "put object"; readonly bucket: string; readonly object: StoredObject }
  | { readonly kind: "drop object"; readonly bucket: string; readonly key: string }
  /** One that has a place among the versions of its key. */
  | { readonly kind: "put version"; readonly bucket: string; readonly version: PlacedVersion }
  | { readonly kind: "drop version"; readonly bucket: string; readonly version: PlacedVersion }
  | { readonly kind: "begin upload"; readonly upload: Upload }
  | { readonly kind: "put part"; readonly upload: string; readonly part: UploadPart }
  /** With all that was sent of it. */
  | { readonly kind: "end upload"; readonly id: string }
  | { readonly kind: "note completion"; readonly id: string; readonly completion: Completion }
  | { readonly kind: "forget completion"; readonly id: string };

/** Keeps changes. */
export interface Journal {
  /**
   * Keeps them all or none; throws `S3Error` "ServiceUnavailable" for none. They survive the process from here on. What
   * `frees` more than it adds is kept on a full disk, too.
   */
  commit(changes: readonly Change[], options?: { readonly frees?: boolean }): void;
  /**
   * Resolves when what was committed survives a loss of power, too. Bytes that it lets go of are to be removed after
   * that alone. Rejects with `S3Error` "ServiceUnavailable".
   */
  settled(): Promise<void>;
}

/** Keeps nothing: the catalog lives as long as the process. */
export const NO_JOURNAL: Journal = { commit() {}, settled: () => Promise.resolve() };

/** A catalog as it was kept. */
export interface KeptCatalog {
  /** With their objects. */
  readonly buckets: readonly Bucket[];
  /** With their parts; in the order of their creation. */
  readonly uploads: readonly Upload[];
  /** By the id of the upload; in the order of their completion. */
  readonly completions: ReadonlyMap<string, Completion>;
}

/** What is kept of a bucket, with a change. */
export function aboutBucket(
  bucket: Bucket,
  change: Pick<BucketAbout, "acl" | "versioning">,
): KeptBucket {
  const { name, created, region, acl, versioning } = bucket;
  return { name, created, region, acl, versioning, ...change };
}

/** Options of the catalog and its buckets. */
import type { BlobStore } from "../../../core/blobs/blob.ts";
import type { CannedAcl } from "../codec/acl.ts";
import type { Journal, KeptCatalog } from "./journal.ts";
import type { Keeper } from "./keeper.ts";
import type { CatalogLimits, Versioning } from "./model.ts";
import type { SettingName } from "./settings.ts";
import type { CatalogState } from "./state.ts";

/** Options of a new bucket. */
export interface NewBucket {
  /** Location constraint; by default none. */
  readonly region?: string;
  readonly acl?: CannedAcl | undefined;
  readonly versioning?: Versioning | undefined;
  /** Settings that it has from the start, as text. */
  readonly settings?: { readonly [N in SettingName]?: string };
}

/** Limits until the settings are loaded. */
export const NO_LIMITS: CatalogLimits = {
  maxBuckets: Infinity,
  maxObjects: Infinity,
  maxUploads: Infinity,
  maxParts: Infinity,
};

/** Options of a catalog. */
export interface CatalogOptions {
  readonly blobs: BlobStore;
  readonly now: () => Date;
  /** Source of upload ids; by default the platform. */
  readonly uuid?: () => string;
  /** Stores changes; by default nothing is stored. */
  readonly journal?: Journal;
  /** The stored catalog; its blobs are retained here. */
  readonly kept?: KeptCatalog;
  /** A catalog that several instances share, instead of a journal. */
  readonly shared?: { readonly keeper: Keeper; readonly state: CatalogState };
}

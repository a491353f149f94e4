/** What the catalog and its buckets are made with. */
import type { BlobStore } from "../../../core/blobs/blob.ts";
import type { CannedAcl } from "../codec/acl.ts";
import type { Journal, KeptCatalog } from "./journal.ts";
import type { CatalogLimits } from "./model.ts";

/** What a new bucket is asked to be. */
export interface NewBucket {
  /** Location constraint; none unless given. */
  readonly region?: string;
  readonly acl?: CannedAcl | undefined;
}

/** Until the settings are known. */
export const NO_LIMITS: CatalogLimits = {
  maxBuckets: Infinity,
  maxObjects: Infinity,
  maxUploads: Infinity,
  maxParts: Infinity,
};

/** What a catalog is opened with. */
export interface CatalogOptions {
  readonly blobs: BlobStore;
  readonly now: () => Date;
  /** Where ids of uploads come from; the platform unless given. */
  readonly uuid?: () => string;
  /** Keeps changes; nobody does unless given. */
  readonly journal?: Journal;
  /** What was kept earlier; its blobs are retained here. */
  readonly kept?: KeptCatalog;
}

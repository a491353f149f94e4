import type { BlobRef, BlobStore } from "../blobs/blob.ts";
import { ConfigError } from "../errors.ts";
import type { PluginState } from "../plugin.ts";
import { type Catalog, type CatalogSchema, openCatalog } from "./catalog.ts";

/** Why something that was kept cannot be trusted; half a sentence. */
export class KeptError extends Error {
  override name = "KeptError";
}

/** What `openState` needs. */
export interface StateOptions {
  /** Folder of the plugin. */
  readonly folder: string;
  readonly schema: CatalogSchema;
  /** The plugin's own store, with the bytes that were kept. */
  readonly blobs: BlobStore;
  /** What was kept, for people: `the tree`. */
  readonly what: string;
}

/**
 * Opens the catalog of a plugin and makes the plugin's state of it, which owns the catalog from then on. `restore`
 * retains every blob that the catalog names and throws `KeptError` for what cannot be trusted; the other blobs, whose
 * name did not come to be kept or was dropped before the last process ended, go. Throws `ConfigError`; nothing is
 * touched then.
 */
export function openState<S extends PluginState>(
  { folder, schema, blobs, what }: StateOptions,
  restore: (catalog: Catalog) => S,
): S {
  const catalog = openCatalog(folder, schema, blobs.reserve);
  try {
    const state = restore(catalog);
    blobs.prune();
    return {
      ...state,
      async [Symbol.asyncDispose]() {
        await state[Symbol.asyncDispose]?.();
        catalog[Symbol.dispose]();
      },
    };
  } catch (error) {
    catalog[Symbol.dispose]();
    if (!(error instanceof KeptError)) throw error;
    throw new ConfigError(
      `Cannot restore ${what}: ${error.message}; choose another folder than "${folder}", ` +
        "or remove it to begin anew",
    );
  }
}

/** Finds bytes that are named in a catalog. Throws `KeptError` when they are missing or not whole. */
export function findKept(
  blobs: BlobStore,
  { blob, size, what }: { blob: string; size: number; what: string },
): BlobRef {
  const ref = blobs.get(blob);
  if (ref === undefined) throw new KeptError(`the bytes of ${what} are missing`);
  if (ref.size === size) return ref;
  throw new KeptError(`${what} has ${ref.size} bytes instead of ${size}`);
}

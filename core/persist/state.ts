import type { BlobRef, BlobStore } from "../blobs/blob.ts";
import { ConfigError } from "../errors.ts";
import type { PluginState } from "../plugin.ts";
import { type Catalog, type CatalogSchema, openCatalog } from "./catalog.ts";

/** Why stored data cannot be trusted, as the end of a sentence. */
export class KeptError extends Error {
  override name = "KeptError";
}

/** Options of `openState`. */
export interface StateOptions {
  /** Folder of the plugin. */
  readonly folder: string;
  readonly schema: CatalogSchema;
  /** The plugin's own store, with its stored bytes. */
  readonly blobs: BlobStore;
  /** Name of the data in messages: `the tree`. */
  readonly what: string;
}

/**
 * Opens the catalog of a plugin and creates the plugin's state from it, which owns the catalog from then on. `restore`
 * retains every blob of the catalog, and throws `KeptError` for data that cannot be trusted; other blobs, whose names
 * were never stored or were dropped before the last process ended, are removed. Throws `ConfigError`; nothing has
 * changed then.
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
        "or remove it to start empty",
    );
  }
}

/** Finds the bytes of a catalog entry. Throws `KeptError` if they are missing or incomplete. */
export function findKept(
  blobs: BlobStore,
  { blob, size, what }: { blob: string; size: number; what: string },
): BlobRef {
  const ref = blobs.get(blob);
  if (ref === undefined) throw new KeptError(`the bytes of ${what} are missing`);
  if (ref.size === size) return ref;
  throw new KeptError(`${what} has ${ref.size} bytes instead of ${size}`);
}

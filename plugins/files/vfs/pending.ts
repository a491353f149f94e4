/** Files that a client was promised but that are not in the tree yet, as stored on disk. */
import type { BlobStore } from "../../../core/blobs/blob.ts";
import { type Catalog, CatalogWriteError } from "../../../core/persist/catalog.ts";
import { findKept } from "../../../core/persist/state.ts";
import { VfsError } from "./errors.ts";
import type { Tree } from "./tree.ts";

/** Such a file as stored. */
export interface PendingRow {
  /** Its id in the tree, now or later. */
  readonly id: number;
  /** Id of the directory. */
  readonly parent: number;
  readonly name: string;
  /** Whether it is not in the tree at all; otherwise the tree has it with other bytes. */
  readonly created: boolean;
  /** Whether the client knows that some of the bytes may be lost. */
  readonly unstable: boolean;
  readonly mtimeMs: number;
  readonly mode: number | undefined;
  readonly size: number;
  readonly contentType: string;
  /** Id of the blob with the promised bytes; empty if there are none. */
  readonly blob: string;
}

/** Stores such files until they are uploads. */
export interface Pending {
  /** Whether it survives a restart. */
  readonly lasts: boolean;
  /** Those left by the previous process. */
  readonly left: readonly PendingRow[];
  /** Those that it put into the tree, but may not have captured. */
  readonly placed: readonly PendingRow[];
  /** Throws `VfsError` "no_space". A file that `frees` room once it is in the tree is stored on a full disk, too. */
  put(row: PendingRow, options: { readonly frees: boolean }): void;
  /** Throws the same. */
  remove(id: number): void;
}

/** Stores nothing: for a tree in memory. */
export const NO_PENDING: Pending = { lasts: false, left: [], placed: [], put() {}, remove() {} };

/** Complements the tables of the tree; ids are never reused. */
export const PENDING_TABLE = `
    CREATE TABLE pending (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      parent INTEGER NOT NULL,
      name TEXT NOT NULL,
      created INTEGER NOT NULL,
      unstable INTEGER NOT NULL,
      mtime_ms REAL NOT NULL,
      mode INTEGER,
      size INTEGER NOT NULL,
      content_type TEXT NOT NULL,
      blob TEXT NOT NULL
    ) STRICT`;

const PUT = `INSERT OR REPLACE INTO pending
  (id, parent, name, created, unstable, mtime_ms, mode, size, content_type, blob)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** The highest id ever given to such a file. */
export function lastPendingId(catalog: Catalog): number {
  const last = catalog.all("SELECT seq FROM sqlite_sequence WHERE name = 'pending'")[0]?.seq;
  return Number(last ?? 0);
}

/**
 * Loads such files, and registers their blobs; drops those that have other bytes by now, or whose directory is gone.
 * Throws `KeptError` for missing bytes, or bytes of another size.
 */
export function restorePending(
  catalog: Catalog,
  { blobs, tree }: { blobs: BlobStore; tree: Tree },
): Pending {
  const write = (change: () => void, options: { readonly frees: boolean }): void => {
    try {
      catalog.transaction(change, options);
    } catch (error) {
      if (error instanceof CatalogWriteError) throw new VfsError("no_space", error.message);
      throw error;
    }
  };
  const left: PendingRow[] = [];
  const placed: PendingRow[] = [];
  const settled: number[] = [];
  for (const row of catalog.all("SELECT * FROM pending").map(toRow)) {
    const fate = fateOf(tree, row);
    if (fate === "over") settled.push(row.id);
    else if (fate === "placed") placed.push(row);
    else {
      if (row.blob !== "") {
        findKept(blobs, { blob: row.blob, size: row.size, what: `"${row.name}"` });
        blobs.retain(row.blob);
      }
      left.push(row);
    }
  }
  const remove = (id: number): void => catalog.run("DELETE FROM pending WHERE id = ?", id);
  if (settled.length > 0) write(() => settled.forEach(remove), { frees: true });
  return {
    lasts: true,
    left,
    placed,
    put: (row, options) => write(() => catalog.run(PUT, ...toValues(row)), options),
    remove: (id) => write(() => remove(id), { frees: true }),
  };
}

/** State of a promised file: still to be put into the tree, in it with these bytes, or no longer needed. */
export function fateOf(
  tree: Tree,
  { id, parent, created, blob }: PendingRow,
): "promised" | "placed" | "over" {
  const node = tree.withId(id);
  if (node === undefined) {
    return created && tree.withId(parent)?.dir === true ? "promised" : "over";
  }
  if (node.dir || blob === "") return "over";
  if (node.blob === blob) return "placed";
  return created ? "over" : "promised";
}

function toValues(row: PendingRow): readonly (string | number | null)[] {
  const { id, parent, name, mtimeMs, mode = null, size, contentType, blob } = row;
  const flags = [row.created ? 1 : 0, row.unstable ? 1 : 0];
  return [id, parent, name, ...flags, mtimeMs, mode, size, contentType, blob];
}

function toRow(row: Readonly<Record<string, unknown>>): PendingRow {
  return {
    id: Number(row.id),
    parent: Number(row.parent),
    name: String(row.name),
    created: Number(row.created) === 1,
    unstable: Number(row.unstable) === 1,
    mtimeMs: Number(row.mtime_ms),
    mode: row.mode === null ? undefined : Number(row.mode),
    size: Number(row.size),
    contentType: String(row.content_type),
    blob: String(row.blob),
  };
}

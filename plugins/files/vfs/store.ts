/** The tree on disk: one row per file and directory. */
import type { BlobStore } from "../../../core/blobs/blob.ts";
import {
  type Catalog,
  type CatalogSchema,
  type CatalogValue,
  CatalogWriteError,
} from "../../../core/persist/catalog.ts";
import { findKept, KeptError } from "../../../core/persist/state.ts";
import { VfsError } from "./errors.ts";
import { type DirNode, type NodeRow, ROOT_ID } from "./node.ts";
import { lastPendingId, PENDING_TABLE } from "./pending.ts";
import { Tree } from "./tree.ts";
import type { TreeJournal } from "./tree_change.ts";

/** Ids are never reused, not even after a restart: AUTOINCREMENT remembers the last one. */
export const TREE_SCHEMA: CatalogSchema = {
  version: 3,
  create: `
    CREATE TABLE volume (instance TEXT NOT NULL) STRICT;
    INSERT INTO volume VALUES (lower(hex(randomblob(8))));
    CREATE TABLE node (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      parent INTEGER NOT NULL,
      name TEXT NOT NULL,
      dir INTEGER NOT NULL,
      mtime_ms REAL NOT NULL,
      mode INTEGER,
      provider TEXT NOT NULL,
      size INTEGER NOT NULL,
      content_type TEXT NOT NULL,
      blob TEXT NOT NULL
    ) STRICT;
    ${PENDING_TABLE}`,
};

const PUT =
  `INSERT INTO node (id, parent, name, dir, mtime_ms, mode, provider, size, content_type, blob)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET parent = excluded.parent, name = excluded.name,
    mtime_ms = excluded.mtime_ms, mode = excluded.mode, provider = excluded.provider,
    size = excluded.size, content_type = excluded.content_type, blob = excluded.blob`;

/** Stores each change in one transaction. A full disk is a `VfsError` "no_space". */
export function toJournal(catalog: Catalog): TreeJournal {
  return {
    commit({ put, remove, frees }) {
      try {
        catalog.transaction(() => {
          for (const id of remove) catalog.run("DELETE FROM node WHERE id = ?", id);
          for (const row of put) catalog.run(PUT, ...toValues(row));
        }, { frees });
      } catch (error) {
        throw toRefusal(error);
      }
    },
    async settled() {
      try {
        await catalog.settled();
      } catch (error) {
        throw toRefusal(error);
      }
    },
  };
}

function toRefusal(error: unknown): unknown {
  return error instanceof CatalogWriteError ? new VfsError("no_space", error.message) : error;
}

/**
 * Loads the tree, and registers its blobs. Throws `KeptError` for anything that cannot be trusted: a name that the
 * resolver refuses, an entry without a directory, bytes that are missing or of another size.
 */
export function restoreTree(
  catalog: Catalog,
  options: { blobs: BlobStore; nowMs: number },
): Tree {
  const last = catalog.all("SELECT seq FROM sqlite_sequence WHERE name = 'node'")[0]?.seq;
  const tree = new Tree({
    journal: toJournal(catalog),
    nowMs: options.nowMs,
    lastId: Math.max(Number(last ?? ROOT_ID), lastPendingId(catalog)),
    instance: readInstance(catalog),
  });
  placeRows(tree, catalog.all("SELECT * FROM node").map(toRow), (row) => claim(options.blobs, row));
  return tree;
}

/** Puts stored rows into an empty tree; calls `claim` with each file. Throws as `restoreTree` does. */
export function placeRows(
  tree: Tree,
  rows: readonly NodeRow[],
  claim: (file: NodeRow) => void = () => {},
): void {
  const byParent = new Map<number, NodeRow[]>();
  for (const row of rows) {
    const siblings = byParent.get(row.parent);
    if (siblings === undefined) byParent.set(row.parent, [row]);
    else siblings.push(row);
  }
  let placed = 0;
  const dirs: DirNode[] = [tree.root];
  for (let dir; (dir = dirs.pop()) !== undefined;) {
    for (const row of byParent.get(dir.id) ?? []) {
      const node = restore(tree, row, dir);
      placed++;
      if (node.dir) dirs.push(node);
      else claim(row);
    }
  }
  if (placed < rows.length) {
    throw new KeptError(`${rows.length - placed} entries are in no directory of it`);
  }
}

function readInstance(catalog: Catalog): string {
  const instance = String(catalog.all("SELECT instance FROM volume")[0]?.instance);
  if (/^[0-9a-f]{16}$/.test(instance)) return instance;
  throw new KeptError("it does not say which tree it is");
}

function restore(tree: Tree, row: NodeRow, dir: DirNode): ReturnType<Tree["restore"]> {
  try {
    return tree.restore(row, dir);
  } catch (error) {
    throw error instanceof VfsError ? new KeptError(error.message) : error;
  }
}

function claim(blobs: BlobStore, { name, blob, size }: NodeRow): void {
  findKept(blobs, { blob, size, what: `"${name}"` });
  blobs.retain(blob);
}

function toValues(row: NodeRow): readonly CatalogValue[] {
  const { id, parent, name, mtimeMs, mode = null, provider, size, contentType, blob } = row;
  return [id, parent, name, row.dir ? 1 : 0, mtimeMs, mode, provider, size, contentType, blob];
}

function toRow(row: Readonly<Record<string, unknown>>): NodeRow {
  return {
    id: Number(row.id),
    parent: Number(row.parent),
    name: String(row.name),
    dir: Number(row.dir) === 1,
    mtimeMs: Number(row.mtime_ms),
    mode: row.mode === null ? undefined : Number(row.mode),
    provider: String(row.provider),
    size: Number(row.size),
    contentType: String(row.content_type),
    blob: String(row.blob),
  };
}

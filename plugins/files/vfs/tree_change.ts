import { type Node, type NodeRow, ROOT_ID } from "./node.ts";

/** Stores changes before they are made. */
export interface TreeJournal {
  /** All or nothing. Throws if it cannot be stored; the tree then stays as it was. */
  commit(change: TreeChange): void;
  /** Resolves when committed changes also survive a loss of power. */
  settled?(): Promise<void>;
}

/** Changed rows of the tree. */
export interface TreeChange {
  readonly put: readonly NodeRow[];
  /** Ids of removed rows. */
  readonly remove: readonly number[];
  /** Whether it stores no more than before, so that a full disk must accept it. */
  readonly frees: boolean;
}

/** Attributes to set, besides name and bytes; absent ones stay. */
export interface NodeChanges {
  readonly mtimeMs?: number;
  readonly atimeMs?: number;
  /** Time of the last change; by default derived from `mtimeMs`. */
  readonly ctimeMs?: number;
  readonly mode?: number;
}

/** Attributes of a file besides its path. */
export interface FileAbout extends NodeChanges {
  readonly size: number;
  readonly blob: string;
  readonly contentType: string;
  readonly provider: string;
  readonly mtimeMs: number;
  /**
   * An id of `reserveId`: the file is new, even if it replaces another, and its name was added to its directory before,
   * so the time of the directory does not change again.
   */
  readonly id?: number;
}

/** Step of a time if the clock has not moved. */
export const TICK_MS = 0.001;

/** Returns a node as it is stored. */
export function toRow(node: Node): NodeRow {
  return {
    id: node.id,
    parent: node.parent?.id ?? ROOT_ID,
    name: node.name,
    dir: node.dir,
    mtimeMs: node.mtimeMs,
    mode: node.mode,
    provider: node.provider,
    size: node.dir ? 0 : node.size,
    contentType: node.dir ? "" : node.contentType,
    blob: node.dir ? "" : node.blob,
  };
}

/** Sets the time of the last change, which always increases. */
export function markChanged(node: Node, nowMs: number): void {
  node.ctimeMs = Math.max(nowMs, node.ctimeMs + TICK_MS);
}

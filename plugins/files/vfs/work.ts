import type { Vfs } from "./vfs.ts";

/** What works on a tree that may be changed. */
export interface TreeWork {
  /** The tree may not be changed any more. */
  abandon(): void;
}

/** Begins to work on a tree. */
export type BeginWork = (vfs: Vfs) => Promise<TreeWork>;

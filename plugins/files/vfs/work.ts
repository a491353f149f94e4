import type { Vfs } from "./vfs.ts";

/** Work on a tree that may be changed. */
export interface TreeWork {
  /** Called when the tree may no longer be changed. */
  abandon(): void;
}

/** Begins to work on a tree. */
export type BeginWork = (vfs: Vfs) => Promise<TreeWork>;

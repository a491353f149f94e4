import type { BlobReader } from "../../../core/blobs/blob.ts";
import type { Draft } from "../vfs/draft.ts";
import { VfsError } from "../vfs/errors.ts";
import type { FileNode, Node } from "../vfs/node.ts";

/** An open file for reading, as it was when it was opened. */
export interface ReadHandle {
  readonly kind: "read";
  readonly file: FileNode;
  readonly path: string;
  readonly bytes: BlobReader;
}

/** An open file for writing, invisible to others until it is closed. */
export interface WriteHandle {
  readonly kind: "write";
  /** A rename changes it. */
  path: string;
  readonly draft: Draft;
  readonly append: boolean;
  readonly command: string;
  /** Whether closing it changes the tree. */
  dirty: boolean;
  /** Time set by the client. */
  mtimeMs: number | undefined;
  /** Removed while it was open: closing it has no effect then. */
  dropped: boolean;
  /** Error of a failed write: the file is incomplete, and closing it reports the error again. */
  failure?: VfsError;
}

/** An open directory; its entries are a snapshot. */
export interface DirHandle {
  readonly kind: "dir";
  readonly path: string;
  readonly entries: readonly Node[];
  next: number;
}

/** An open file or directory. */
export type Handle = ReadHandle | WriteHandle | DirHandle;

/** Maximum number of open handles of one channel. */
export const MAX_HANDLES = 256;
const decoder = new TextDecoder();

/** Handles of one channel. They are never reused. */
export class Handles {
  readonly #open = new Map<string, Handle>();
  #last = 0;

  /** Throws `VfsError` if too many are open. */
  checkRoom(): void {
    if (this.#open.size >= MAX_HANDLES) {
      throw new VfsError("no_space", `Cannot open more: ${MAX_HANDLES} handles are open already`);
    }
  }

  /** Assigns a handle. */
  add(handle: Handle): string {
    const name = (++this.#last).toString(36);
    this.#open.set(name, handle);
    return name;
  }

  get(name: Uint8Array): Handle | undefined {
    return this.#open.get(decoder.decode(name));
  }

  /** Removes and returns the object of a handle. */
  take(name: Uint8Array): Handle | undefined {
    const handle = this.get(name);
    this.#open.delete(decoder.decode(name));
    return handle;
  }

  /** Returns the file being written under this path. */
  pending(path: string): WriteHandle | undefined {
    let found: WriteHandle | undefined;
    for (const handle of this.#open.values()) {
      if (handle.kind === "write" && !handle.dropped && handle.path === path) found = handle;
    }
    return found;
  }

  /** Returns every file being written. */
  writing(): readonly WriteHandle[] {
    return [...this.#open.values()].filter((handle) => handle.kind === "write");
  }

  /** Returns every file being written below a directory. */
  below(dir: string): readonly WriteHandle[] {
    return this.writing().filter(({ path, dropped }) => !dropped && path.startsWith(`${dir}/`));
  }

  /** Releases everything. */
  clear(): void {
    for (const handle of this.#open.values()) release(handle);
    this.#open.clear();
  }
}

/** Changes the bytes of a file being written. Throws `VfsError`; the file cannot be kept after that. */
export function changeBytes(handle: WriteHandle, change: (draft: Draft) => void): void {
  try {
    change(handle.draft);
  } catch (error) {
    if (error instanceof VfsError) handle.failure ??= error;
    throw error;
  }
  handle.dirty = true;
}

/** Releases the object of a handle. */
export function release(handle: Handle): void {
  if (handle.kind === "read") handle.bytes[Symbol.dispose]();
  else if (handle.kind === "write") handle.draft[Symbol.dispose]();
}

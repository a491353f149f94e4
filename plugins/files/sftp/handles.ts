import type { BlobReader } from "../../../core/blobs/blob.ts";
import type { Draft } from "../vfs/draft.ts";
import { VfsError } from "../vfs/errors.ts";
import type { FileNode, Node } from "../vfs/node.ts";

/** A file that is read, as it was when it was opened. */
export interface ReadHandle {
  readonly kind: "read";
  readonly file: FileNode;
  readonly path: string;
  readonly bytes: BlobReader;
}

/** A file that is written, and that nobody else sees before it is closed. */
export interface WriteHandle {
  readonly kind: "write";
  /** A rename moves it along. */
  path: string;
  readonly draft: Draft;
  readonly append: boolean;
  readonly command: string;
  /** Whether closing it makes a difference. */
  dirty: boolean;
  /** Time that the client set. */
  mtimeMs: number | undefined;
  /** Removed while it was open: closing it then does nothing. */
  dropped: boolean;
  /** Why some of it could not be written: what is there is then no whole file, and closing it says so again. */
  failure?: VfsError;
}

/** A directory that is listed; entries come from one moment. */
export interface DirHandle {
  readonly kind: "dir";
  readonly path: string;
  readonly entries: readonly Node[];
  next: number;
}

/** What a client has opened. */
export type Handle = ReadHandle | WriteHandle | DirHandle;

/** Handles of one channel that may be open at a time. */
export const MAX_HANDLES = 256;
const decoder = new TextDecoder();

/** Handles of one channel. Their names are never used again. */
export class Handles {
  readonly #open = new Map<string, Handle>();
  #last = 0;

  /** Throws `VfsError` when too many are open. */
  checkRoom(): void {
    if (this.#open.size >= MAX_HANDLES) {
      throw new VfsError("no_space", `Cannot open more: ${MAX_HANDLES} handles are open already`);
    }
  }

  /** Gives a handle its name. */
  add(handle: Handle): string {
    const name = (++this.#last).toString(36);
    this.#open.set(name, handle);
    return name;
  }

  get(name: Uint8Array): Handle | undefined {
    return this.#open.get(decoder.decode(name));
  }

  /** The handle, which is open no longer. */
  take(name: Uint8Array): Handle | undefined {
    const handle = this.get(name);
    this.#open.delete(decoder.decode(name));
    return handle;
  }

  /** The file that is being written under this path. */
  pending(path: string): WriteHandle | undefined {
    let found: WriteHandle | undefined;
    for (const handle of this.#open.values()) {
      if (handle.kind === "write" && !handle.dropped && handle.path === path) found = handle;
    }
    return found;
  }

  /** Every file that is being written. */
  writing(): readonly WriteHandle[] {
    return [...this.#open.values()].filter((handle) => handle.kind === "write");
  }

  /** Every file that is being written below a directory. */
  below(dir: string): readonly WriteHandle[] {
    return this.writing().filter(({ path, dropped }) => !dropped && path.startsWith(`${dir}/`));
  }

  /** Lets go of everything. */
  clear(): void {
    for (const handle of this.#open.values()) release(handle);
    this.#open.clear();
  }
}

/** Changes the bytes of a file that is being written. Throws `VfsError`; the file can then not be kept any more. */
export function changeBytes(handle: WriteHandle, change: (draft: Draft) => void): void {
  try {
    change(handle.draft);
  } catch (error) {
    if (error instanceof VfsError) handle.failure ??= error;
    throw error;
  }
  handle.dirty = true;
}

/** Gives back what a handle holds. */
export function release(handle: Handle): void {
  if (handle.kind === "read") handle.bytes[Symbol.dispose]();
  else if (handle.kind === "write") handle.draft[Symbol.dispose]();
}

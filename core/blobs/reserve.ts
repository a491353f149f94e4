import { join } from "@std/path/join";
import type { RoomKept } from "./blob.ts";

/** Name of the file in a plugin's folder. */
const NAME = "reserve";
/** The file while it is created; a leftover is from a killed process. */
const UNFINISHED = ".reserve";
/** Maximum reserved space, in bytes: enough for the log of a large deletion. */
const MOST = 4 * 1024 * 1024;
/** Minimum space worth reserving, in bytes. */
const LEAST = 256 * 1024;
/** Factor for the next attempt after a size that did not fit. */
const NEXT_SHARE = 7 / 8;
/** Maximum number of random bytes per platform call. */
const CHUNK = 65_536;
/** Pause after a failed attempt, unless space became free. */
const RETRY_MS = 1000;
/** Pause if space became free: a large deletion frees many blobs one after another. */
const FREED_RETRY_MS = 100;

/**
 * Reserves disk space so that a full disk can be emptied: a deletion writes to the log before it frees anything. The
 * reserve is a file of incompressible bytes, removed when a deletion finds the disk full, and created again as soon as
 * there is space. Until then nothing that needs space is stored, or it would take the space of further deletions.
 */
export class Reserve implements RoomKept {
  readonly #folder: string;
  #bytes = 0;
  /** Last reserved size: it is reserved again before anything else gets space. */
  #last = 0;
  /** The folder refuses such a file regardless of space, for example because of a limit on file sizes. */
  #impossible = false;
  #freed = false;
  #failedMs = -Infinity;

  /** Finds the reserve of a folder, and enlarges it if possible. */
  constructor(folder: string) {
    this.#folder = folder;
    removeIfThere(this.#path(UNFINISHED));
    this.#last = this.#bytes = sizeOf(this.#path(NAME));
    if (this.#bytes < MOST) this.#make();
  }

  /** Space reserved now, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  get lastBytes(): number {
    return this.#last;
  }

  fits(bytes: number): boolean {
    try {
      allocate(this.#path(UNFINISHED), { size: 0, room: bytes });
      return true;
    } catch (error) {
      return !isDiskFull(error);
    } finally {
      removeIfThere(this.#path(UNFINISHED));
    }
  }

  /** Returns whether data that needs space may be stored. */
  ready(): boolean {
    if (this.#bytes > 0 || this.#impossible) return true;
    if (this.#freed || performance.now() - this.#failedMs >= RETRY_MS) this.#make();
    return this.#bytes > 0 || this.#impossible;
  }

  /** Releases the space for a deletion. */
  giveUp(): void {
    if (this.#bytes === 0) return;
    removeIfThere(this.#path(NAME));
    this.#bytes = 0;
  }

  /** Reserves the space again if some has become free. */
  freed(): void {
    if (this.#bytes > 0 || this.#impossible) return;
    this.#freed = true;
    if (performance.now() - this.#failedMs >= FREED_RETRY_MS) this.#make();
  }

  #make(): void {
    this.#freed = false;
    for (let size = MOST; size >= LEAST && size > this.#bytes; size = smaller(size)) {
      try {
        // At most half of the free space, except for the earlier reserve.
        allocate(this.#path(UNFINISHED), { size, room: size > this.#last ? 2 * size : size });
        Deno.renameSync(this.#path(UNFINISHED), this.#path(NAME));
        this.#last = this.#bytes = size;
        return;
      } catch (error) {
        removeIfThere(this.#path(UNFINISHED));
        if (isDiskFull(error)) continue;
        this.#impossible = this.#bytes === 0;
        return;
      }
    }
    this.#failedMs = performance.now();
  }

  #path(name: string): string {
    return join(this.#folder, name);
  }
}

/** Rounds to whole chunks. */
function smaller(size: number): number {
  return Math.floor(size * NEXT_SHARE / CHUNK) * CHUNK;
}

/** Creates a file of that size if it fits, or throws. */
function allocate(path: string, { size, room }: { size: number; room: number }): void {
  using file = Deno.openSync(path, { write: true, create: true, truncate: true, mode: 0o600 });
  const chunk = new Uint8Array(CHUNK);
  for (let done = 0; done < room;) done += file.writeSync(crypto.getRandomValues(chunk));
  file.truncateSync(size);
}

/** Returns whether an error means a full disk, or an exhausted quota. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && "code" in error &&
    (error.code === "ENOSPC" || error.code === "EDQUOT");
}

function sizeOf(path: string): number {
  try {
    const { size } = Deno.statSync(path);
    return size < LEAST ? 0 : size;
  } catch {
    return 0;
  }
}

function removeIfThere(path: string): void {
  try {
    Deno.removeSync(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

import { join } from "@std/path/join";
import type { RoomKept } from "./blob.ts";

/** Name of the file in a plugin's folder. */
const NAME = "reserve";
/** The file while it is being made; one that is left over is of a process that was killed. */
const UNFINISHED = ".reserve";
/** Most room that is kept back, in bytes: enough for the log of a large deletion. */
const MOST = 4 * 1024 * 1024;
/** Least room worth keeping back, in bytes. */
const LEAST = 256 * 1024;
/** Of a size for which there is no room, so much is tried next. */
const NEXT_SHARE = 7 / 8;
/** Most random bytes that the platform makes in one call. */
const CHUNK = 65_536;
/** Room is not looked for again sooner after an attempt that found none, unless some became free. */
const RETRY_MS = 1000;
/** The same, where some became free: a large deletion frees many blobs, one after another. */
const FREED_RETRY_MS = 100;

/**
 * Room on the disk that is kept back, so that a full disk can be emptied: a deletion writes to the log before it frees
 * anything. It is a file of bytes that no file system compresses, given up when a deletion finds the disk full, and made
 * again as soon as there is room for it. Until then nothing that needs room is kept, or it would take that of the
 * deletions to come.
 */
export class Reserve implements RoomKept {
  readonly #folder: string;
  #bytes = 0;
  /** What was kept back last: so much is taken again before anything else gets room. */
  #last = 0;
  /** The folder takes no such file whatever room there is, for example under a limit on the size of files. */
  #impossible = false;
  #freed = false;
  #failedMs = -Infinity;

  /** Finds the room that is kept back in a folder, and takes more where there is enough. */
  constructor(folder: string) {
    this.#folder = folder;
    removeIfThere(this.#path(UNFINISHED));
    this.#last = this.#bytes = sizeOf(this.#path(NAME));
    if (this.#bytes < MOST) this.#make();
  }

  /** Room that is kept back now, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Whether something that needs room may be kept. */
  ready(): boolean {
    if (this.#bytes > 0 || this.#impossible) return true;
    if (this.#freed || performance.now() - this.#failedMs >= RETRY_MS) this.#make();
    return this.#bytes > 0 || this.#impossible;
  }

  /** Gives the room to a deletion. */
  giveUp(): void {
    if (this.#bytes === 0) return;
    removeIfThere(this.#path(NAME));
    this.#bytes = 0;
  }

  /** Takes the room back, where some has become free. */
  freed(): void {
    if (this.#bytes > 0 || this.#impossible) return;
    this.#freed = true;
    if (performance.now() - this.#failedMs >= FREED_RETRY_MS) this.#make();
  }

  #make(): void {
    this.#freed = false;
    for (let size = MOST; size >= LEAST && size > this.#bytes; size = smaller(size)) {
      try {
        // Half of what is free at most, except for what was kept back before.
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

/** In whole chunks. */
function smaller(size: number): number {
  return Math.floor(size * NEXT_SHARE / CHUNK) * CHUNK;
}

/** Makes a file of that size where there is `room`, or throws. */
function allocate(path: string, { size, room }: { size: number; room: number }): void {
  using file = Deno.openSync(path, { write: true, create: true, truncate: true, mode: 0o600 });
  const chunk = new Uint8Array(CHUNK);
  for (let done = 0; done < room;) done += file.writeSync(crypto.getRandomValues(chunk));
  file.truncateSync(size);
}

/** Whether an error says that the disk, or the share of it that somebody may use, is full. */
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

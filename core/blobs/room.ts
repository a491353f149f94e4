import { join } from "@std/path/join";
import { isDiskFull } from "./reserve.ts";

/** Name of the file; one that is left over is of a process that was killed. */
const NAME = ".room";
/** By how much it grows and shrinks at a time, in bytes. */
const STEP = 256 * 1024;
/** The same for less than that, and where there is no room for as much: what file systems give at least. */
const SMALL_STEP = 4096;
/** Written at a time; the most random bytes that the platform makes in one call. */
const FILLER_BYTES = 65_536;

/**
 * Room on the disk for bytes that are still on their way, held by a file: whoever sends them learns of a full disk while
 * they come, not when they are all there.
 */
export class RoomAhead {
  readonly #path: string;
  readonly #filler = crypto.getRandomValues(new Uint8Array(FILLER_BYTES));
  #bytes = 0;
  /** No such file can be made, whatever room there is: for example under a limit on the size of files. */
  #isImpossible = false;

  /** Holds nothing at first. */
  constructor(folder: string) {
    this.#path = join(folder, NAME);
    this.#cut(0);
  }

  /** Holds room for so many bytes; false when the disk is full, and as much as before is held then. */
  hold(bytes: number): boolean {
    if (this.#isImpossible) return true;
    if (bytes > this.#bytes) return this.#grow(bytes);
    if (this.#bytes > 0 && (bytes === 0 || this.#bytes - bytes > STEP)) this.#cut(bytes);
    return true;
  }

  #grow(bytes: number): boolean {
    for (const step of bytes < STEP ? [SMALL_STEP] : [STEP, SMALL_STEP]) {
      try {
        this.#write(Math.ceil(bytes / step) * step);
        return true;
      } catch (error) {
        this.#cut(this.#bytes);
        if (isDiskFull(error)) continue;
        this.#isImpossible = true;
        return true;
      }
    }
    return false;
  }

  #write(size: number): void {
    using file = Deno.openSync(this.#path, { append: true, create: true, mode: 0o600 });
    // Not zeros, which some file systems keep no room for.
    for (let left = size - this.#bytes; left > 0;) {
      left -= file.writeSync(this.#filler.subarray(0, left));
    }
    this.#bytes = size;
  }

  #cut(bytes: number): void {
    try {
      Deno.truncateSync(this.#path, bytes);
      this.#bytes = bytes;
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
      this.#bytes = 0;
    }
  }
}

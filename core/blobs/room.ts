import { join } from "@std/path/join";
import { isDiskFull } from "./reserve.ts";

/** Name of the file; a leftover is from a killed process. */
const NAME = ".room";
/** Step of growth and shrinkage, in bytes. */
const STEP = 256 * 1024;
/** Smaller step for the rest, and for little space: the granularity of file systems. */
const SMALL_STEP = 4096;
/** Bytes written at a time; the most random bytes of one platform call. */
const FILLER_BYTES = 65_536;

/**
 * Reserves disk space for incoming bytes in a file, so that their sender learns of a full disk while they arrive, not at
 * their end.
 */
export class RoomAhead {
  readonly #path: string;
  readonly #filler = crypto.getRandomValues(new Uint8Array(FILLER_BYTES));
  #bytes = 0;
  /** Such a file is refused regardless of space, for example because of a limit on file sizes. */
  #isImpossible = false;

  /** Reserves nothing at first. */
  constructor(folder: string) {
    this.#path = join(folder, NAME);
    this.#cut(0);
  }

  /** Reserves this many bytes; returns false, and keeps the old reserve, if the disk is full. */
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
    // Some file systems allocate no space for zeros.
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

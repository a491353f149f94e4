/**
 * One file of the journal, as frames that are only ever appended:
 *
 * ```
 * "SJ01" | length of the payload | number of synced bytes before | CRC-32 of those two and the payload | payload
 * ```
 *
 * Numbers are 32-bit little-endian. A frame that is incomplete or damaged ends the file, unless a later one states that
 * it was on the disk: then the file is damaged.
 *
 * A file that was emptied keeps its bytes, and is overwritten from its beginning: one that does not grow is written and
 * synced in less time. Earlier frames that are left behind the new ones have lower rows. The checksum starts from a
 * random number, so that no captured bytes can pass for a frame.
 *
 * @module
 */
import { crc32 } from "node:zlib";

const MAGIC = new TextEncoder().encode("SJ01");
const HEAD_BYTES = 16;

/** A payload, and where its frame begins and ends. */
interface Frame {
  readonly payload: Uint8Array;
  readonly at: number;
  readonly end: number;
}

/** Rows of a payload; they increase from frame to frame. */
interface Rows {
  readonly first: number;
  readonly last: number;
}

/** The frames of one file, and how much of it is synced. */
export class JournalFile implements Disposable {
  readonly #file: Deno.FsFile;
  #salt = 0;
  #bytes = 0;
  #synced = 0;
  /** Bytes that the running sync will cover. */
  #syncing = 0;
  /** Length to which the file is to be truncated, once that succeeds. */
  #cutTo: number | undefined;
  /** Whether it was emptied without being truncated. */
  #hasLeftovers = false;

  /** Opens or creates it; `frames` are to be read before anything is appended. */
  constructor(readonly path: string) {
    this.#file = Deno.openSync(path, { read: true, write: true, create: true, mode: 0o600 });
  }

  /** Length of the frames. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Returns the decoded payloads, and where their frames begin; `salt` is the first value of the checksum, from now on.
   * Throws for a file that is damaged before frames with rows above `moved`, without changing it.
   */
  frames<T extends Rows>(
    decode: (payload: Uint8Array) => T,
    { moved, salt }: { readonly moved: number; readonly salt: number },
  ): readonly { readonly decoded: T; readonly at: number }[] {
    this.#salt = salt;
    const bytes = Deno.readFileSync(this.path);
    const frames: { decoded: T; at: number }[] = [];
    let at = 0;
    for (let one = frameAt(bytes, at, salt); one !== undefined; one = frameAt(bytes, at, salt)) {
      const decoded = decode(one.payload);
      // Written before the file was emptied.
      if (decoded.first <= (frames.at(-1)?.decoded.last ?? 0)) break;
      frames.push({ decoded, at });
      at = one.end;
    }
    if (isDamaged(bytes, at, { salt, isNeeded: (payload) => decode(payload).last > moved })) {
      throw new Error(`"${this.path}" is damaged at byte ${at}, and what follows is not`);
    }
    this.#bytes = this.#synced = at;
    if (at < bytes.length) this.#cut(at);
    else this.#file.seekSync(at, Deno.SeekMode.Start);
    return frames;
  }

  /** Appends a payload, which begins after `HEAD_ROOM` bytes. Throws if it does not fit; nothing has changed then. */
  append(frame: Uint8Array): void {
    if (this.#cutTo !== undefined) this.#cut(this.#cutTo);
    const head = new DataView(frame.buffer, frame.byteOffset, HEAD_BYTES);
    frame.set(MAGIC);
    head.setUint32(4, frame.length - HEAD_BYTES, true);
    head.setUint32(8, this.#synced, true);
    head.setUint32(12, checksum(frame, this.#salt), true);
    try {
      for (let done = 0; done < frame.length;) done += this.#file.writeSync(frame.subarray(done));
    } catch (error) {
      this.cut(this.#bytes);
      throw error;
    }
    this.#bytes += frame.length;
  }

  /** Removes all frames, but keeps their bytes. Call it only once the database on the disk no longer needs their rows. */
  empty(): void {
    // Frames whose sync failed must not stay.
    if (this.#cutTo !== undefined) return this.cut(0);
    this.#shorten(0);
    this.#file.seekSync(0, Deno.SeekMode.Start);
    this.#hasLeftovers = true;
  }

  #shorten(bytes: number): void {
    this.#bytes = bytes;
    this.#synced = Math.min(this.#synced, bytes);
    this.#syncing = Math.min(this.#syncing, bytes);
  }

  /** Removes the frames from there on, and truncates the file; if that fails, before the next append. */
  cut(bytes: number): void {
    this.#shorten(bytes);
    this.#cutTo = bytes;
    try {
      this.#cut(bytes);
    } catch {
      // The next append tries again, and throws if it fails.
    }
  }

  #cut(bytes: number): void {
    this.#file.truncateSync(bytes);
    this.#file.seekSync(bytes, Deno.SeekMode.Start);
    this.#cutTo = undefined;
  }

  /** Bytes that the last successful sync covered: after a failed one, the kernel may drop the rest (fsync(2)). */
  get synced(): number {
    return this.#synced;
  }

  /** Whether everything appended is on the disk. */
  get isSynced(): boolean {
    return this.#synced === this.#bytes;
  }

  /** Resolves when everything appended so far is on the disk. */
  async sync(): Promise<void> {
    this.#syncing = this.#bytes;
    await this.#file.syncData();
    // Data of a file without a name is lost with the process.
    if (this.#file.statSync().nlink === 0) throw new Error(`"${this.path}" was removed`);
    // Fewer if frames were cut off meanwhile: others may have taken their place.
    this.#synced = this.#syncing;
  }

  /** The payload of the frame that begins there. Throws if it is damaged. */
  read(at: number): Uint8Array {
    const head = this.#readAt(at, HEAD_BYTES);
    const length = new DataView(head.buffer).getUint32(4, true);
    const whole = this.#readAt(at, HEAD_BYTES + length);
    const found = frameAt(whole, 0, this.#salt);
    if (found === undefined) throw new Error(`"${this.path}" is damaged at byte ${at}`);
    return found.payload;
  }

  #readAt(at: number, length: number): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(length);
    this.#file.seekSync(at, Deno.SeekMode.Start);
    try {
      for (let done = 0; done < length;) {
        const count = this.#file.readSync(bytes.subarray(done));
        if (count === null) throw new Error(`"${this.path}" ends too early`);
        done += count;
      }
    } finally {
      this.#file.seekSync(this.#bytes, Deno.SeekMode.Start);
    }
    return bytes;
  }

  [Symbol.dispose](): void {
    try {
      if (this.#hasLeftovers && this.#bytes === 0) this.#cut(0);
    } catch {
      // The next start reads it, and finds nothing that it needs.
    }
    this.#file.close();
  }
}

/** Bytes before a payload that `append` fills in. */
export const HEAD_ROOM = HEAD_BYTES;

/** Of the two numbers and of the payload. */
function checksum(frame: Uint8Array, salt: number): number {
  return crc32(frame.subarray(HEAD_BYTES), crc32(frame.subarray(4, 12), salt));
}

function frameAt(bytes: Uint8Array, at: number, salt: number): Frame | undefined {
  if (at + HEAD_BYTES > bytes.length || MAGIC.some((one, i) => bytes[at + i] !== one)) {
    return undefined;
  }
  const head = new DataView(bytes.buffer, bytes.byteOffset + at, HEAD_BYTES);
  const end = at + HEAD_BYTES + head.getUint32(4, true);
  if (end > bytes.length) return undefined;
  const frame = bytes.subarray(at, end);
  if (checksum(frame, salt) !== head.getUint32(12, true)) return undefined;
  return { payload: frame.subarray(HEAD_BYTES), at, end };
}

/** Whether a needed frame after the first unreadable byte states that this byte was synced. */
function isDamaged(
  bytes: Uint8Array,
  from: number,
  { salt, isNeeded }: {
    readonly salt: number;
    readonly isNeeded: (payload: Uint8Array) => boolean;
  },
): boolean {
  for (let at = bytes.indexOf(MAGIC[0]!, from); at >= 0; at = bytes.indexOf(MAGIC[0]!, at + 1)) {
    const found = frameAt(bytes, at, salt);
    if (found === undefined) continue;
    const synced = new DataView(bytes.buffer, bytes.byteOffset + at).getUint32(8, true);
    if (synced > from && isNeeded(found.payload)) return true;
    // The loop adds one.
    at = found.end - 1;
  }
  return false;
}

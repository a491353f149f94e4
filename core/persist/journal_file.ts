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
 * @module
 */
import { crc32 } from "node:zlib";

const MAGIC = new TextEncoder().encode("SJ01");
const HEAD_BYTES = 16;

/** A payload, and where its frame begins and ends. */
export interface Frame {
  readonly payload: Uint8Array;
  readonly at: number;
  readonly end: number;
}

/** The frames of one file, and how much of it is synced. */
export class JournalFile implements Disposable {
  readonly #file: Deno.FsFile;
  #bytes = 0;
  #synced = 0;
  /** Bytes that the running sync will cover. */
  #syncing = 0;
  /** Length to which the file is to be truncated, once that succeeds. */
  #cutTo: number | undefined;

  /** Opens or creates it; `frames` are to be read before anything is appended. */
  constructor(readonly path: string) {
    this.#file = Deno.openSync(path, { read: true, write: true, create: true, mode: 0o600 });
  }

  /** Length of the frames. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Throws for a damaged file, without changing it. */
  frames(): readonly Frame[] {
    const bytes = Deno.readFileSync(this.path);
    const frames: Frame[] = [];
    let at = 0;
    for (let one = frameAt(bytes, at); one !== undefined; one = frameAt(bytes, at)) {
      frames.push(one);
      at = one.end;
    }
    if (isDamaged(bytes, at)) {
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
    head.setUint32(12, checksum(frame), true);
    try {
      for (let done = 0; done < frame.length;) done += this.#file.writeSync(frame.subarray(done));
    } catch (error) {
      this.cut(this.#bytes);
      throw error;
    }
    this.#bytes += frame.length;
  }

  /** Removes the frames from there on; if that fails, before the next append. */
  cut(bytes: number): void {
    this.#bytes = bytes;
    this.#synced = Math.min(this.#synced, bytes);
    this.#syncing = Math.min(this.#syncing, bytes);
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
    const found = frameAt(whole, 0);
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
    this.#file.close();
  }
}

/** Bytes before a payload that `append` fills in. */
export const HEAD_ROOM = HEAD_BYTES;

/** Of the two numbers and of the payload. */
function checksum(frame: Uint8Array): number {
  return crc32(frame.subarray(HEAD_BYTES), crc32(frame.subarray(4, 12)));
}

function frameAt(bytes: Uint8Array, at: number): Frame | undefined {
  if (at + HEAD_BYTES > bytes.length || MAGIC.some((one, i) => bytes[at + i] !== one)) {
    return undefined;
  }
  const head = new DataView(bytes.buffer, bytes.byteOffset + at, HEAD_BYTES);
  const end = at + HEAD_BYTES + head.getUint32(4, true);
  if (end > bytes.length) return undefined;
  const frame = bytes.subarray(at, end);
  if (checksum(frame) !== head.getUint32(12, true)) return undefined;
  return { payload: frame.subarray(HEAD_BYTES), at, end };
}

/** Whether a frame after the first unreadable byte states that this byte was synced. */
function isDamaged(bytes: Uint8Array, from: number): boolean {
  for (let at = bytes.indexOf(MAGIC[0]!, from); at >= 0; at = bytes.indexOf(MAGIC[0]!, at + 1)) {
    if (frameAt(bytes, at) === undefined) continue;
    const synced = new DataView(bytes.buffer, bytes.byteOffset + at).getUint32(8, true);
    if (synced > from) return true;
  }
  return false;
}

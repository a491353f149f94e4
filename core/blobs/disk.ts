import { join } from "@std/path/join";
import { StoreFullError } from "../errors.ts";
import { isDiskFull, Reserve } from "./reserve.ts";
import { RoomAhead } from "./room.ts";
import { GroupSync, syncFolder } from "./sync.ts";
import {
  type BlobAbout,
  type BlobReader,
  type BlobRef,
  type BlobSource,
  type BlobStore,
  type OpenedBlob,
  openedBlob,
  type PutOptions,
} from "./blob.ts";
import { type ByteIntake, type ByteSource, fill } from "../byte_source.ts";

interface Held {
  readonly ref: BlobRef;
  names: number;
}

/** Folder of a plugin's blobs, beside the catalog. */
export const BLOBS_FOLDER = "blobs";
/** Bytes read from a file at a time. */
const CHUNK = 262_144;
/** Prefix of incomplete files. */
const UNFINISHED = ".";

/**
 * Keeps each blob in a file named by its id. A file is written under another name, synced and renamed, so that one with
 * a proper name is complete, and the folder is synced, so that the name survives a power failure. Blobs found at the
 * start have no names until somebody retains them.
 */
export class DiskBlobStore implements BlobStore {
  readonly freeBytes = Infinity;
  readonly reserve: Reserve | undefined;
  readonly #folder: string;
  readonly #nextId: () => string;
  readonly #held: Map<string, Held>;
  readonly #names: GroupSync;
  readonly #ahead: RoomAhead | undefined;

  /** Use `openDiskBlobs`. */
  constructor(options: {
    folder: string;
    nextId: () => string;
    found: readonly BlobRef[];
    reserve?: Reserve | undefined;
    ahead?: RoomAhead | undefined;
  }) {
    this.reserve = options.reserve;
    this.#ahead = options.ahead;
    this.#folder = options.folder;
    this.#names = new GroupSync(() => syncFolder(options.folder));
    this.#nextId = options.nextId;
    this.#held = new Map(options.found.map((ref) => [ref.id, { ref, names: 0 }]));
  }

  async put(
    source: BlobSource,
    about: BlobAbout = {},
    { replaces = 0 }: PutOptions = {},
  ): Promise<BlobRef> {
    const shrinks = this.#shrinks(source, replaces);
    try {
      if (!shrinks && this.reserve?.ready() === false) throw this.#full();
      return await this.#put(source, about);
    } catch (error) {
      if (!(error instanceof StoreFullError && shrinks)) throw error;
      this.reserve?.giveUp();
      return await this.#put(source, about);
    }
  }

  expectBytes(bytes: number, { shrink = false }: { readonly shrink?: boolean } = {}): void {
    if (this.#ahead?.hold(bytes) === false && !shrink) throw this.#full();
  }

  /** Whether the stored data shrinks: the bytes fit even twice, and leave space for a log. */
  #shrinks(source: BlobSource, replaces: number): boolean {
    if (replaces === 0 || source instanceof ReadableStream || "read" in source) return false;
    const size = source instanceof Uint8Array
      ? source.length
      : source.reduce((sum, { length }) => sum + length, 0);
    return size < replaces && size <= (this.reserve?.bytes ?? 0) / 2;
  }

  #full(): StoreFullError {
    return new StoreFullError(`Cannot keep the bytes in "${this.#folder}": the disk is full`);
  }

  async #put(source: BlobSource, about: BlobAbout): Promise<BlobRef> {
    const id = this.#nextId();
    const temporary = this.#path(UNFINISHED + id);
    let path = temporary;
    try {
      const size = await write(temporary, source);
      await Deno.rename(temporary, this.#path(id));
      path = this.#path(id);
      await this.#names.sync();
      const ref: BlobRef = { id, size, ...about };
      this.#held.set(id, { ref, names: 1 });
      return ref;
    } catch (error) {
      await Deno.remove(path).catch(() => {});
      throw isFull(error) ? this.#full() : error;
    }
  }

  async concat(ids: readonly string[], about?: BlobAbout): Promise<BlobRef | undefined> {
    if (!ids.every((id) => this.#held.has(id))) return undefined;
    try {
      using parts = this.#join(ids);
      return await this.put(parts, about);
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return undefined;
      throw error;
    }
  }

  /** Joins the bytes of blobs; each is opened when its turn comes. */
  #join(ids: readonly string[]): ByteIntake & Disposable {
    const left = [...ids];
    let file: Deno.FsFile | undefined;
    return {
      size: ids.reduce((sum, id) => sum + (this.#held.get(id)?.ref.size ?? 0), 0),
      read: async (into) => {
        for (;;) {
          const count = await file?.read(into) ?? null;
          if (count !== null) return count;
          file?.close();
          file = undefined;
          const id = left.shift();
          if (id === undefined) return 0;
          file = this.#open(id, 0)?.file;
          if (file === undefined) throw new Deno.errors.NotFound(`No blob has the id "${id}"`);
        }
      },
      [Symbol.dispose]: () => file?.close(),
    };
  }

  get(id: string): BlobRef | undefined {
    return this.#held.get(id)?.ref;
  }

  /** Opens at once, without an await, so that an id just found still leads to its bytes while they are replaced. */
  open(id: string, range?: { start: number; end: number }): Promise<OpenedBlob | undefined> {
    const start = range?.start ?? 0;
    const opened = this.#open(id, start);
    if (opened === undefined) return Promise.resolve(undefined);
    const { ref, file } = opened;
    const end = Math.min(ref.size, (range?.end ?? ref.size - 1) + 1);
    const source = toSource(file, Math.max(0, end - start));
    return Promise.resolve(openedBlob(ref, source, { chunkBytes: CHUNK }));
  }

  read(id: string, at: number, length: number): Promise<Uint8Array | undefined> {
    const opened = this.#open(id, at);
    if (opened === undefined) return Promise.resolve(undefined);
    return readFully(opened.file, Math.max(0, Math.min(length, opened.ref.size - at)));
  }

  async readParts(
    id: string,
    at: number,
    length: number,
  ): Promise<readonly Uint8Array[] | undefined> {
    const bytes = await this.read(id, at, length);
    return bytes?.length === 0 ? [] : bytes && [bytes];
  }

  reader(id: string): BlobReader | undefined {
    const opened = this.#open(id, 0);
    if (opened === undefined) return undefined;
    const { file, ref: { size } } = opened;
    let open = true;
    const read = (at: number, length: number): Uint8Array =>
      readAt(file, at, Math.max(0, Math.min(length, size - at)));
    return {
      size,
      read,
      parts: (at, length) => [read(at, length)],
      [Symbol.dispose]() {
        if (open) file.close();
        open = false;
      },
    };
  }

  retain(id: string): void {
    const held = this.#held.get(id);
    if (held !== undefined) held.names++;
  }

  release(id: string): void {
    const held = this.#held.get(id);
    if (held !== undefined && held.names > 0) held.names--;
  }

  async remove(id: string): Promise<void> {
    if (!this.#held.delete(id)) return;
    await Deno.remove(this.#path(id)).catch(ignoreMissing);
    this.reserve?.freed();
  }

  prune(): void {
    for (const [id, { names }] of this.#held) {
      if (names > 0) continue;
      this.#held.delete(id);
      try {
        Deno.removeSync(this.#path(id));
      } catch (error) {
        ignoreMissing(error);
      }
    }
    this.reserve?.freed();
  }

  #open(id: string, start: number): { ref: BlobRef; file: Deno.FsFile } | undefined {
    const held = this.#held.get(id);
    if (held === undefined) return undefined;
    try {
      const file = Deno.openSync(this.#path(id));
      if (start > 0) file.seekSync(start, Deno.SeekMode.Start);
      return { ref: held.ref, file };
    } catch (error) {
      // Another process removed it.
      if (error instanceof Deno.errors.NotFound) return undefined;
      throw error;
    }
  }

  #path(name: string): string {
    return join(this.#folder, name);
  }
}

/**
 * Opens a folder of blobs, created if necessary. The next `prune` removes incomplete files. `reserve` is a folder on
 * the same disk that reserves space for deletions and uploads; without it there is none.
 */
export async function openDiskBlobs(
  folder: string,
  nextId: () => string,
  { reserve }: { reserve?: string } = {},
): Promise<DiskBlobStore> {
  await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
  return new DiskBlobStore({
    folder,
    nextId,
    found: findBlobs(folder),
    ...(reserve === undefined
      ? {}
      : { reserve: new Reserve(reserve), ahead: new RoomAhead(reserve) }),
  });
}

/**
 * Synchronous: nothing else runs at start-up, and with fifty thousand files an await would cost more than each look-up.
 */
function findBlobs(folder: string): readonly BlobRef[] {
  const found: BlobRef[] = [];
  for (const { name, isFile } of Deno.readDirSync(folder)) {
    if (isFile) found.push({ id: name, size: Deno.statSync(join(folder, name)).size });
  }
  return found;
}

async function write(path: string, source: BlobSource): Promise<number> {
  using file = await Deno.open(path, { write: true, createNew: true, mode: 0o600 });
  let size = 0;
  if ("read" in source) {
    await writeIntake(file, source);
    size = source.size;
  } else {
    for await (const chunk of source instanceof Uint8Array ? [source] : source) {
      await writeFully(file, chunk);
      size += chunk.length;
    }
  }
  await file.syncData();
  return size;
}

/** Writes one buffer while it reads into the other. */
async function writeIntake(file: Deno.FsFile, intake: ByteIntake): Promise<void> {
  const length = Math.min(CHUNK, intake.size);
  let [next, other] = [new Uint8Array(length), new Uint8Array(length)];
  let writing = Promise.resolve();
  try {
    for (let left = intake.size; left > 0;) {
      const bytes = next.subarray(0, left);
      await fill(intake, bytes);
      await writing;
      writing = writeFully(file, bytes);
      // Awaited in a moment; until then a rejection is not unhandled.
      writing.catch(() => {});
      left -= bytes.length;
      [next, other] = [other, next];
    }
  } finally {
    await writing;
  }
}

async function writeFully(file: Deno.FsFile, bytes: Uint8Array): Promise<void> {
  for (let left = bytes; left.length > 0;) left = left.subarray(await file.write(left));
}

function readAt(file: Deno.FsFile, at: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  if (length > 0) file.seekSync(at, Deno.SeekMode.Start);
  for (let done = 0; done < length;) {
    const count = file.readSync(bytes.subarray(done));
    if (count === null) return bytes.subarray(0, done);
    done += count;
  }
  return bytes;
}

async function readFully(file: Deno.FsFile, length: number): Promise<Uint8Array> {
  using _closed = file;
  const bytes = new Uint8Array(length);
  for (let done = 0; done < length;) {
    const count = await file.read(bytes.subarray(done));
    if (count === null) return bytes.subarray(0, done);
    done += count;
  }
  return bytes;
}

function toSource(file: Deno.FsFile, length: number): ByteSource {
  let left = length;
  let open = true;
  return {
    size: length,
    async next(mostBytes) {
      if (left === 0) return undefined;
      const buffer = new Uint8Array(Math.min(mostBytes, left));
      const count = await file.read(buffer);
      if (count === null) return undefined;
      left -= count;
      return buffer.subarray(0, count);
    },
    close() {
      if (open) file.close();
      open = false;
    },
  };
}

function isFull(error: unknown): boolean {
  // EFBIG, from a limit on file sizes, has no code.
  return isDiskFull(error) || error instanceof Error && error.message.includes("(os error 27)");
}

function ignoreMissing(error: unknown): void {
  if (!(error instanceof Deno.errors.NotFound)) throw error;
}

import { join } from "@std/path/join";
import type { BlobRef } from "../blobs/blob.ts";
import { BLOBS_FOLDER, type DiskBlobStore, openDiskBlobs } from "../blobs/disk.ts";
import type { MemoryBlobStore } from "../blobs/memory.ts";
import { ConfigError, LogWriteError, reasonOf, StoreFullError } from "../errors.ts";
import type { CapturedEvent } from "../events/event.ts";
import type { EventLog, LogFollower, LogRecord } from "../events/log.ts";
import { createIds, randomBits } from "../ids.ts";
import type { Logger } from "../log.ts";
import { TimeSlice } from "../time_slice.ts";
import { type Catalog, type CatalogSchema, openCatalog } from "./catalog.ts";
import { decodeEvent, encodeEvent, type Placeless } from "./event_record.ts";

/** Tables of the log. Bytes are apart from the events that name them, because several may. */
export const EVENT_LOG_SCHEMA: CatalogSchema = {
  version: 1,
  create: `
    CREATE TABLE event (
      seq INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      about TEXT NOT NULL,
      body BLOB,
      shared TEXT
    );
    CREATE TABLE bytes (
      id TEXT PRIMARY KEY NOT NULL,
      size INTEGER NOT NULL,
      about TEXT NOT NULL,
      data BLOB,
      file TEXT
    )`,
  // As much as the room that is kept back for deletions: on a full disk it has to take both.
  logPages: 1024,
};

/** Bodies of more bytes may belong to several events, and are kept once. */
const SHARED_BYTES = 2048;
/** More bytes than these are a file of their own, which is written beside the event loop. */
const FILE_BYTES = 262_144;
/** Events no longer held for which a write is not put off any longer. */
const MOST_GONE = 512;
/** The row that is written to find out whether there is room again, and its bytes. */
const TRIAL = "trial";
const TRIAL_BYTES = 65_536;
/** Rows read at a time. */
const PAGE = 1000;
/** Between two lines of the log on how far the start has come, in milliseconds. */
const PROGRESS_MS = 1000;

/** What the log needs. */
export interface FileLogOptions {
  /** Where it is; made if need be. */
  readonly folder: string;
  /** Attachments that events name: read from here when an event is kept, and put here at the start. */
  readonly blobs: MemoryBlobStore;
  readonly log: Logger;
}

/** Bytes that an event names. */
interface Named {
  readonly id: string;
  readonly ref: Omit<BlobRef, "id">;
  /** `undefined` where somebody removed them before they could be kept. */
  readonly bytes: () => Uint8Array | undefined;
}

/** An event on its way into the log. */
interface Entry {
  readonly event: Placeless;
  readonly about: string;
  readonly body: Named | undefined;
  readonly named: readonly Named[];
}

/** An event that goes, and the bytes it named. */
interface Gone {
  readonly id: string;
  readonly names: readonly string[];
}

/** What is written with one transaction. */
interface Batch {
  readonly records: readonly { readonly record: LogRecord; readonly entries: readonly Entry[] }[];
  readonly gone: readonly Gone[];
}

/**
 * Keeps events in a database: a row for each, one transaction for all that come while the one before is brought to the
 * disk. The attachments and large bodies that an event names are written with it, or before it.
 */
export class FileEventLog implements EventLog, AsyncDisposable {
  readonly #catalog: Catalog;
  readonly #files: DiskBlobStore;
  readonly #blobs: MemoryBlobStore;
  readonly #log: Logger;
  readonly #folder: string;
  #follower: LogFollower = () => {};
  /** How many events name the bytes of an id that are kept. */
  readonly #names = new Map<string, number>();
  /** Files of those that have one. */
  readonly #fileOf = new Map<string, string>();
  /** Under which id a large body is kept. */
  readonly #bodies = new WeakMap<Uint8Array, string>();
  #records: Batch["records"][number][] = [];
  #gone: Gone[] = [];
  /** What is being written, and what is written next. */
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  /** Files that are being removed. */
  #dropping: Promise<unknown> | undefined;
  #failed = false;

  /** Use `openFileLog`. */
  constructor(catalog: Catalog, files: DiskBlobStore, { blobs, log, folder }: FileLogOptions) {
    this.#catalog = catalog;
    this.#files = files;
    this.#blobs = blobs;
    this.#log = log;
    this.#folder = folder;
  }

  get writable(): boolean {
    if (!this.#failed) return true;
    try {
      const trial = [TRIAL, TRIAL_BYTES, "{}", TRIAL_BYTES];
      this.#catalog.transaction(() =>
        this.#catalog.run(
          "INSERT OR REPLACE INTO bytes VALUES (?, ?, ?, zeroblob(?), NULL)",
          ...trial,
        )
      );
      this.#catalog.transaction(() => this.#catalog.run("DELETE FROM bytes WHERE id = ?", TRIAL), {
        frees: true,
      });
      this.#failed = false;
    } catch {
      // Whoever captures something is told why.
    }
    return !this.#failed;
  }

  async follow(follower: LogFollower): Promise<void> {
    this.#follower = follower;
    try {
      await this.#read();
    } catch (error) {
      throw new ConfigError(
        `Cannot read the events kept in "${this.#folder}": ${reasonOf(error)}; choose another ` +
          "[storage] path (--persist), or remove this folder to begin anew",
      );
    }
    this.#files.prune();
  }

  async #read(): Promise<void> {
    const total = Number(this.#catalog.all("SELECT count(*) AS n FROM event")[0]?.n);
    const slice = new TimeSlice();
    const shared = new Map<string, WeakRef<Uint8Array>>();
    let shownMs = performance.now();
    let missing = 0;
    for (let seq = 0, read = 0;;) {
      const rows = this.#catalog.all(
        "SELECT seq, id, about, body, shared FROM event WHERE seq > ? ORDER BY seq LIMIT ?",
        seq,
        PAGE,
      );
      if (rows.length === 0) break;
      const events: Placeless[] = [];
      for (const row of rows) {
        const id = String(row.id);
        const body = row.shared === null
          ? toBytes(row.body)
          : await this.#readShared(String(row.shared), shared);
        const event = decodeEvent({ id, about: String(row.about), body });
        for (const name of event.blobs) if (!await this.#restoreBlob(name)) missing++;
        for (const name of this.#namesOf(event)) this.#name(name, 1);
        events.push(event);
        seq = Number(row.seq);
      }
      this.#follower({ kind: "restored", events });
      read += rows.length;
      if (performance.now() - shownMs > PROGRESS_MS) {
        shownMs = performance.now();
        this.#log.info("Reading the events that were kept", { read, of: total });
      }
      if (slice.over) await slice.yieldToEventLoop();
    }
    if (missing > 0) {
      const hint = "raise [storage] blob_limit or memory_limit, and start again";
      this.#log.warn("No room for attachments that were kept", { attachments: missing, hint });
    }
  }

  append(record: LogRecord): Promise<void> {
    try {
      const events = record.kind === "captured" ? [record.event] : record.events;
      this.#records.push({ record, entries: events.map((event) => this.#toEntry(event)) });
    } catch (error) {
      return Promise.reject(new LogWriteError(`Cannot keep the event: ${reasonOf(error)}`));
    }
    return this.#write();
  }

  trim(event: CapturedEvent): void {
    this.#gone.push(this.#toGone(event));
    if (this.#gone.length >= MOST_GONE) this.#write().catch(() => {});
  }

  last(): Promise<void> | undefined {
    if (this.#records.length > 0 || this.#gone.length > 0) return this.#write();
    return this.#running;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.last();
    } catch (error) {
      this.#log.warn("Cannot write the last changes of the events", { error });
    }
    await this.#dropping;
    this.#catalog[Symbol.dispose]();
  }

  #write(): Promise<void> {
    return this.#next ??= this.#writeAfter(this.#running);
  }

  async #writeAfter(before: Promise<void> | undefined): Promise<void> {
    // Everything that comes meanwhile is one transaction, and shares one wait for the disk.
    await before?.catch(() => {});
    const running = this.#next;
    this.#running = running;
    this.#next = undefined;
    const batch: Batch = { records: this.#records, gone: this.#gone };
    this.#records = [];
    this.#gone = [];
    let unwritten = batch.gone;
    try {
      await this.#keep(batch);
      // From here on it is in the database; what nobody is told of must go from there again.
      unwritten = batch.records.flatMap(({ entries }) =>
        entries.map(({ event }) => this.#toGone(event))
      );
      await this.#catalog.settled();
      this.#failed = false;
    } catch (error) {
      this.#failed = true;
      this.#gone = [...this.#gone, ...unwritten];
      throw new LogWriteError(`Cannot keep what was captured: ${reasonOf(error)}`);
    } finally {
      if (this.#running === running) this.#running = undefined;
    }
    for (const { record } of batch.records) this.#follower(record);
    for (const { names } of batch.gone) for (const name of names) this.#dropBytes(name);
  }

  async #keep(batch: Batch): Promise<void> {
    const entries = batch.records.flatMap((one) => one.entries);
    const files = await this.#writeFiles(entries);
    let totals = new Map<string, number>();
    try {
      this.#catalog.transaction(() => {
        totals = new Map();
        for (const entry of entries) this.#insert(entry, { totals, files });
        for (const gone of batch.gone) this.#delete(gone, totals);
        for (const [id, names] of totals) {
          if (names <= 0) this.#catalog.run("DELETE FROM bytes WHERE id = ?", id);
        }
      }, { frees: entries.length === 0 });
    } catch (error) {
      for (const file of files.values()) await this.#files.remove(file);
      throw error;
    }
    for (const [id, file] of files) this.#fileOf.set(id, file);
    for (const [id, names] of totals) this.#names.set(id, names);
  }

  #insert(
    { event, about, body, named }: Entry,
    { totals, files }: { totals: Map<string, number>; files: ReadonlyMap<string, string> },
  ): void {
    for (const { id, ref: { size, ...known }, bytes } of named) {
      const names = totals.get(id) ?? this.#names.get(id) ?? 0;
      totals.set(id, names + 1);
      const file = files.get(id) ?? null;
      const data = names > 0 || file !== null ? null : bytes() ?? null;
      if (file === null && data === null) continue;
      this.#catalog.run(
        "INSERT INTO bytes (id, size, about, data, file) VALUES (?, ?, ?, ?, ?)",
        ...[id, size, JSON.stringify(known), data, file],
      );
    }
    this.#catalog.run(
      "INSERT INTO event (id, about, body, shared) VALUES (?, ?, ?, ?)",
      ...[event.id, about, body === undefined ? event.raw.body : null, body?.id ?? null],
    );
  }

  #delete({ id, names }: Gone, totals: Map<string, number>): void {
    this.#catalog.run("DELETE FROM event WHERE id = ?", id);
    for (const name of names) {
      totals.set(name, (totals.get(name) ?? this.#names.get(name) ?? 0) - 1);
    }
  }

  /** What is too long for the database is in place before the event that names it. */
  async #writeFiles(entries: readonly Entry[]): Promise<ReadonlyMap<string, string>> {
    const files = new Map<string, string>();
    try {
      for (const { id, ref: { size }, bytes } of entries.flatMap(({ named }) => named)) {
        if (size <= FILE_BYTES || (this.#names.get(id) ?? 0) > 0 || files.has(id)) continue;
        const found = bytes();
        if (found !== undefined) files.set(id, (await this.#files.put(found)).id);
      }
      return files;
    } catch (error) {
      for (const file of files.values()) await this.#files.remove(file);
      throw error;
    }
  }

  /** A file that nothing names goes once that is on the disk itself. */
  async #dropBytes(id: string): Promise<void> {
    if ((this.#names.get(id) ?? 0) > 0) return;
    this.#names.delete(id);
    const file = this.#fileOf.get(id);
    this.#fileOf.delete(id);
    if (file === undefined) return;
    try {
      await this.#files.remove(file);
    } catch (error) {
      this.#log.warn("Cannot remove bytes that no event names", { file, error });
    }
  }

  #toEntry(event: Placeless): Entry {
    const { body } = event.raw;
    const large = body.length <= SHARED_BYTES ? undefined : {
      id: this.#bodies.get(body) ?? event.id,
      ref: { size: body.length },
      bytes: () => body,
    };
    if (large !== undefined) this.#bodies.set(body, large.id);
    const attached = event.blobs.flatMap((id) => this.#toNamed(id) ?? []);
    const named = large === undefined ? attached : [large, ...attached];
    return { event, about: encodeEvent(event), body: large, named };
  }

  /** Bytes of an attachment; `undefined` for those of a plugin that keeps its own. */
  #toNamed(id: string): Named | undefined {
    const known = this.#blobs.get(id);
    if (known === undefined) return undefined;
    const { id: _id, ...ref } = known;
    const bytes = (): Uint8Array | undefined => {
      using reader = this.#blobs.reader(id);
      return reader?.read(0, ref.size);
    };
    return { id, ref, bytes };
  }

  #toGone(event: Placeless): Gone {
    return { id: event.id, names: this.#namesOf(event) };
  }

  #namesOf({ raw: { body }, blobs }: Placeless): readonly string[] {
    const large = this.#bodies.get(body);
    return large === undefined ? blobs : [large, ...blobs];
  }

  #name(id: string, more: number): void {
    this.#names.set(id, (this.#names.get(id) ?? 0) + more);
  }

  /** As long as an event has the body, others that name it have the same. */
  async #readShared(
    id: string,
    shared: Map<string, WeakRef<Uint8Array>>,
  ): Promise<Uint8Array> {
    const known = shared.get(id)?.deref();
    if (known !== undefined) return known;
    const found = await this.#readBytes(id);
    if (found === undefined) throw new Error(`the body of event "${id}" is missing`);
    shared.set(id, new WeakRef(found.bytes));
    this.#bodies.set(found.bytes, id);
    return found.bytes;
  }

  /** False where there is no room for it: the event stays, and so do the bytes on the disk. */
  async #restoreBlob(id: string): Promise<boolean> {
    if (this.#blobs.get(id) !== undefined) {
      this.#blobs.retain(id);
      return true;
    }
    const found = await this.#readBytes(id);
    // A plugin that keeps its own bytes may have let go of them.
    if (found === undefined) return true;
    try {
      this.#blobs.restore({ ...found.about, id, size: found.bytes.length }, found.bytes);
      return true;
    } catch (error) {
      if (error instanceof StoreFullError) return false;
      throw error;
    }
  }

  async #readBytes(
    id: string,
  ): Promise<{ bytes: Uint8Array; about: Omit<BlobRef, "id" | "size"> } | undefined> {
    const [row] = this.#catalog.all("SELECT * FROM bytes WHERE id = ?", id);
    if (row === undefined) return undefined;
    const file = row.file === null ? undefined : String(row.file);
    const size = Number(row.size);
    const bytes = file === undefined ? toBytes(row.data) : await this.#files.read(file, 0, size);
    if (bytes?.length !== size) throw new Error(`the bytes "${id}" of an event are not whole`);
    if (file !== undefined && !this.#fileOf.has(id)) {
      this.#files.retain(file);
      this.#fileOf.set(id, file);
    }
    return { bytes, about: JSON.parse(String(row.about)) };
  }
}

function toBytes(value: unknown): Uint8Array {
  return value instanceof Uint8Array ? value : new Uint8Array();
}

/**
 * Opens the log in a folder, or begins one. Throws `ConfigError` for one that cannot be used; nothing is changed then.
 */
export async function openFileLog(options: FileLogOptions): Promise<FileEventLog> {
  const { folder } = options;
  const nextId = createIds({ nowMs: () => Date.now(), random: randomBits() });
  let files: DiskBlobStore;
  try {
    files = await openDiskBlobs(join(folder, BLOBS_FOLDER), nextId, { reserve: folder });
  } catch (error) {
    throw new ConfigError(
      `Cannot keep events in "${folder}": ${reasonOf(error)}; ` +
        "choose another [storage] path (--persist), or [storage] events (--events) memory",
    );
  }
  return new FileEventLog(openCatalog(folder, EVENT_LOG_SCHEMA, files.reserve), files, options);
}

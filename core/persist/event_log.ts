import { join } from "@std/path/join";
import { BLOBS_FOLDER, type DiskBlobStore, openDiskBlobs } from "../blobs/disk.ts";
import type { MemoryBlobStore } from "../blobs/memory.ts";
import { ConfigError, LogWriteError, reasonOf } from "../errors.ts";
import type { CapturedEvent } from "../events/event.ts";
import type { EventLog, LogFollower, LogRecord } from "../events/log.ts";
import { createIds, randomBits } from "../ids.ts";
import type { Logger } from "../log.ts";
import { TimeSlice } from "../time_slice.ts";
import { type Catalog, openCatalog } from "./catalog.ts";
import type { Entry, Files, Gone } from "./entry.ts";
import { EventRows } from "./event_rows.ts";
import { EVENT_LOG_SCHEMA } from "./event_schema.ts";
import { type Journal, openJournal } from "./journal.ts";

/** Number of dropped events after which their deletion is no longer deferred. */
const MOST_GONE = 512;
/** Maximum records inserted into the database while the sync of earlier ones still runs. */
const EARLY_RECORDS = 64;
/** Interval of log lines about the progress of the start, in milliseconds. */
const PROGRESS_MS = 1000;

/** Options of the log. */
export interface FileLogOptions {
  /** Its folder; created if needed. */
  readonly folder: string;
  /** The attachments of events: read from here to store them, and put here at the start. */
  readonly blobs: MemoryBlobStore;
  readonly log: Logger;
}

/** Records of one transaction, which share a promise. */
class Batch {
  readonly records: LogRecord[] = [];
  readonly entries: Entry[] = [];
  /** Files without references once this is written. */
  unused: readonly string[] = [];
  /** Captures await it. */
  readonly done = Promise.withResolvers<void>();
  /** Deletions await it: they succeed on a disk that is too full for the captures. */
  freed = Promise.withResolvers<void>();

  constructor() {
    // Evictions are retried, and nothing waits for them.
    for (const { promise } of [this.done, this.freed]) promise.catch(() => {});
  }
}

/**
 * Stores events in a journal, and in a database with one row for each. One write takes all events that arrive while the
 * previous one is synced. The attachments and large bodies that an event names are written with it or before it.
 */
export class FileEventLog implements EventLog, AsyncDisposable {
  readonly shared = false;
  readonly #catalog: Catalog;
  readonly #journal: Journal;
  readonly #files: DiskBlobStore;
  readonly #rows: EventRows;
  readonly #log: Logger;
  readonly #folder: string;
  #follower: LogFollower = () => {};
  /** Batch that collects new records, and whether a caller waits for its write. */
  #pending = new Batch();
  #isWanted = false;
  #gone: Gone[] = [];
  /** Written, but not synced yet. */
  #committed: Batch[] = [];
  /** Unsettled batches, in order, except the one that collects. */
  #open: readonly Batch[] = [];
  #isRunning = false;
  /** A sync is running; new records may be inserted after it. */
  #isSyncing = false;
  /** Ids of accepted events that are not written yet. */
  readonly #restoring = new Set<string>();
  /** Files that are being removed. */
  #dropping = Promise.resolve();
  #failed = false;
  /** Part of the journal cannot be read. */
  #isStuck = false;

  /** Use `openFileLog`. */
  constructor(
    { catalog, files, journal }: { catalog: Catalog; files: DiskBlobStore; journal: Journal },
    { blobs, log, folder }: FileLogOptions,
  ) {
    this.#catalog = catalog;
    this.#journal = journal;
    this.#files = files;
    this.#rows = new EventRows(catalog, { files, blobs, journal });
    this.#log = log;
    this.#folder = folder;
  }

  get writable(): boolean {
    if (!this.#failed) return true;
    try {
      this.#rows.tryToWrite();
      this.#failed = false;
    } catch {
      // Each capture rejects with the reason.
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
          "[storage] path (--persist), or remove this folder to start empty",
      );
    }
    this.#files.prune();
  }

  async #read(): Promise<void> {
    const { total } = this.#rows;
    const slice = new TimeSlice();
    let shownMs = performance.now();
    let read = 0;
    let attachments = 0;
    for await (const { events, missing } of this.#rows.read()) {
      this.#follower({ kind: "restored", events });
      read += events.length;
      attachments += missing;
      if (performance.now() - shownMs > PROGRESS_MS) {
        shownMs = performance.now();
        this.#log.info("Reading the stored events", { read, of: total });
      }
      if (slice.over) await slice.yieldToEventLoop();
    }
    if (attachments > 0) {
      const hint = "raise [storage] blob_limit or memory_limit, and start again";
      this.#log.warn("No room for stored attachments", { attachments, hint });
    }
  }

  append(record: LogRecord): Promise<void> | undefined {
    if (record.kind !== "captured" && record.kind !== "restored") {
      return this.#appendDeletion(record);
    }
    const { records, entries } = this.#pending;
    try {
      if (record.kind === "captured") entries.push(this.#rows.toEntry(record.event));
      else for (const entry of this.#toEntries(record.events)) entries.push(entry);
    } catch (error) {
      return Promise.reject(new LogWriteError(`Cannot keep the event: ${reasonOf(error)}`));
    }
    // A copy, as an entry is one.
    records.push({ ...record });
    const written = this.#write();
    if (this.#isSyncing && records.length >= EARLY_RECORDS) this.#commitEarly();
    return written;
  }

  /**
   * There is no other writer, so the follower deletes at once, and trimmed events are deleted with
   * the next write, or with a later one if that fails.
   */
  #appendDeletion(record: LogRecord): Promise<void> | undefined {
    this.#follower(record);
    return this.last();
  }

  /** All, or none: an event must not be there twice. */
  #toEntries(events: Extract<LogRecord, { kind: "restored" }>["events"]): Entry[] {
    const twice = events.find(({ id }) => this.#restoring.has(id));
    if (twice !== undefined) throw new Error(`"${twice.id}" is already being imported`);
    const entries = events.map((event) => this.#rows.toEntry(event));
    for (const { id } of events) this.#restoring.add(id);
    return entries;
  }

  trim(event: CapturedEvent): void {
    this.#gone.push(this.#rows.toGone(event));
    if (this.#gone.length >= MOST_GONE) this.#write();
  }

  last(): Promise<void> | undefined {
    if (!this.#isWanted && this.#gone.length === 0) return this.#open.at(-1)?.freed.promise;
    const { freed } = this.#pending;
    this.#write();
    return freed.promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      for (let last = this.last(); last !== undefined; last = this.last()) await last;
    } catch (error) {
      this.#log.warn("Cannot write the last changes of the events", { error });
    }
    try {
      await this.#rows.moveAll();
    } catch (error) {
      this.#log.warn("Cannot empty the journal of the events; the next start reads it", { error });
    }
    await this.#dropping;
    this.#journal[Symbol.dispose]();
    this.#catalog[Symbol.dispose]();
  }

  #write(): Promise<void> {
    this.#isWanted = true;
    if (!this.#isRunning) this.#run();
    return this.#pending.done.promise;
  }

  /** Writes until nothing is pending. The next batch is inserted while the previous one is synced. */
  async #run(): Promise<void> {
    this.#isRunning = true;
    // Captures of one turn share a transaction.
    await Promise.resolve();
    let synced: readonly Batch[] = [];
    while (this.#isWanted || this.#committed.length > 0 || synced.length > 0) {
      if (this.#isWanted && this.#rows.needFiles(this.#pending.entries)) {
        this.#handOver(synced);
        synced = [];
      }
      if (this.#isWanted) await this.#commit();
      const covered = this.#committed;
      this.#committed = [];
      const syncing = covered.length === 0 ? undefined : this.#rows.settled();
      this.#handOver(synced);
      this.#move();
      synced = syncing === undefined ? [] : await this.#awaitSync(syncing, covered);
    }
    this.#isRunning = false;
  }

  #move(): void {
    if (this.#isStuck) return;
    try {
      this.#rows.move();
    } catch (error) {
      this.#isStuck = true;
      this.#log.error("Cannot read the journal of the events, which grows until the next start", {
        error,
      });
    }
  }

  /** Closes the current batch. */
  #take(): { batch: Batch; gone: readonly Gone[] } {
    const taken = { batch: this.#pending, gone: this.#gone };
    this.#open = [...this.#open, taken.batch];
    this.#pending = new Batch();
    this.#isWanted = false;
    this.#gone = [];
    return taken;
  }

  async #commit(): Promise<void> {
    const { batch, gone } = this.#take();
    let files: Files | undefined;
    try {
      if (this.#rows.needFiles(batch.entries)) files = await this.#rows.writeFiles(batch.entries);
      batch.unused = this.#rows.commit(batch.entries, gone, files);
      this.#committed.push(batch);
    } catch (error) {
      await this.#rows.removeFiles(files?.values() ?? []);
      this.#fail([batch], this.#free(batch, gone), error);
    }
  }

  /**
   * Deletes events although their batch failed: without captures, and in smaller parts, because SQLite writes every page
   * that a part of its events is deleted from. Returns what cannot be deleted.
   */
  #free(failed: Batch, gone: readonly Gone[]): readonly Gone[] {
    const earlier = this.#open.filter((one) => one !== failed).at(-1);
    if (gone.length === 0) failed.freed.resolve(earlier?.freed.promise);
    const unused: string[] = [];
    let left = gone;
    for (let count = failed.entries.length > 0 ? left.length : left.length >> 1; count > 0;) {
      try {
        for (const file of this.#rows.commit([], left.slice(0, count))) unused.push(file);
        left = left.slice(count);
        count = Math.min(count, left.length);
      } catch {
        count >>= 1;
      }
    }
    if (left.length === gone.length) return left;
    const batch = new Batch();
    if (left.length === 0) [batch.freed, failed.freed] = [failed.freed, batch.freed];
    batch.unused = unused;
    this.#committed.push(batch);
    this.#open = [...this.#open, batch];
    return left;
  }

  /** Retries or refuses, after the sync, what cannot be committed now. */
  #commitEarly(): void {
    const { entries } = this.#pending;
    this.#isSyncing = !this.#rows.needFiles(entries);
    if (!this.#isSyncing) return;
    try {
      const unused = this.#rows.commit(entries, this.#gone);
      const { batch } = this.#take();
      batch.unused = unused;
      this.#committed.push(batch);
    } catch {
      this.#isSyncing = false;
    }
  }

  async #awaitSync(syncing: Promise<void>, covered: readonly Batch[]): Promise<readonly Batch[]> {
    this.#isSyncing = true;
    try {
      await syncing;
      this.#failed = false;
      return covered;
    } catch (error) {
      // Later records cannot be read without it.
      const lost = [...covered, ...this.#committed];
      this.#committed = [];
      const gone = lost.flatMap(({ entries }) => entries)
        .map(({ event }) => this.#rows.toGone(event));
      this.#fail(lost, gone, error);
      return [];
    } finally {
      this.#isSyncing = false;
    }
  }

  #handOver(batches: readonly Batch[]): void {
    for (const batch of batches) {
      this.#close(batch);
      try {
        for (const record of batch.records) this.#follower(record);
        batch.done.resolve();
        batch.freed.resolve();
      } catch (error) {
        batch.done.reject(error);
        batch.freed.reject(error);
      }
      this.#drop(batch.unused);
    }
  }

  /** Events that were not acknowledged are deleted with the next write. */
  #fail(batches: readonly Batch[], gone: readonly Gone[], error: unknown): void {
    this.#failed = true;
    this.#gone = [...this.#gone, ...gone];
    const refusal = new LogWriteError(`Cannot keep what was captured: ${reasonOf(error)}`);
    for (const batch of batches) {
      this.#close(batch);
      batch.done.reject(refusal);
      batch.freed.reject(refusal);
    }
  }

  #close(batch: Batch): void {
    this.#open = this.#open.filter((one) => one !== batch);
    if (this.#restoring.size === 0) return;
    for (const { event: { id } } of batch.entries) this.#restoring.delete(id);
  }

  #drop(files: readonly string[]): void {
    if (files.length === 0) return;
    this.#dropping = this.#dropping.then(() => this.#rows.removeFiles(files)).catch((error) => {
      this.#log.warn("Cannot remove bytes that no event refers to", { error });
    });
  }
}

/** Opens the log in a folder, or creates one. Throws `ConfigError` for one that cannot be used, without changing it. */
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
  const catalog = openCatalog(folder, EVENT_LOG_SCHEMA, files.reserve);
  try {
    const journal = await openJournal(folder);
    return new FileEventLog({ catalog, files, journal }, options);
  } catch (error) {
    catalog[Symbol.dispose]();
    throw error;
  }
}

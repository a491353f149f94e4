import type { BlobRef } from "../blobs/blob.ts";
import type { DiskBlobStore } from "../blobs/disk.ts";
import type { MemoryBlobStore } from "../blobs/memory.ts";
import { StoreFullError } from "../errors.ts";
import type { Catalog, CatalogSchema } from "./catalog.ts";
import type { Placeless } from "../events/log.ts";
import { decodeEvent, encodeEvent } from "./event_record.ts";

/** Tables of the log. Bytes are apart from the events that name them, because several may. */
export const EVENT_LOG_SCHEMA: CatalogSchema = {
  version: 1,
  create: `
    CREATE TABLE event (
      seq INTEGER PRIMARY KEY,
      id TEXT NOT NULL,
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
  // As large as the space reserved for deletions: on a full disk it must hold both.
  logPages: 1024,
};

/** Bodies of more bytes may belong to several events, and are kept once. */
const SHARED_BYTES = 2048;
/** More bytes than these are a separate file, written off the event loop. */
const FILE_BYTES = 262_144;
/** The row written to test whether there is space again, and its bytes. */
const TRIAL = "trial";
const TRIAL_BYTES = 65_536;
/** Rows read at a time. */
const PAGE = 1000;

/** Bytes that an event names. */
interface Named {
  readonly id: string;
  readonly ref: Omit<BlobRef, "id">;
  /** `undefined` if they were removed before they could be stored. */
  readonly bytes: () => Uint8Array | undefined;
}

/** An event on its way into the log. */
export interface Entry {
  readonly event: Placeless;
  readonly about: string;
  readonly body: Named | undefined;
  readonly named: readonly Named[];
}

/** A removed event, and the bytes that it referenced. */
export interface Gone {
  readonly id: string;
  readonly names: readonly string[];
}

/** Files of bytes too long for the database, by the id of the bytes. */
export type Files = ReadonlyMap<string, string>;

const NO_FILES: Files = new Map();
const NONE: readonly Named[] = [];

/** The events of the log as rows, and the bytes that they name, each kept once. */
export class EventRows {
  readonly #catalog: Catalog;
  readonly #files: DiskBlobStore;
  readonly #blobs: MemoryBlobStore;
  /** The row of each event. */
  readonly #rowOf = new Map<string, number>();
  #lastRow = 0;
  /** Number of stored events with the bytes of an id. */
  readonly #names = new Map<string, number>();
  /** Files of those that have one. */
  readonly #fileOf = new Map<string, string>();
  /** Under which id a large body is kept. */
  readonly #bodies = new WeakMap<Uint8Array, string>();

  constructor(catalog: Catalog, files: DiskBlobStore, blobs: MemoryBlobStore) {
    this.#catalog = catalog;
    this.#files = files;
    this.#blobs = blobs;
  }

  /** Throws for an event without JSON. */
  toEntry(event: Placeless): Entry {
    const { body } = event.raw;
    const about = encodeEvent(event);
    const attached = event.blobs.length === 0
      ? NONE
      : event.blobs.flatMap((id) => this.#toNamed(id) ?? []);
    if (body.length <= SHARED_BYTES) return { event, about, body: undefined, named: attached };
    const id = this.#bodies.get(body) ?? event.id;
    this.#bodies.set(body, id);
    const large: Named = { id, ref: { size: body.length }, bytes: () => body };
    return { event, about, body: large, named: [large, ...attached] };
  }

  toGone(event: Placeless): Gone {
    return { id: event.id, names: this.#namesOf(event) };
  }

  /** Whether some of the bytes must be written as files first. */
  needFiles(entries: readonly Entry[]): boolean {
    return entries.some(({ named }) => named.some((one) => this.#needsFile(one)));
  }

  /** Writes bytes that are too long for the database as files, before the event that names them. */
  async writeFiles(entries: readonly Entry[]): Promise<Files> {
    const files = new Map<string, string>();
    try {
      for (const one of entries.flatMap(({ named }) => named)) {
        if (!this.#needsFile(one) || files.has(one.id)) continue;
        const found = one.bytes();
        if (found !== undefined) files.set(one.id, (await this.#files.put(found)).id);
      }
      return files;
    } catch (error) {
      await this.removeFiles(files.values());
      throw error;
    }
  }

  /**
   * Adds and removes events in one transaction. Returns the files without references; delete them
   * after the next sync. Throws `CatalogWriteError`; nothing changes then.
   */
  commit(
    entries: readonly Entry[],
    gone: readonly Gone[],
    files: Files = NO_FILES,
  ): readonly string[] {
    let totals = new Map<string, number>();
    this.#catalog.transaction(() => {
      totals = new Map();
      let row = this.#lastRow;
      for (const entry of entries) this.#insert(entry, { row: ++row, totals, files });
      this.#delete(gone, totals);
      for (const [id, names] of totals) {
        if (names <= 0) this.#catalog.run("DELETE FROM bytes WHERE id = ?", id);
      }
    }, { frees: entries.length === 0 });
    // In this order, because a removed event may have been added again.
    for (const { id } of gone) this.#rowOf.delete(id);
    for (const { event } of entries) this.#rowOf.set(event.id, ++this.#lastRow);
    for (const [id, file] of files) this.#fileOf.set(id, file);
    return [...totals].flatMap(([id, names]) => this.#count(id, names) ?? []);
  }

  /** Removes files that no event names. */
  async removeFiles(files: Iterable<string>): Promise<void> {
    for (const file of files) await this.#files.remove(file);
  }

  /** Throws unless there is room for events. */
  tryToWrite(): void {
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
  }

  /** Number of events. */
  get total(): number {
    return Number(this.#catalog.all("SELECT count(*) AS n FROM event")[0]?.n);
  }

  /** Yields all events, in batches, and the number of their attachments without room. */
  async *read(): AsyncGenerator<{ events: readonly Placeless[]; missing: number }> {
    const shared = new Map<string, WeakRef<Uint8Array>>();
    for (;;) {
      const rows = this.#catalog.all(
        "SELECT seq, id, about, body, shared FROM event WHERE seq > ? ORDER BY seq LIMIT ?",
        this.#lastRow,
        PAGE,
      );
      if (rows.length === 0) break;
      const events: Placeless[] = [];
      let missing = 0;
      for (const row of rows) {
        const id = String(row.id);
        const body = row.shared === null
          ? toBytes(row.body)
          : await this.#readShared(String(row.shared), shared);
        const event = decodeEvent({ id, about: String(row.about), body });
        for (const name of event.blobs) if (!await this.#restoreBlob(name)) missing++;
        for (const name of this.#namesOf(event)) {
          this.#names.set(name, (this.#names.get(name) ?? 0) + 1);
        }
        events.push(event);
        this.#lastRow = Number(row.seq);
        this.#rowOf.set(id, this.#lastRow);
      }
      yield { events, missing };
    }
  }

  #insert(
    { event, about, body, named }: Entry,
    { row, totals, files }: { row: number; totals: Map<string, number>; files: Files },
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
      "INSERT INTO event VALUES (?, ?, ?, ?, ?)",
      row,
      event.id,
      about,
      body === undefined ? event.raw.body : null,
      body?.id ?? null,
    );
  }

  /** Those that were captured one after another go with one statement. */
  #delete(gone: readonly Gone[], totals: Map<string, number>): void {
    const rows: number[] = [];
    for (const { id, names } of gone) {
      const row = this.#rowOf.get(id);
      if (row !== undefined) rows.push(row);
      for (const name of names) {
        totals.set(name, (totals.get(name) ?? this.#names.get(name) ?? 0) - 1);
      }
    }
    rows.sort((a, b) => a - b);
    for (let i = 0; i < rows.length;) {
      const first = i++;
      while (rows[i] === rows[i - 1]! + 1) i++;
      this.#catalog.run("DELETE FROM event WHERE seq BETWEEN ? AND ?", rows[first]!, rows[i - 1]!);
    }
  }

  /** Returns the file of bytes that nothing names any more. */
  #count(id: string, names: number): string | undefined {
    if (names > 0) {
      this.#names.set(id, names);
      return undefined;
    }
    const file = this.#fileOf.get(id);
    this.#names.delete(id);
    this.#fileOf.delete(id);
    return file;
  }

  #needsFile({ id, ref: { size } }: Named): boolean {
    return size > FILE_BYTES && !this.#names.has(id);
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

  #namesOf({ raw: { body }, blobs }: Placeless): readonly string[] {
    const large = body.length <= SHARED_BYTES ? undefined : this.#bodies.get(body);
    return large === undefined ? blobs : [large, ...blobs];
  }

  /** While an event has the body, others that name it have the same. */
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
    // A plugin that stores bytes itself may have deleted them.
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
    if (bytes?.length !== size) throw new Error(`the bytes "${id}" of an event are incomplete`);
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

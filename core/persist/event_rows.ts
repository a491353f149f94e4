import type { BlobRef } from "../blobs/blob.ts";
import type { DiskBlobStore } from "../blobs/disk.ts";
import type { MemoryBlobStore } from "../blobs/memory.ts";
import { isDiskFull } from "../blobs/reserve.ts";
import { reasonOf, StoreFullError } from "../errors.ts";
import type { HeaderPairs } from "../events/event.ts";
import type { Placeless } from "../events/log.ts";
import { type Catalog, CatalogWriteError } from "./catalog.ts";
import {
  type Entry,
  type Files,
  fitsJournal,
  type Gone,
  type Named,
  type Stored,
  toBytes,
  toStored,
} from "./entry.ts";
import { decodeEvent, joinEvent, splitEvent } from "./event_record.ts";
import { FieldTexts } from "./field_texts.ts";
import type { Journal, JournalRow } from "./journal.ts";

/** Bodies of more bytes may belong to several events, and are kept once. */
const SHARED_BYTES = 2048;
/** More bytes than these are a separate file, written off the event loop. */
const FILE_BYTES = 262_144;
/** The row that tests whether there is space again, and its size. */
const TRIAL = "trial";
const TRIAL_BYTES = 65_536;
/** Rows read at a time. */
const PAGE = 1000;
const NO_FILES: Files = new Map();
const NONE: readonly Named[] = [];
const NO_ENTRIES: readonly Entry[] = [];
const NO_TOTALS: ReadonlyMap<string, number> = new Map();

/** The events of the log as rows, and the bytes that they name, each kept once. */
export class EventRows {
  readonly #catalog: Catalog;
  readonly #files: DiskBlobStore;
  readonly #blobs: MemoryBlobStore;
  readonly #journal: Journal;
  readonly #fieldTexts = new FieldTexts();
  readonly #toFields = (fields: HeaderPairs): string => this.#fieldTexts.get(fields);
  /** Whether the database has changed since its last sync. */
  #isChanged = false;
  /** The row of each event in the database. */
  readonly #rowOf = new Map<string, number>();
  #lastRow = 0;
  /** Number of stored events with the bytes of an id. */
  readonly #names = new Map<string, number>();
  /** Files of those that have one. */
  readonly #fileOf = new Map<string, string>();
  /** Id under which a large body is kept. */
  readonly #bodies = new WeakMap<Uint8Array, string>();

  constructor(
    catalog: Catalog,
    { files, blobs, journal }: {
      files: DiskBlobStore;
      blobs: MemoryBlobStore;
      journal: Journal;
    },
  ) {
    this.#catalog = catalog;
    this.#files = files;
    this.#blobs = blobs;
    this.#journal = journal;
  }

  /** Throws for an event without JSON. */
  toEntry(event: Placeless): Entry {
    const { body } = event.raw;
    const { about, fields } = splitEvent(event, this.#toFields);
    const attached = event.blobs.length === 0
      ? NONE
      : event.blobs.flatMap((id) => this.#toNamed(id) ?? []);
    const small: Entry = { event, about, fields, body: undefined, named: attached };
    // A copy, because it is garbage soon after it has waited for a sync: docs/decisions/0019.
    if (body.length <= SHARED_BYTES) return { ...small };
    const id = this.#bodies.get(body) ?? event.id;
    this.#bodies.set(body, id);
    const large: Named = { id, ref: { size: body.length }, bytes: () => body };
    return { event, about, fields, body: large, named: [large, ...attached] };
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
   * Adds and removes events, all or nothing: small events are appended to the journal, others go into the database.
   * Returns the files without references; delete them after the next sync. Throws `CatalogWriteError`; nothing changes
   * then.
   */
  commit(
    entries: readonly Entry[],
    gone: readonly Gone[],
    files: Files = NO_FILES,
  ): readonly string[] {
    const isSmall = fitsJournal(entries);
    const inJournal: number[] = [];
    const inTables: Gone[] = [];
    for (const one of gone) {
      const row = this.#journal.rowOf(one.id);
      if (row === undefined) inTables.push(one);
      else inJournal.push(row);
    }
    const first = this.#lastRow + 1;
    const clears = inJournal.length > 0 && inJournal.length === this.#journal.count && !isSmall;
    const appended = isSmall || (inJournal.length > 0 && !clears);
    const takeBack = appended
      ? this.#append(isSmall ? entries : NO_ENTRIES, { row: first, gone: inJournal })
      : undefined;
    const inserted = isSmall ? NO_ENTRIES : entries;
    let totals = NO_TOTALS;
    if (inserted.length > 0 || inTables.length > 0 || clears) {
      try {
        totals = this.#change(inserted, { first, gone: inTables, files, clears });
      } catch (error) {
        takeBack?.();
        throw error;
      }
      this.#isChanged = true;
    }
    // In this order, because a removed event may have been added again.
    for (const { id } of gone) this.#journal.drop(id);
    for (const { id } of inTables) this.#rowOf.delete(id);
    for (const { event } of entries) {
      const row = ++this.#lastRow;
      if (isSmall) this.#journal.hold(event.id, row);
      else this.#rowOf.set(event.id, row);
    }
    if (clears) this.#journal.clear();
    if (inTables.length > 0 && this.#rowOf.size === 0) this.#catalog.shrink();
    for (const [id, file] of files) this.#fileOf.set(id, file);
    return [...totals].flatMap(([id, names]) => this.#count(id, names) ?? []);
  }

  /** Returns the number of events that name each of the bytes that were named or are named now. */
  #change(
    entries: readonly Entry[],
    { first, gone, files, clears }: {
      first: number;
      gone: readonly Gone[];
      files: Files;
      clears: boolean;
    },
  ): ReadonlyMap<string, number> {
    let totals = new Map<string, number>();
    this.#catalog.transaction(() => {
      totals = new Map();
      let row = first;
      for (const entry of entries) this.#insert(entry, { row: row++, totals, files });
      const rows = this.#release(gone, totals);
      if (entries.length === 0 && rows.length === this.#rowOf.size) this.#deleteAll();
      else this.#delete(rows, totals);
      if (clears) this.#catalog.run("UPDATE journal SET moved = ?", this.#lastRow);
    }, { frees: entries.length === 0 });
    return totals;
  }

  /** Only a deletion may take the space reserved for deletions. */
  #append(
    entries: readonly Entry[],
    about: { row: number; gone: readonly number[] },
  ): () => void {
    const { reserve } = this.#files;
    try {
      if (entries.length > 0 && reserve?.ready() === false) throw new Error("the disk is full");
      return this.#journal.append(entries, about);
    } catch (error) {
      if (entries.length === 0 && isDiskFull(error) && (reserve?.bytes ?? 0) > 0) {
        reserve?.giveUp();
        return this.#append(entries, about);
      }
      throw new CatalogWriteError(reasonOf(error), { cause: error });
    }
  }

  /** Resolves when everything committed so far is on the disk. Rejects with `CatalogWriteError`. */
  async settled(): Promise<void> {
    const { isMoved } = this.#journal;
    const isChanged = this.#isChanged || isMoved;
    this.#isChanged = false;
    try {
      if (isChanged) await this.#catalog.settled();
      await this.#journal.sync();
    } catch (error) {
      this.#isChanged ||= isChanged;
      this.#journal.undo();
      throw error instanceof CatalogWriteError
        ? error
        : new CatalogWriteError(reasonOf(error), { cause: error });
    }
    if (isMoved) this.#journal.empty();
  }

  /** Moves events from a full file of the journal into the database. Returns whether there may be more. */
  move(): boolean {
    const next = this.#journal.next();
    if (next === undefined) return false;
    try {
      this.#catalog.transaction(() => {
        for (const one of next.rows) this.#insertRow(one);
        this.#catalog.run("UPDATE journal SET moved = max(moved, ?)", next.last);
      });
    } catch (error) {
      if (!(error instanceof CatalogWriteError)) throw error;
      // They are just as safe in the journal.
      return false;
    }
    for (const { id, row } of next.rows) {
      this.#journal.drop(id);
      this.#rowOf.set(id, row);
    }
    next.done();
    return true;
  }

  /** Moves everything in the journal; called at a stop, after the last append. */
  async moveAll(): Promise<void> {
    for (let i = 0; i < 2; i++) {
      this.#journal.beginMove();
      while (this.move());
      await this.settled();
      if (!this.#journal.isMovable) break;
      this.#journal.turn();
    }
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
    return Number(this.#catalog.all("SELECT count(*) AS n FROM event")[0]?.n) +
      this.#journal.count;
  }

  /** Yields all events, in batches, and the number of their attachments without room. */
  async *read(): AsyncGenerator<{ events: readonly Placeless[]; missing: number }> {
    const shared = new Map<string, WeakRef<Uint8Array>>();
    const [journal] = this.#catalog.all("SELECT moved, salt FROM journal");
    const [moved, salt] = [Number(journal?.moved), Number(journal?.salt)];
    const { rows: waiting, last } = this.#journal.restore({ moved, salt });
    let at = 0;
    for (let isOver = false; !isOver;) {
      const found = this.#catalog.all(
        "SELECT seq, id, about, body, shared FROM event WHERE seq > ? ORDER BY seq LIMIT ?",
        this.#lastRow,
        PAGE,
      ).map(toStored);
      isOver = found.length < PAGE;
      const from = at;
      const upTo = isOver ? Infinity : found.at(-1)!.row;
      while (at < waiting.length && waiting[at]!.row < upTo) at++;
      const rows: readonly Stored[] = from === at
        ? found
        : [...found, ...waiting.slice(from, at)].sort((a, b) => a.row - b.row);
      const events: Placeless[] = [];
      let missing = 0;
      for (const { row, id, about, body, shared: large, isStored } of rows) {
        const bytes = large === undefined ? body : await this.#readShared(large, shared);
        const event = decodeEvent({ id, about, body: bytes });
        for (const name of event.blobs) if (!await this.#restoreBlob(name)) missing++;
        for (const name of this.#namesOf(event)) {
          this.#names.set(name, (this.#names.get(name) ?? 0) + 1);
        }
        events.push(event);
        this.#lastRow = row;
        if (isStored === true) this.#rowOf.set(id, row);
      }
      if (events.length > 0) yield { events, missing };
    }
    this.#lastRow = Math.max(this.#lastRow, last);
  }

  #insert(
    { event, body, named, ...text }: Entry,
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
    const id = event.id;
    const about = joinEvent(text);
    if (body === undefined) this.#insertRow({ row, id, about, body: event.raw.body });
    else this.#insertRow({ row, id, about, body: null, shared: body.id });
  }

  #insertRow(
    { row, id, about, body, shared = null }: Omit<JournalRow, "body"> & {
      readonly body: Uint8Array | null;
      readonly shared?: string | null;
    },
  ): void {
    const values = [row, id, about, body, shared];
    this.#catalog.run("INSERT INTO event VALUES (?, ?, ?, ?, ?)", ...values);
  }

  /** Returns the rows of events in the database, in order, and subtracts what they name. */
  #release(gone: readonly Gone[], totals: Map<string, number>): readonly number[] {
    const rows = new Set<number>();
    for (const { id, names } of gone) {
      const row = this.#rowOf.get(id);
      if (row !== undefined) rows.add(row);
      for (const name of names) {
        totals.set(name, (totals.get(name) ?? this.#names.get(name) ?? 0) - 1);
      }
    }
    return [...rows].sort((a, b) => a - b);
  }

  /** Without a condition SQLite writes none of the pages that become free: a full disk has no room for them. */
  #deleteAll(): void {
    this.#catalog.run("DELETE FROM event");
    this.#catalog.run("DELETE FROM bytes");
  }

  /** Events that were captured one after another are deleted with one statement. */
  #delete(rows: readonly number[], totals: ReadonlyMap<string, number>): void {
    for (let i = 0; i < rows.length;) {
      const first = i++;
      while (rows[i] === rows[i - 1]! + 1) i++;
      this.#catalog.run("DELETE FROM event WHERE seq BETWEEN ? AND ?", rows[first]!, rows[i - 1]!);
    }
    for (const [id, names] of totals) {
      if (names <= 0) this.#catalog.run("DELETE FROM bytes WHERE id = ?", id);
    }
  }

  /** Returns the file of bytes that nothing names. */
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

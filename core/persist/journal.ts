import { join } from "@std/path/join";
import { syncFolder } from "../blobs/sync.ts";
import { ConfigError, reasonOf } from "../errors.ts";
import { joinEvent, type SplitEvent } from "./event_record.ts";
import { HEAD_ROOM, JournalFile } from "./journal_file.ts";

/** Names of the two files: one is appended to while the other is moved into the database. */
const NAMES = ["journal-1", "journal-2"] as const;
/** Size at which the two files swap. */
const FULL_BYTES = 16_777_216;
/** Size of the current file from which the other one is moved: by then few of its events are still held. */
const MOVE_FROM_BYTES = FULL_BYTES / 2;
/** Bytes moved between two batches: more than twice what most batches add, so that moving keeps up. */
const MOVE_BYTES = 524_288;
/** Initial size of the buffer for frames, and the largest that is kept. */
const [BUFFER_BYTES, MAX_BUFFER_BYTES] = [1_048_576, 4_194_304];
/** Maximum bytes in UTF-8 of one UTF-16 code unit. */
const MAX_UTF8 = 3;

/** An event in the journal; rows number events in the journal and in the database alike. */
export interface JournalRow {
  readonly row: number;
  readonly id: string;
  readonly about: string;
  readonly body: Uint8Array;
}

/** Content of one frame. */
interface Batch {
  /** Row of the first event; those of the others follow. */
  readonly row: number;
  readonly ids: readonly string[];
  /** Length of each body. */
  readonly bodies: readonly number[];
  /** Rows that are no longer held. */
  readonly gone: readonly number[];
  /** Index of the header fields of each event among those of the frame; -1 for none. Frames of format 3 have none. */
  readonly fields?: readonly number[];
}

/** A frame in a file, with the rows of its events. */
interface Place {
  readonly at: number;
  readonly first: number;
  readonly last: number;
}

/** An event to append. */
export interface JournalEntry extends SplitEvent {
  readonly event: { readonly id: string; readonly raw: { readonly body: Uint8Array } };
}

const encoder = new TextEncoder();
const LINE_FEED = 10;
/** Index of the header fields of an event without any. */
const NO_FIELDS = -1;
const decoder = new TextDecoder();

/**
 * Small events on their way into the database, with one write per batch instead of a transaction. Most events are no
 * longer held when their file is full, and never reach the database.
 */
export class Journal implements Disposable {
  readonly #files: readonly [JournalFile, JournalFile];
  /** Index of the file being appended to. */
  #current: 0 | 1 = 0;
  /** Frames of each file. */
  readonly #places: [Place[], Place[]] = [[], []];
  /** Index of the next frame of the other file to move. */
  #next = 0;
  /** Rows that were held when moving the other file began, in order; only these are moved. */
  #toMove: number[] | undefined;
  /** Row of each held event that is in the journal. */
  readonly #rows = new Map<string, number>();
  /** Rows whose removal was in frames that were taken back. */
  #owed: number[] = [];
  /** Rows that return to `#owed` if the unsynced frames are taken back. */
  #unsyncedGone: number[] = [];
  #buffer = new Uint8Array(BUFFER_BYTES);

  /** Use `openJournal`. */
  constructor(files: readonly [JournalFile, JournalFile]) {
    this.#files = files;
  }

  /** Number of held events. */
  get count(): number {
    return this.#rows.size;
  }

  /** Returns the row of a held event that is in the journal. */
  rowOf(id: string): number | undefined {
    return this.#rows.get(id);
  }

  /** Notes that an appended event is held. */
  hold(id: string, row: number): void {
    this.#rows.set(id, row);
  }

  /** Notes that an event is no longer held, or is in the database. */
  drop(id: string): void {
    this.#rows.delete(id);
  }

  /** The held events of earlier runs with rows above `moved`, in order, and the last row. Throws for a damaged file. */
  restore(
    { moved, salt }: { readonly moved: number; readonly salt: number },
  ): { rows: readonly JournalRow[]; last: number } {
    const frames = this.#files.map((file, i) =>
      file.frames(decode, { moved, salt }).map(({ decoded, at }) => {
        this.#places[i]!.push(placeOf(decoded.batch, at));
        return decoded;
      })
    );
    const [first, second] = frames.map((own) => own[0]?.batch.row ?? Infinity);
    this.#current = first! < second! && second !== Infinity ? 1 : first === Infinity ? 1 : 0;
    const found = new Map<number, JournalRow>();
    let last = moved;
    for (const { batch, rows } of frames[this.#other]!.concat(frames[this.#current]!)) {
      for (const one of rows) if (one.row > moved) found.set(one.row, one);
      for (const row of batch.gone) found.delete(row);
      last = Math.max(last, batch.row + rows.length - 1);
    }
    const rows = [...found.values()].sort((a, b) => a.row - b.row);
    for (const { id, row } of rows) this.#rows.set(id, row);
    return { rows, last };
  }

  get #other(): 0 | 1 {
    return this.#current === 0 ? 1 : 0;
  }

  /**
   * Appends events, and the rows no longer held. Returns a function that takes them back. Throws if they do not fit;
   * nothing has changed then.
   */
  append(
    entries: readonly JournalEntry[],
    { row, gone }: { row: number; gone: readonly number[] },
  ): () => void {
    if (this.#files[this.#current]!.bytes > FULL_BYTES && this.#files[this.#other]!.bytes === 0) {
      this.turn();
    }
    const file = this.#files[this.#current]!;
    const before = file.bytes;
    const all = [...this.#owed, ...gone];
    const fields = new Map<string, number>();
    const batch = batchOf(entries, { row, gone: all, fields });
    file.append(this.#encode(entries, { batch, fields: [...fields.keys()] }));
    this.#places[this.#current]!.push(placeOf(batch, before));
    const owed = this.#owed;
    const unsynced = this.#unsyncedGone;
    this.#owed = [];
    if (all.length > 0) this.#unsyncedGone = [...unsynced, ...all];
    return () => {
      this.#cut(this.#current, before);
      this.#owed = owed;
      this.#unsyncedGone = unsynced;
    };
  }

  #encode(
    entries: readonly JournalEntry[],
    { batch, fields }: { readonly batch: Batch; readonly fields: readonly string[] },
  ): Uint8Array {
    const head = JSON.stringify(batch);
    let most = HEAD_ROOM + 4 + MAX_UTF8 * head.length;
    for (const one of fields) most += 1 + MAX_UTF8 * one.length;
    for (const { about, event: { raw: { body } } } of entries) {
      most += 1 + MAX_UTF8 * about.length + body.length;
    }
    const buffer = most <= this.#buffer.length ? this.#buffer : new Uint8Array(most);
    if (most <= MAX_BUFFER_BYTES) this.#buffer = buffer;
    const textAt = HEAD_ROOM + 4;
    let at = textAt + encoder.encodeInto(head, buffer.subarray(textAt)).written;
    const addLine = (text: string): void => {
      buffer[at++] = LINE_FEED;
      at += encoder.encodeInto(text, buffer.subarray(at)).written;
    };
    for (const one of fields) addLine(one);
    for (const { about } of entries) addLine(about);
    new DataView(buffer.buffer).setUint32(HEAD_ROOM, at - textAt, true);
    for (const { event: { raw: { body } } } of entries) {
      buffer.set(body, at);
      at += body.length;
    }
    return buffer.subarray(0, at);
  }

  /** Resolves when everything appended so far is on the disk. */
  async sync(): Promise<void> {
    const gone = this.#unsyncedGone.length;
    for (const file of this.#files) if (!file.isSynced) await file.sync();
    this.#unsyncedGone = this.#unsyncedGone.slice(gone);
  }

  /** After a failed sync: takes back what is not on the disk. Its deletions are repeated with the next append. */
  undo(): void {
    for (const [i, file] of this.#files.entries()) if (!file.isSynced) this.#cut(i, file.synced);
    this.#owed = [...this.#owed, ...this.#unsyncedGone];
    this.#unsyncedGone = [];
  }

  #cut(index: number, bytes: number): void {
    this.#files[index]!.cut(bytes);
    const places = this.#places[index]!;
    while ((places.at(-1)?.at ?? -1) >= bytes) places.pop();
  }

  /** The held events of the next frames to be moved now, and the last row of these; `undefined` if there are none. */
  next(): { rows: readonly JournalRow[]; last: number; done: () => void } | undefined {
    const places = this.#places[this.#other];
    if (this.#next >= places.length) return undefined;
    if (this.#toMove === undefined) {
      if (this.#files[this.#current]!.bytes < MOVE_FROM_BYTES) return undefined;
      this.beginMove();
    }
    const rows: JournalRow[] = [];
    let index = this.#next;
    for (let bytes = 0; index < places.length && bytes < MOVE_BYTES; index++) {
      const place = places[index]!;
      if (!this.#hasRows(place)) continue;
      const payload = this.#files[this.#other].read(place.at);
      bytes += payload.length;
      for (const one of decode(payload).rows) {
        if (this.#rows.get(one.id) === one.row) rows.push(one);
      }
    }
    const { last } = places[index - 1]!;
    return { rows, last, done: () => void (this.#next = index) };
  }

  /** Binary search. */
  #hasRows({ first, last }: Place): boolean {
    const rows = this.#toMove ?? [];
    let low = 0;
    let high = rows.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (rows[middle]! < first) low = middle + 1;
      else high = middle;
    }
    return low < rows.length && rows[low]! <= last;
  }

  /** Whether a file has been moved, and can be emptied once the database is synced. */
  get isMoved(): boolean {
    const { length } = this.#places[this.#other];
    return length > 0 && this.#next >= length;
  }

  /** Whether the file being appended to has frames, and the other is empty. */
  get isMovable(): boolean {
    return this.#places[this.#current]!.length > 0 && this.#places[this.#other].length === 0;
  }

  /** Empties the file that was moved, once the database is synced. */
  empty(): void {
    this.#files[this.#other].empty();
    this.#places[this.#other] = [];
    this.#next = 0;
  }

  /** Truncates both files: nothing in them is still held, and the database will record that with its next sync. */
  clear(): void {
    for (const i of this.#files.keys()) this.#cut(i, 0);
    this.#next = 0;
    this.#owed = [];
    this.#unsyncedGone = [];
  }

  /** Swaps the files: appends to the other one, which must be empty; this one is moved later. */
  turn(): void {
    this.#current = this.#other;
    this.#next = 0;
    this.#toMove = undefined;
  }

  /** Begins to move the other file, however few bytes this one has. */
  beginMove(): void {
    this.#toMove = [...this.#rows.values()].sort((a, b) => a - b);
  }

  [Symbol.dispose](): void {
    for (const file of this.#files) file[Symbol.dispose]();
  }
}

function batchOf(
  entries: readonly JournalEntry[],
  { row, gone, fields }: { row: number; gone: readonly number[]; fields: Map<string, number> },
): Batch {
  return {
    row,
    ids: entries.map(({ event }) => event.id),
    bodies: entries.map(({ event }) => event.raw.body.length),
    gone,
    fields: entries.map((entry) => indexAmong(fields, entry.fields)),
  };
}

/** Returns the index of header fields among those of a frame, to which new ones are added. */
function indexAmong(among: Map<string, number>, text: string | undefined): number {
  if (text === undefined) return NO_FIELDS;
  const known = among.get(text);
  if (known !== undefined) return known;
  among.set(text, among.size);
  return among.size - 1;
}

function placeOf({ row, ids }: Batch, at: number): Place {
  return { at, first: row, last: row + ids.length - 1 };
}

/** Content of a frame with the events of its batch. */
interface Decoded {
  readonly batch: Batch;
  readonly rows: readonly JournalRow[];
  readonly first: number;
  readonly last: number;
}

function decode(payload: Uint8Array): Decoded {
  const length = new DataView(payload.buffer, payload.byteOffset).getUint32(0, true);
  let at = 4 + length;
  const [head = "", ...lines] = decoder.decode(payload.subarray(4, at)).split("\n");
  const batch = JSON.parse(head) as Batch;
  const first = lines.length - batch.ids.length;
  const rows = batch.ids.map((id, i): JournalRow => {
    const body = payload.slice(at, at += batch.bodies[i]!);
    const fields = lines[batch.fields?.[i] ?? NO_FIELDS];
    const about = joinEvent({ about: lines[first + i]!, fields });
    return { row: batch.row + i, id, about, body };
  });
  return { batch, rows, first: batch.row, last: batch.row + rows.length - 1 };
}

/** Opens the journal of a folder, or creates one. Throws `ConfigError` if it cannot be used. */
export async function openJournal(folder: string): Promise<Journal> {
  const [first, second] = NAMES.map((name) => join(folder, name));
  try {
    const journal = new Journal([new JournalFile(first!), new JournalFile(second!)]);
    await syncFolder(folder);
    return journal;
  } catch (error) {
    throw new ConfigError(
      `Cannot keep events in "${folder}": ${reasonOf(error)}; ` +
        "choose another [storage] path (--persist), or [storage] events (--events) memory",
    );
  }
}

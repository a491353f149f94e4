/** An event on its way into the log on disk, and on its way back. */
import type { BlobRef } from "../blobs/blob.ts";
import type { Placeless } from "../events/log.ts";
import type { SplitEvent } from "./event_record.ts";
import type { JournalRow } from "./journal.ts";

/** Batches with more JSON than this, such as imports, bypass the journal. */
const JOURNAL_TEXT = 1_048_576;

/** Bytes that an event names. */
export interface Named {
  readonly id: string;
  readonly ref: Omit<BlobRef, "id">;
  /** `undefined` if they were removed before they could be stored. */
  readonly bytes: () => Uint8Array | undefined;
}

/** An event on its way into the log. */
export interface Entry extends SplitEvent {
  readonly event: Placeless;
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

/** An event that was kept: in the database, possibly with a body that it shares, or in the journal. */
export interface Stored extends JournalRow {
  readonly shared?: string | undefined;
  readonly isStored?: boolean;
}

/** Returns the bytes of a column; none for NULL. */
export function toBytes(value: unknown): Uint8Array {
  return value instanceof Uint8Array ? value : new Uint8Array();
}

/** Returns the event of a row of the database. */
export function toStored(row: Readonly<Record<string, unknown>>): Stored {
  return {
    row: Number(row.seq),
    id: String(row.id),
    about: String(row.about),
    body: toBytes(row.body),
    shared: row.shared === null ? undefined : String(row.shared),
    isStored: true,
  };
}

/** Whether the events name no bytes and fit one frame. */
export function fitsJournal(entries: readonly Entry[]): boolean {
  let text = 0;
  for (const { about, fields = "", named } of entries) {
    if (named.length > 0) return false;
    text += about.length + fields.length;
  }
  return entries.length > 0 && text <= JOURNAL_TEXT;
}

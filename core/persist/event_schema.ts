import type { CatalogSchema } from "./catalog.ts";

/** Events of the journal up to row `moved` are in the table of events, if they are still held. */
const JOURNAL_TABLE =
  "CREATE TABLE journal (moved INTEGER NOT NULL); INSERT INTO journal VALUES (0)";

/** Tables of the log. Bytes are apart from the events that name them, because several may. */
export const EVENT_LOG_SCHEMA: CatalogSchema = {
  version: 2,
  upgrades: { 1: JOURNAL_TABLE },
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
    );
    ${JOURNAL_TABLE}`,
  // As large as the space reserved for deletions. A log that enlarges the database is copied earlier.
  logPages: 1024,
};

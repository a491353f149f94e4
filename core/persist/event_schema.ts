import type { CatalogSchema } from "./catalog.ts";

/**
 * Events of the journal up to row `moved` are in the table of events, if they are still held. It never decreases: files
 * that were emptied may still have earlier frames.
 */
const JOURNAL_TABLE =
  "CREATE TABLE journal (moved INTEGER NOT NULL); INSERT INTO journal VALUES (0)";

/** First value of the checksums in the journal. */
const SALT_COLUMN = "ALTER TABLE journal ADD COLUMN salt INTEGER NOT NULL DEFAULT 0";

/** Tables of the log. Bytes are apart from the events that name them, because several may. */
export const EVENT_LOG_SCHEMA: CatalogSchema = {
  version: 4,
  // In format 4 only the journal differs.
  upgrades: { 1: JOURNAL_TABLE, 2: SALT_COLUMN, 3: "" },
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
    ${JOURNAL_TABLE};
    ${SALT_COLUMN};
    UPDATE journal SET salt = random() & 0xffffffff`,
  // As large as the space reserved for deletions. A log that enlarges the database is copied earlier.
  logPages: 1024,
};

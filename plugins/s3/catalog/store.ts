/** The catalog on disk: a row for each bucket, object, upload, part and completed upload. */
import type { BlobRef, BlobStore } from "../../../core/blobs/blob.ts";
import {
  type Catalog as Database,
  type CatalogSchema,
  CatalogWriteError,
} from "../../../core/persist/catalog.ts";
import { findKept, KeptError } from "../../../core/persist/state.ts";
import { isBucketName } from "../codec/names.ts";
import { S3Error } from "../errors.ts";
import { Bucket } from "./bucket.ts";
import type { Change, Journal, KeptCatalog, PlacedVersion } from "./journal.ts";
import type { StoredObject } from "./model.ts";
import {
  readBucket,
  readCompletion,
  readObject,
  readPart,
  readPlace,
  readStart,
  toDate,
} from "./rows.ts";
import { isSetting, SETTINGS } from "./settings.ts";
import { Upload } from "./upload.ts";

const SETTING_TABLE = `
    CREATE TABLE setting (bucket TEXT NOT NULL, name TEXT NOT NULL, text TEXT NOT NULL,
      PRIMARY KEY (bucket, name)) STRICT, WITHOUT ROWID`;

/** Versions created while their bucket had versions; a delete marker has no blob. Older ones are in `object`. */
const VERSION_TABLE = `
    CREATE TABLE version (bucket TEXT NOT NULL, key BLOB NOT NULL, sequence INTEGER NOT NULL,
      id TEXT NOT NULL, size INTEGER NOT NULL, modified_ms REAL NOT NULL, blob TEXT,
      about TEXT NOT NULL, PRIMARY KEY (bucket, key, sequence)) STRICT, WITHOUT ROWID`;

/** Keys are bytes: text would end at a NUL. Data read only by this plugin is JSON. */
export const S3_SCHEMA: CatalogSchema = {
  version: 3,
  create: `
    CREATE TABLE bucket (name TEXT PRIMARY KEY, created_ms REAL NOT NULL, about TEXT NOT NULL)
      STRICT, WITHOUT ROWID;
    CREATE TABLE object (bucket TEXT NOT NULL, key BLOB NOT NULL, size INTEGER NOT NULL,
      modified_ms REAL NOT NULL, blob TEXT NOT NULL, about TEXT NOT NULL,
      PRIMARY KEY (bucket, key)) STRICT, WITHOUT ROWID;
    CREATE TABLE upload (id TEXT PRIMARY KEY, initiated_ms REAL NOT NULL, about TEXT NOT NULL) STRICT;
    CREATE TABLE part (upload TEXT NOT NULL, number INTEGER NOT NULL, size INTEGER NOT NULL,
      modified_ms REAL NOT NULL, blob TEXT NOT NULL, about TEXT NOT NULL,
      PRIMARY KEY (upload, number)) STRICT, WITHOUT ROWID;
    CREATE TABLE completion (id TEXT PRIMARY KEY, about TEXT NOT NULL) STRICT;
    ${SETTING_TABLE};
    ${VERSION_TABLE}`,
  upgrades: { 1: SETTING_TABLE, 2: VERSION_TABLE },
};

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Stores each call in one transaction. A full disk is an `S3Error` "ServiceUnavailable". */
export function toJournal(database: Database): Journal {
  return {
    commit(changes, options) {
      try {
        database.transaction(() => {
          for (const change of changes) keep(database, change);
        }, options);
      } catch (error) {
        throw toRefusal(error);
      }
    },
    async settled() {
      try {
        await database.settled();
      } catch (error) {
        throw toRefusal(error);
      }
    },
  };
}

function toRefusal(error: unknown): unknown {
  if (!(error instanceof CatalogWriteError)) return error;
  return new S3Error("ServiceUnavailable", error.message);
}

function keep(database: Database, change: Change): void {
  switch (change.kind) {
    case "make bucket": {
      const { name, created, region, acl, versioning } = change.bucket;
      const row = [name, created.getTime(), JSON.stringify({ region, acl, versioning })] as const;
      return database.run("INSERT OR REPLACE INTO bucket VALUES (?, ?, ?)", ...row);
    }
    case "drop bucket":
      database.run("DELETE FROM object WHERE bucket = ?", change.name);
      database.run("DELETE FROM version WHERE bucket = ?", change.name);
      database.run("DELETE FROM setting WHERE bucket = ?", change.name);
      return database.run("DELETE FROM bucket WHERE name = ?", change.name);
    case "put setting": {
      const { bucket, name, text } = change;
      return database.run("INSERT OR REPLACE INTO setting VALUES (?, ?, ?)", bucket, name, text);
    }
    case "drop setting": {
      const { bucket, name } = change;
      return database.run("DELETE FROM setting WHERE bucket = ? AND name = ?", bucket, name);
    }
    case "put object": {
      const { key, size, modified, blob, ...about } = change.object;
      const rest = [size, modified.getTime(), blob.id, JSON.stringify(about)] as const;
      const row = [change.bucket, encoder.encode(key), ...rest] as const;
      return database.run("INSERT OR REPLACE INTO object VALUES (?, ?, ?, ?, ?, ?)", ...row);
    }
    case "drop object": {
      const key = encoder.encode(change.key);
      return database.run("DELETE FROM object WHERE bucket = ? AND key = ?", change.bucket, key);
    }
    case "put version":
      return putVersion(database, change.bucket, change.version);
    case "drop version":
      return dropVersion(database, change.bucket, change.version);
    case "begin upload": {
      const { id, initiated, start } = change.upload;
      const about = JSON.stringify(start);
      return database.run("INSERT INTO upload VALUES (?, ?, ?)", id, initiated.getTime(), about);
    }
    case "put part": {
      const { number, size, modified, blob, ...about } = change.part;
      const rest = [size, modified.getTime(), blob.id, JSON.stringify(about)] as const;
      const row = [change.upload, number, ...rest] as const;
      return database.run("INSERT OR REPLACE INTO part VALUES (?, ?, ?, ?, ?, ?)", ...row);
    }
    case "end upload":
      database.run("DELETE FROM part WHERE upload = ?", change.id);
      return database.run("DELETE FROM upload WHERE id = ?", change.id);
    case "note completion": {
      const about = JSON.stringify(change.completion);
      return database.run("INSERT INTO completion VALUES (?, ?)", change.id, about);
    }
    case "forget completion":
      return database.run("DELETE FROM completion WHERE id = ?", change.id);
  }
}

function putVersion(database: Database, bucket: string, kept: PlacedVersion): void {
  const { key, version: { id, sequence }, modified, ...rest } = kept;
  const place = [bucket, encoder.encode(key), sequence, id] as const;
  const { size = 0, blob, ...about }: Partial<StoredObject> = rest;
  const row = [
    ...place,
    size,
    modified.getTime(),
    blob?.id ?? null,
    JSON.stringify(about),
  ] as const;
  database.run("INSERT OR REPLACE INTO version VALUES (?, ?, ?, ?, ?, ?, ?, ?)", ...row);
}

function dropVersion(
  database: Database,
  bucket: string,
  { key, version }: Pick<PlacedVersion, "key" | "version">,
): void {
  const place = [bucket, encoder.encode(key), version.sequence] as const;
  database.run("DELETE FROM version WHERE bucket = ? AND key = ? AND sequence = ?", ...place);
}

/**
 * Reads the stored catalog. Throws `KeptError` for anything untrustworthy: an invalid bucket name, an object without a
 * bucket, an invalid row, and bytes that are missing or of another size.
 */
export function restoreCatalog(database: Database, blobs: BlobStore): KeptCatalog {
  const buckets = new Map<string, Bucket>();
  for (const row of database.all("SELECT * FROM bucket")) {
    const bucket = restoreBucket(row);
    buckets.set(bucket.name, bucket);
  }
  for (const row of database.all("SELECT * FROM setting")) {
    const bucket = buckets.get(String(row.bucket));
    const name = SETTINGS.find((one) => one === row.name);
    if (bucket === undefined || name === undefined) {
      throw new KeptError(`setting "${row.name}" has no bucket, or is unknown`);
    }
    const text = String(row.text);
    if (!isSetting(name, text)) {
      throw new KeptError(`setting "${name}" of bucket "${bucket.name}" cannot be read`);
    }
    bucket.settings.set(name, text);
  }
  // In key order, so that each is appended to its bucket.
  for (const row of database.all("SELECT * FROM object ORDER BY bucket, key")) {
    const key = toKey(row.key);
    const bucket = buckets.get(String(row.bucket));
    if (bucket === undefined) throw new KeptError(`"${key}" is in no bucket`);
    bucket.set(readObject(row, { key, blob: claim(blobs, row, `"${key}"`) }));
  }
  restoreVersions(database, blobs, buckets);
  return {
    buckets: [...buckets.values()],
    uploads: restoreUploads(database, blobs),
    completions: new Map(
      database.all("SELECT * FROM completion ORDER BY rowid")
        .map((row) => [String(row.id), readCompletion(row)]),
    ),
  };
}

/** Versions in a bucket without versions cannot be trusted. */
function restoreVersions(
  database: Database,
  blobs: BlobStore,
  buckets: ReadonlyMap<string, Bucket>,
): void {
  for (const row of database.all("SELECT * FROM version ORDER BY bucket, key, sequence")) {
    const key = toKey(row.key);
    const bucket = buckets.get(String(row.bucket));
    if (bucket?.versioning === undefined) {
      throw new KeptError(`a version of "${key}" is not in a bucket that has versions`);
    }
    const version = readPlace(row);
    if (bucket.version(key, version.id) !== undefined) {
      throw new KeptError(`version "${version.id}" of "${key}" occurs twice`);
    }
    bucket.add(
      row.blob === null ? { key, modified: toDate(row.modified_ms), version } : {
        ...readObject(row, { key, blob: claim(blobs, row, `a version of "${key}"`) }),
        version,
      },
    );
  }
}

type Row = Readonly<Record<string, unknown>>;

function restoreBucket(row: Row): Bucket {
  const name = String(row.name);
  if (!isBucketName(name, Infinity)) throw new KeptError(`bucket name "${name}" is invalid`);
  return new Bucket(name, { created: toDate(row.created_ms), ...readBucket(row) });
}

function restoreUploads(database: Database, blobs: BlobStore): readonly Upload[] {
  const uploads = new Map<string, Upload>();
  for (const row of database.all("SELECT * FROM upload ORDER BY rowid")) {
    const id = String(row.id);
    const about = { start: readStart(row), initiated: toDate(row.initiated_ms) };
    uploads.set(id, new Upload(id, about));
  }
  for (const row of database.all("SELECT * FROM part")) {
    const what = `part ${row.number} of upload "${row.upload}"`;
    const upload = uploads.get(String(row.upload));
    if (upload === undefined) throw new KeptError(`${what} has no upload`);
    const part = readPart(row, { blob: claim(blobs, row, what) });
    upload.parts.set(part.number, part);
  }
  return [...uploads.values()];
}

function toKey(bytes: unknown): string {
  try {
    const key = bytes instanceof Uint8Array ? decoder.decode(bytes) : "";
    if (key !== "") return key;
  } catch {
    // Reported below.
  }
  throw new KeptError("a key is empty or not UTF-8");
}

function claim(blobs: BlobStore, row: Row, what: string): BlobRef {
  return findKept(blobs, { blob: String(row.blob), size: Number(row.size), what });
}

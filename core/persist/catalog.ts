import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { join } from "@std/path/join";
import type { RoomKept } from "../blobs/blob.ts";
import { BLOBS_FOLDER } from "../blobs/disk.ts";
import { GroupSync } from "../blobs/sync.ts";
import { ConfigError, reasonOf } from "../errors.ts";

/** Name of the database in a plugin's folder. */
const FILE_NAME = "catalog.db";

/** Pages of 4 KiB after which the log is brought into the database. */
const LOG_PAGES = 512;

/** The tables of one plugin, or of the log of events. */
export interface CatalogSchema {
  /** A catalog of another version is refused; at least 1. */
  readonly version: number;
  /** Makes the tables of an empty catalog. */
  readonly create: string;
  /** By the version they start from: statements that make a catalog of it one of the next. */
  readonly upgrades?: Readonly<Record<number, string>>;
  /** Pages of 4 KiB after which the log is brought into the database, for which everybody waits; 512 unless given. */
  readonly logPages?: number;
}

/** A value of a row. */
export type CatalogValue = SQLInputValue;

/** The disk is full, or cannot be written: nothing was changed. */
export class CatalogWriteError extends Error {
  override name = "CatalogWriteError";
}

/**
 * What a plugin keeps of its state on disk: one transaction per change. A change that was committed survives the end of
 * the process, however that comes, and once `settled` has resolved also a loss of power. `synchronous = NORMAL` in WAL
 * mode keeps the database whole in any case, and leaves the waiting to `settled`, which several changes share and which
 * holds up nobody else. The file is locked as long as it is open, so that no second process works on it.
 */
export class Catalog implements Disposable {
  readonly #database: DatabaseSync;
  readonly #path: string;
  readonly #statements = new Map<string, StatementSync>();
  readonly #log = new GroupSync(() => this.#syncLog());
  /** SQLite empties and overwrites its log, but keeps the file as long as the database is open. */
  #logFile: Deno.FsFile | undefined;
  readonly #reserve: RoomKept | undefined;

  constructor(database: DatabaseSync, path: string, reserve?: RoomKept) {
    this.#database = database;
    this.#reserve = reserve;
    this.#path = path;
  }

  /**
   * Runs `change` in a transaction. Throws `CatalogWriteError` when it cannot be kept, or what `change` throws; nothing
   * is changed then. One that `frees` more than it adds is kept on a full disk, too, in the room that is kept back for
   * it; `change` may then be run twice.
   */
  transaction(change: () => void, { frees = false }: { frees?: boolean } = {}): void {
    if (!frees) {
      if (this.#reserve?.ready() === false) throw this.#unwritable(new Error("the disk is full"));
      return this.#attempt(change);
    }
    try {
      this.#attempt(change);
    } catch (error) {
      if (!(error instanceof CatalogWriteError) || !isNoRoom(error.cause)) throw error;
      this.#reserve?.giveUp();
      this.#shortenLog();
      this.#attempt(change);
    }
    if (this.#reserve?.bytes !== 0) return;
    // What is left of the room has to last for the deletions to come.
    this.#shortenLog();
    this.#reserve.freed();
  }

  /** Brings what is in the log into the database, so that the log can begin anew, empty. */
  #shortenLog(): void {
    try {
      this.#database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    } catch (error) {
      // It stays in the log, where it is as safe.
      if (!isFromDatabase(error)) throw error;
    }
  }

  #attempt(change: () => void): void {
    try {
      // Prepared, as only the errors of statements say what went wrong.
      this.run("BEGIN IMMEDIATE");
      change();
      this.run("COMMIT");
    } catch (error) {
      try {
        this.#database.exec("ROLLBACK");
      } catch {
        // SQLite rolls back itself after some failures.
      }
      throw isFromDatabase(error) ? this.#unwritable(error) : error;
    }
  }

  /**
   * Resolves when every change made so far is on the disk itself. Bytes that a change let go of are to be removed after
   * that alone: the change might be lost with the power. Rejects with `CatalogWriteError`.
   */
  async settled(): Promise<void> {
    try {
      await this.#log.sync();
    } catch (error) {
      throw this.#unwritable(error);
    }
  }

  async #syncLog(): Promise<void> {
    this.#logFile ??= Deno.openSync(`${this.#path}-wal`, { read: true, write: true });
    await this.#logFile.syncData();
    // What is in a file without a name is lost with the process.
    if (this.#logFile.statSync().nlink === 0) throw new Error("its log was removed");
  }

  /** Runs one statement. */
  run(sql: string, ...values: readonly CatalogValue[]): void {
    this.#prepare(sql).run(...values);
  }

  /** Every row of a query. */
  all(
    sql: string,
    ...values: readonly CatalogValue[]
  ): readonly Readonly<Record<string, unknown>>[] {
    return this.#prepare(sql).all(...values);
  }

  [Symbol.dispose](): void {
    this.#statements.clear();
    this.#logFile?.close();
    this.#database.close();
  }

  #unwritable(error: unknown): CatalogWriteError {
    const reason = reasonOf(error);
    return new CatalogWriteError(`Cannot write "${this.#path}": ${reason}`, { cause: error });
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

function isFromDatabase(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_SQLITE_ERROR";
}

const SQLITE_IOERR = 10;
const SQLITE_FULL = 13;

/** Whether the disk took no more; over a quota that is a failed write to SQLite. */
function isNoRoom(error: unknown): boolean {
  if (!(error instanceof Error) || !("errcode" in error)) return false;
  const code = Number(error.errcode) & 0xff;
  return code === SQLITE_FULL || code === SQLITE_IOERR;
}

/**
 * Opens the catalog in a folder, or makes an empty one. Throws `ConfigError` for one that another process uses, that is
 * damaged, or that has another version: it never begins with an empty one instead. `reserve` is the room that is kept
 * back for changes that free some.
 */
export function openCatalog(folder: string, schema: CatalogSchema, reserve?: RoomKept): Catalog {
  const path = join(folder, FILE_NAME);
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path);
    prepare(database, { folder, schema });
    return new Catalog(database, path, reserve);
  } catch (error) {
    database?.close();
    const reason = reasonOf(error);
    const detail = reason === "database is locked"
      ? "another process uses it; stop that one, or choose another folder"
      : `${reason}; choose another folder, or remove this one to begin anew`;
    throw new ConfigError(`Cannot use what is kept in "${path}": ${detail}`);
  }
}

function prepare(
  database: DatabaseSync,
  { folder, schema }: { folder: string; schema: CatalogSchema },
): void {
  const { version, create, logPages = LOG_PAGES } = schema;
  database.exec("PRAGMA locking_mode = EXCLUSIVE");
  database.exec("PRAGMA journal_mode = WAL");
  database.exec("PRAGMA synchronous = NORMAL");
  // The room that is kept back has to take the log, and what the log brings into the database.
  database.exec(`PRAGMA wal_autocheckpoint = ${logPages}`);
  // A page that a large deletion empties is then never written.
  database.exec("PRAGMA cache_spill = OFF");
  // In this mode the lock is taken with the first transaction, and kept.
  database.exec("BEGIN IMMEDIATE; COMMIT");
  const check = database.prepare("PRAGMA integrity_check(1)").get();
  if (check?.integrity_check !== "ok") {
    throw new Error(`the database is damaged: ${check?.integrity_check}`);
  }
  const found = Number(database.prepare("PRAGMA user_version").get()?.user_version);
  if (found === version) return;
  const steps = upgradesFrom(schema, found);
  if (steps !== undefined) {
    database.exec(
      `BEGIN IMMEDIATE; ${steps.join("; ")}; PRAGMA user_version = ${version}; COMMIT`,
    );
    return;
  }
  const tables = Number(database.prepare("SELECT count(*) AS n FROM sqlite_master").get()?.n);
  if (found !== 0 || tables > 0) {
    const by = found > version ? ": a newer program has written it" : "";
    throw new Error(`it has version ${found}, and only version ${version} is understood${by}`);
  }
  if (hasBytes(folder)) {
    throw new Error("it is new, but there are bytes beside it that an earlier one must have named");
  }
  database.exec(`BEGIN IMMEDIATE; ${create}; PRAGMA user_version = ${version}; COMMIT`);
}

/** Every step from an earlier version to that of the schema; nothing where one is missing. */
function upgradesFrom(
  { version, upgrades = {} }: CatalogSchema,
  found: number,
): readonly string[] | undefined {
  const steps: string[] = [];
  for (let at = found; at < version; at++) {
    const step = upgrades[at];
    if (step === undefined) return undefined;
    steps.push(step);
  }
  return found > 0 && found < version ? steps : undefined;
}

/** Whether a plugin's folder has bytes that were written to their end. */
function hasBytes(folder: string): boolean {
  try {
    for (const { name } of Deno.readDirSync(join(folder, BLOBS_FOLDER))) {
      if (!name.startsWith(".")) return true;
    }
    return false;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

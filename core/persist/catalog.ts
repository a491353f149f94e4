import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { join } from "@std/path/join";
import type { RoomKept } from "../blobs/blob.ts";
import { BLOBS_FOLDER } from "../blobs/disk.ts";
import { GroupSync } from "../blobs/sync.ts";
import { ConfigError, reasonOf } from "../errors.ts";

/** Name of the database in a plugin's folder. */
const FILE_NAME = "catalog.db";

/** Pages of 4 KiB after which the log is copied into the database. */
const LOG_PAGES = 512;

/** The part of the reserve by which the log may enlarge the database: the rest is for the deletion itself. */
const GROWTH_SHARE = 3 / 4;
/** Free pages with which a refused change is tried again, and with which the database is shrunk, in bytes. */
const [REUSED_BYTES, SHRUNK_BYTES] = [65_536, 4_194_304];
/** The part from which the log is copied into the database at once, so that the next changes find room. */
const COPY_SHARE = 1 / 2;

/** The tables of one plugin, or of the log of events. */
export interface CatalogSchema {
  /** Version of the schema, at least 1; a newer catalog is refused. */
  readonly version: number;
  /** Statements that create the tables. */
  readonly create: string;
  /** Statements that migrate a catalog to the next version, by the version they start from. */
  readonly upgrades?: Readonly<Record<number, string>>;
  /** Pages of 4 KiB after which the log is copied into the database, which blocks everything; 512 by default. */
  readonly logPages?: number;
}

/** A value of a row. */
export type CatalogValue = SQLInputValue;

/** The disk is full, or cannot be written: nothing changed. */
export class CatalogWriteError extends Error {
  override name = "CatalogWriteError";
}

/**
 * State of a plugin on disk: one transaction per change. A committed change survives the end of the process, however it
 * ends, and once `settled` has resolved also a loss of power. In WAL mode `synchronous = NORMAL` keeps the database
 * consistent in any case, and leaves the sync to `settled`, which several changes share and which blocks nothing else.
 * The file is locked while it is open, so that no second process uses it.
 */
export class Catalog implements Disposable {
  readonly #database: DatabaseSync;
  readonly #path: string;
  readonly #statements = new Map<string, StatementSync>();
  readonly #log = new GroupSync(() => this.#syncLog());
  /** SQLite empties and overwrites its log, but keeps the file while the database is open. */
  #logFile: Deno.FsFile | undefined;
  readonly #reserve: RoomKept | undefined;
  readonly #pageBytes: number;
  /** A size that the file of the database has at least. */
  #fileBytes = 0;
  /**
   * A sync of the log failed: earlier writes may never reach the disk, although later syncs
   * succeed.
   */
  #isDoubtful = false;

  constructor(database: DatabaseSync, path: string, reserve?: RoomKept) {
    this.#database = database;
    this.#reserve = reserve;
    this.#path = path;
    this.#pageBytes = this.#pragma("page_size");
    // A killed process has left a log: the reserve of this one may be smaller.
    if (this.#growth() > 0) this.#emptyLog();
  }

  #emptyLog(): void {
    this.#copyLog("TRUNCATE");
    if (this.#growth() === 0 || this.#reserve === undefined || !this.#isCopyable()) return;
    this.#reserve.giveUp();
    this.#reserveAgain();
  }

  /**
   * Runs `change` in a transaction. Throws `CatalogWriteError` if it cannot be stored, or the error of `change`;
   * nothing changes then. One that `frees` more than it adds also succeeds on a full disk, with the space reserved for
   * that; `change` may then run several times.
   *
   * SQLite appends to the log although it cannot copy the log into the database, which needs as much space again as the
   * database grows by. So the log may enlarge the database only by what fits into the reserve, or beside it.
   */
  transaction(change: () => void, { frees = false }: { frees?: boolean } = {}): void {
    if (!frees) {
      if (this.#reserve?.ready() === false) throw this.#unwritable(new Error("the disk is full"));
      return this.#add(change);
    }
    try {
      this.#attempt(change);
    } catch (error) {
      if (!isNoRoom(error)) throw error;
      this.#reserve?.giveUp();
      this.#attemptInReserve(change);
    } finally {
      if (this.#reserve?.bytes === 0) this.#reserveAgain();
    }
  }

  /** The reserve must last for further deletions: what the log took of it is returned. */
  #reserveAgain(): void {
    if (this.#isCopyable()) this.#copyLog("TRUNCATE");
    this.#reserve?.freed();
  }

  #add(change: () => void): void {
    // No space is reserved where the system refuses such a file.
    const most = this.#reserve?.bytes || Infinity;
    let growth = 0;
    try {
      this.#attempt(() => {
        change();
        growth = this.#verifyGrowth(most);
      });
    } catch (error) {
      if (!isNoRoom(error) || this.#freeBytes() < REUSED_BYTES) throw error;
      return this.#reuse(change);
    }
    if (growth > most * COPY_SHARE) {
      this.#copyLog(growth > most * GROWTH_SHARE ? "TRUNCATE" : "PASSIVE");
    }
  }

  /** Returns by how much the log enlarges the database. Throws if that fits neither into the reserve nor beside it. */
  #verifyGrowth(most: number): number {
    const growth = this.#growth(most * COPY_SHARE);
    if (growth <= most * GROWTH_SHARE) return growth;
    // Once in the log, and once in the database.
    if (most > 0 && this.#reserve?.fits(2 * growth) === true) return growth;
    throw this.#unwritable(new Error("the disk is full"));
  }

  /** A change that fits into free pages needs space for the log only, until that is empty again. */
  #reuse(change: () => void): void {
    this.#reserve?.giveUp();
    try {
      if (this.#isCopyable()) this.#copyLog("TRUNCATE");
      this.#attempt(() => {
        change();
        this.#verifyGrowth(0);
      });
    } finally {
      this.#reserveAgain();
    }
  }

  /** Returns free pages to the disk if they are many, and few others have to be copied for that. */
  shrink(): void {
    const free = this.#freeBytes();
    if (free < SHRUNK_BYTES || this.#pragma("page_count") * this.#pageBytes > 2 * free) return;
    this.#reserve?.giveUp();
    try {
      this.#database.exec("VACUUM");
    } catch (error) {
      if (!isFromDatabase(error)) throw error;
    }
    this.#reserveAgain();
    this.#fileBytes = 0;
  }

  /** A log that does not fit into the database would only use up the space. */
  #attemptInReserve(change: () => void): void {
    if (!this.#isCopyable()) {
      try {
        return this.#attempt(change);
      } catch (error) {
        if (!isNoRoom(error)) throw error;
      }
    }
    this.#copyLog("TRUNCATE");
    this.#attempt(change);
  }

  #isCopyable(): boolean {
    return this.#growth() <= (this.#reserve?.lastBytes ?? 0);
  }

  /** Bytes by which the log enlarges the database; up to `enough`, an upper bound. */
  #growth(enough = 0): number {
    const bytes = this.#pragma("page_count") * this.#pageBytes;
    if (bytes - this.#fileBytes > enough) this.#fileBytes = Deno.statSync(this.#path).size;
    return Math.max(0, bytes - this.#fileBytes);
  }

  #freeBytes(): number {
    return this.#pragma("freelist_count") * this.#pageBytes;
  }

  #pragma(name: "page_count" | "page_size" | "freelist_count"): number {
    return Number(this.#prepare(`PRAGMA ${name}`).get()?.[name]);
  }

  /** Checkpoints the log into the database, so that the log is overwritten from its start; TRUNCATE also empties it. */
  #copyLog(mode: "PASSIVE" | "TRUNCATE"): void {
    try {
      this.#database.exec(`PRAGMA wal_checkpoint(${mode})`);
    } catch (error) {
      // The change stays in the log, where it is just as safe.
      if (!isFromDatabase(error)) throw error;
    }
  }

  #attempt(change: () => void): void {
    try {
      // Prepared, because only the errors of statements have a message.
      this.run("BEGIN IMMEDIATE");
      change();
      this.run("COMMIT");
    } catch (error) {
      try {
        this.#database.exec("ROLLBACK");
      } catch {
        // After some failures SQLite has rolled back already.
      }
      throw isFromDatabase(error) ? this.#unwritable(error) : error;
    }
  }

  /**
   * Resolves when every change made so far is on the disk itself. Only then may bytes that a change dropped be removed:
   * the change might be lost with the power. Rejects with `CatalogWriteError`.
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
    if (this.#isDoubtful) this.#leaveLog();
    try {
      await this.#logFile.syncData();
    } catch (error) {
      this.#isDoubtful = true;
      throw error;
    }
    // Data of a file without a name is lost with the process.
    if (this.#logFile.statSync().nlink === 0) throw new Error("its log was removed");
  }

  /**
   * After a failed sync the kernel may drop what it could not write, and report no further error (fsync(2)). SQLite reads
   * its log up to the first damaged page, so changes behind such a page would be lost with the power. All changes go into
   * the database itself, and the log starts empty.
   */
  #leaveLog(): void {
    const done = this.#database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get();
    if (done?.busy !== 0) throw new Error("its log cannot be emptied");
    this.#isDoubtful = false;
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

/** Returns whether the disk is full; to SQLite an exceeded quota is a failed write. */
function isNoRoom(error: unknown): boolean {
  if (!(error instanceof CatalogWriteError)) return false;
  const { cause } = error;
  if (!(cause instanceof Error) || !("errcode" in cause)) return false;
  const code = Number(cause.errcode) & 0xff;
  return code === SQLITE_FULL || code === SQLITE_IOERR;
}

/**
 * Opens the catalog in a folder, or creates an empty one. Throws `ConfigError` for one that another process uses, that
 * is damaged, or that has another version: it never replaces one with an empty one. `reserve` is the space reserved for
 * changes that free space.
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
      : `${reason}; choose another folder, or remove this one to start empty`;
    throw new ConfigError(`Cannot use the state stored in "${path}": ${detail}`);
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
  // The reserve must hold the log, and what the log adds to the database.
  database.exec(`PRAGMA wal_autocheckpoint = ${logPages}`);
  // A page emptied by a large deletion is then never written.
  database.exec("PRAGMA cache_spill = OFF");
  // In this mode the first transaction acquires the lock, and keeps it.
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
    throw new Error("it is new, but there are bytes beside it that belong to an earlier one");
  }
  database.exec(`BEGIN IMMEDIATE; ${create}; PRAGMA user_version = ${version}; COMMIT`);
}

/** Returns every step from an earlier version to that of the schema; nothing if one is missing. */
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

/** Returns whether a plugin's folder has complete blobs. */
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

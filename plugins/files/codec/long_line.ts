/**
 * The line of `ls -l`, which clients of FTP and SFTP parse or print. Times are UTC.
 *
 *   -rw-rw-rw-   1 owner group         1234 Nov 21 14:05 name
 *
 * @module
 */

/** An entry of a listing. */
export interface ListedEntry {
  readonly id: number;
  readonly name: string;
  readonly dir: boolean;
  readonly size: number;
  readonly mtimeMs: number;
}

const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
/** Entries older than this show their year instead of their time of day. */
const RECENT_MS = 180 * 24 * 3600 * 1000;

/** Formats one line of LIST, without its line end. */
export function formatLong(entry: ListedEntry, nowMs: number): string {
  const mode = entry.dir ? "drwxrwxrwx" : "-rw-rw-rw-";
  const size = String(entry.size).padStart(12);
  return `${mode}   1 owner group ${size} ${formatDate(entry.mtimeMs, nowMs)} ${entry.name}`;
}

function formatDate(mtimeMs: number, nowMs: number): string {
  const date = new Date(mtimeMs);
  const day = `${MONTHS[date.getUTCMonth()]} ${String(date.getUTCDate()).padStart(2)}`;
  const old = nowMs - mtimeMs > RECENT_MS || mtimeMs > nowMs + RECENT_MS;
  return `${day} ${old ? ` ${date.getUTCFullYear()}` : date.toISOString().slice(11, 16)}`;
}

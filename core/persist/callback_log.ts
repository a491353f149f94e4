import type { CallKeeper } from "../callbacks/ledger.ts";
import { decodeCall, encodeCall } from "../callbacks/stored_call.ts";
import { reasonOf } from "../errors.ts";
import type { Logger } from "../log.ts";
import { type CatalogSchema, CatalogWriteError, openCatalog } from "./catalog.ts";

const SCHEMA: CatalogSchema = {
  version: 1,
  create: "CREATE TABLE call (id TEXT PRIMARY KEY NOT NULL, about TEXT NOT NULL)",
};

/**
 * Keeps calls in a database beside the event log, one row each. A failed write is logged: the calls
 * continue, but the next start does not know them. Throws `ConfigError` for a folder that cannot be
 * used.
 */
export function openCallLog(
  { folder, log }: { folder: string; log: Logger },
): CallKeeper & Disposable {
  Deno.mkdirSync(folder, { recursive: true });
  const catalog = openCatalog(folder, SCHEMA);
  const write = (change: () => void): void => {
    try {
      catalog.transaction(change);
    } catch (error) {
      if (!(error instanceof CatalogWriteError)) throw error;
      log.warn("Cannot store a callback, which will be lost at the next start", {
        reason: reasonOf(error),
      });
    }
  };
  return {
    load: () =>
      catalog.all("SELECT about FROM call ORDER BY id").map(({ about }) =>
        decodeCall(String(about))
      ),
    save: (call) =>
      write(() =>
        catalog.run("INSERT OR REPLACE INTO call VALUES (?, ?)", call.id, encodeCall(call))
      ),
    remove: (ids) =>
      write(() => {
        for (const id of ids) catalog.run("DELETE FROM call WHERE id = ?", id);
      }),
    [Symbol.dispose]: () => catalog[Symbol.dispose](),
  };
}

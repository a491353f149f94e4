/** The catalog that several instances share. */
import { LogOutcomeError } from "../../../core/errors.ts";
import type { SharedLog, SharedView } from "../../../core/shared_state.ts";
import type { Change, Plan } from "./journal.ts";
import type { Keeper } from "./keeper.ts";
import type { CatalogState } from "./state.ts";
import { readChange, writeChange } from "./wire.ts";

/**
 * Plans run again if another instance was faster. The limits of the catalog are checked in the plan, so changes that are
 * stored together may exceed them by their number.
 */
export class SharedKeeper implements Keeper {
  readonly isKept = true;
  readonly #log: SharedLog<Change>;

  constructor(log: SharedLog<Change>) {
    this.#log = log;
  }

  change<T>(plan: () => Plan<T>): Promise<T> {
    return this.#log.change(plan);
  }

  current(): Promise<void> {
    return this.#log.current();
  }

  isUncertain(error: unknown): boolean {
    return error instanceof LogOutcomeError;
  }
}

/** The catalog, changed by the log. */
export function toView(state: CatalogState): SharedView<Change> {
  return {
    what: "the buckets",
    apply(changes, { own }) {
      const freed = state.apply(changes);
      // The instance that planned the changes removes the bytes.
      if (own) void state.names.free(freed);
      else state.names.forget(freed);
    },
    forget: () => state.forget(),
    changes: () => state.changes(),
    placeOf,
    encode: writeChange,
    decode: readChange,
  };
}

/** A plan reads the key or upload that it changes, and its bucket; changes to a bucket are stored alone. */
function placeOf(change: Change): string | undefined {
  switch (change.kind) {
    case "make bucket":
    case "put setting":
    case "drop setting":
    case "drop bucket":
      return undefined;
    case "put object":
      return `${change.bucket}/${change.object.key}`;
    case "drop object":
      return `${change.bucket}/${change.key}`;
    case "put version":
    case "drop version":
      return `${change.bucket}/${change.version.key}`;
    case "begin upload":
      return `upload ${change.upload.id}`;
    case "put part":
      return `upload ${change.upload}`;
    case "end upload":
    case "note completion":
    case "forget completion":
      return `upload ${change.id}`;
  }
}

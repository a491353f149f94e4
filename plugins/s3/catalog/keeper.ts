/** Stores changes of the catalog, and the bytes they refer to. */
import type { Journal, Plan } from "./journal.ts";
import type { CatalogState } from "./state.ts";

/**
 * Changes the catalog: alone, or together with other instances. Each is planned from the catalog as it is, stored, and
 * then visible.
 */
export interface Keeper {
  /** Whether the catalog outlasts the program. */
  readonly isKept: boolean;
  /**
   * Stores the changes of a plan, all or none, and resolves once they survive a loss of power. `plan` changes nothing
   * itself, and may run more than once. Rejects with its error, and with `S3Error` if they cannot be stored.
   */
  change<T>(plan: () => Plan<T>): Promise<T>;
  /**
   * Resolves once the catalog has everything that any instance acknowledged before the call; `undefined` if it does.
   * Rejects with `S3Error` "SlowDown".
   */
  current(): Promise<void> | undefined;
  /** Returns whether a change may have been stored although it was refused. */
  isUncertain(error: unknown): boolean;
}

/** The keeper of a catalog that belongs to this instance. A change takes effect before the first await. */
export class OwnKeeper implements Keeper {
  readonly isKept: boolean;
  readonly #journal: Journal;
  readonly #state: CatalogState;

  constructor(journal: Journal, { state, isKept }: { state: CatalogState; isKept: boolean }) {
    this.#journal = journal;
    this.#state = state;
    this.isKept = isKept;
  }

  async change<T>(plan: () => Plan<T>): Promise<T> {
    const { changes, result, frees = false } = plan();
    if (changes.length === 0) return result;
    this.#journal.commit(changes, { frees });
    const freed = this.#state.apply(changes);
    await this.#journal.settled();
    await this.#state.names.free(freed);
    return result;
  }

  current(): undefined {}

  isUncertain(): boolean {
    return false;
  }
}

/** Runs a change that refers to `blob`, which the caller has retained; the bytes go if it is refused. */
export async function holding<T>(
  { keeper, state: { names } }: { keeper: Keeper; state: CatalogState },
  blob: string,
  change: () => Promise<T>,
): Promise<T> {
  names.hold(blob);
  let stay = false;
  try {
    return await change();
  } catch (error) {
    stay = keeper.isUncertain(error);
    throw error;
  } finally {
    await names.unhold(blob, { stay });
  }
}

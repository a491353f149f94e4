import { compact } from "../../../core/compact.ts";
import { reasonOf } from "../../../core/errors.ts";
import type { SharedLog, Standing } from "../../../core/shared_state.ts";
import { VfsError } from "./errors.ts";
import { fateOf, type Pending, type PendingRow } from "./pending.ts";
import type { TreeStep } from "./steps.ts";
import { placeRows } from "./store.ts";
import type { StoredTree } from "./stored_tree.ts";
import { Tree } from "./tree.ts";
import type { TreeJournal } from "./tree_change.ts";

/** A tree that refuses every path while `check` throws. */
export class GuardedTree extends Tree {
  readonly #check: () => void;

  constructor(options: ConstructorParameters<typeof Tree>[0] & { check: () => void }) {
    super(options);
    this.#check = options.check;
  }

  override find(path: string): ReturnType<Tree["find"]> {
    this.#check();
    return super.find(path);
  }
}

/** Parts that a term works with. */
export interface TermOptions {
  /** Name of this term, which the stored tree records as its last writer. */
  readonly term: string;
  readonly standing: Standing;
  readonly stored: StoredTree;
  readonly log: SharedLog<TreeStep>;
  readonly nowMs: number;
}

/**
 * The period in which this instance writes the tree. It changes a tree in memory, and appends each
 * change to the log in the same order; callers that need a change stored wait for `settled`. If a
 * change cannot be stored, the tree in memory differs from the stored one: the term ends
 * without storing anything else, and the instance begins another one.
 */
export class Term {
  readonly tree: Tree;
  readonly pending: Pending;
  readonly #options: TermOptions;
  /** Settles with the last change, and so with all before it. */
  #last: Promise<unknown> = Promise.resolve();
  #failure: string | undefined;

  constructor(options: TermOptions) {
    this.#options = options;
    const { stored, nowMs } = options;
    const journal: TreeJournal = {
      commit: ({ put, remove }) =>
        this.#store([
          ...remove.map((id): TreeStep => ({ kind: "drop", id })),
          ...put.map((row): TreeStep => ({ kind: "put", row })),
        ]),
      settled: () => this.#settled(),
    };
    const about = { journal, nowMs, lastId: stored.lastId, check: () => this.check() };
    this.tree = new GuardedTree({ ...about, ...compact({ instance: stored.instance }) });
    placeRows(this.tree, stored.rows);
    this.pending = this.#toPending(stored.promised);
  }

  /** Whether it may be changed now. */
  get isUsable(): boolean {
    return this.#failure === undefined && this.#options.standing.isValid;
  }

  /** Throws `VfsError` "busy" while it may not be used. */
  check(): void {
    if (this.isUsable) return;
    const reason = this.#failure ?? "this instance cannot reach NATS";
    throw new VfsError("busy", `Cannot use the file tree now: ${reason}; try again`);
  }

  /** Ends the term: nothing is stored from now on. */
  end(): void {
    this.#failure ??= "another instance may write it";
  }

  #toPending(rows: readonly PendingRow[]): Pending {
    const withFate = (fate: ReturnType<typeof fateOf>): readonly PendingRow[] =>
      rows.filter((row) => fateOf(this.tree, row) === fate);
    const over = withFate("over");
    if (over.length > 0) this.#store(over.map(({ id }) => ({ kind: "keep", id })));
    return {
      lasts: true,
      left: withFate("promised"),
      placed: withFate("placed"),
      put: (row) => this.#store([{ kind: "promise", row }]),
      remove: (id) => {
        // The next writer keeps what was promised.
        if (this.#failure === undefined) this.#store([{ kind: "keep", id }]);
      },
    };
  }

  #store(steps: readonly TreeStep[]): void {
    this.check();
    const { log, stored, term, standing } = this.#options;
    const storing = log.change(() => {
      if (this.#failure !== undefined) throw new Error(this.#failure);
      if (stored.term !== term) throw new Error("another instance writes it");
      return { changes: steps, result: undefined };
    });
    this.#last = storing;
    storing.catch((error) => {
      this.#failure ??= reasonOf(error);
      standing.renew();
    });
  }

  async #settled(): Promise<void> {
    try {
      await this.#last;
    } catch (error) {
      throw new VfsError("busy", `Cannot store a change of the file tree: ${reasonOf(error)}`);
    }
  }
}

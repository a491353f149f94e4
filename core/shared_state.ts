/**
 * State of a plugin that several instances share: each applies the same changes in the same order.
 *
 * @module
 */

/** Changes that follow from the state as it is. */
export interface SharedPlan<C, T> {
  /** In order; empty if there is nothing to do. */
  readonly changes: readonly C[];
  /** The result, once they are stored. */
  readonly result: T;
}

/** The state of one instance, which follows the log. */
export interface SharedView<C> {
  /** Name of the state in messages: `the buckets`. */
  readonly what: string;
  /** Applies changes; `own` if this instance planned them. Throws if they do not fit the state. */
  apply(changes: readonly C[], options: { readonly own: boolean }): void;
  /** Resets to an empty state. */
  forget(): void;
  /** Returns the changes that lead from an empty state to this one. */
  changes(): Iterable<C>;
  /**
   * Returns the subject of a change. Plans about different things do not depend on each other, and
   * may be stored together; `undefined` for a change that must be stored alone.
   */
  placeOf(change: C): string | undefined;
  /** Returns a change as a value for JSON. */
  encode(change: C): unknown;
  /** Reads a change; its source is not trusted. Throws for one that cannot be understood. */
  decode(value: unknown): C;
}

/** The changes of all instances, in one order. */
export interface SharedLog<C> {
  /**
   * Stores the changes of a plan, all or none, and resolves with its result once the state of this instance has them.
   * `plan` changes nothing itself; it runs again if another instance was faster. Rejects with its error, with
   * `LogWriteError` if they cannot be stored, and with `LogOutcomeError` if that is not known.
   */
  change<T>(plan: () => SharedPlan<C, T>): Promise<T>;
  /**
   * The read barrier: resolves once the state has everything that any instance stored before the call. Rejects with
   * `LogWriteError` if that cannot be found out.
   */
  current(): Promise<void>;
}

/** State of the log of one plugin. */
export interface SharedLogState {
  /** Messages that are not yet in the state of this instance. */
  readonly behind: number;
  /** Time since NATS last sent anything of them; `behind` is of that moment. */
  readonly silentSeconds: number;
  /** Messages written by this instance. */
  readonly messages: number;
  /** Changes in them. */
  readonly changes: number;
  /** Sum of the times until they were stored and read back, in seconds. */
  readonly seconds: number;
  /** Plans that ran again because another instance was faster. */
  readonly conflicts: number;
}

/** Opens the log of one plugin. */
export interface SharedStorage {
  /** Reads what is stored, and follows it from then on. Rejects with `ConfigError`. */
  follow<C>(view: SharedView<C>): Promise<SharedLog<C>>;
  /** Takes part in the choice of the one instance that writes; for a plugin that `elects`, once. */
  elect(role: WriterRole): Election;
}

/** What a plugin does as the only writer of its state. */
export interface WriterRole {
  /** Name of the state in messages: `the file tree`. */
  readonly what: string;
  /** This instance may write from now on. Rejects if it cannot begin; it is called again later. */
  begin(standing: Standing): Promise<void>;
  /** This instance may no longer write. Called after each `begin`, also after one that has failed. */
  end(): void;
  /** Answers a question of any instance, as the writer; both are values of JSON. */
  answer(question: unknown): Promise<unknown>;
}

/** The right to write, from `begin` to `end`. */
export interface Standing {
  /** Whether it is certain, by this instance's clock, that no other has begun. */
  readonly isValid: boolean;
  /** Something could not be stored, so memory differs from the stored state: calls `end`, then `begin`. */
  renew(): void;
}

/** Which instance writes. */
export interface Election {
  /** The writer that this instance saw last. */
  readonly writer: Writer | undefined;
  /** Has the writer answer a question. Rejects with `LogWriteError` if it cannot be reached. */
  ask(question: unknown): Promise<unknown>;
}

/** The instance that writes. */
export interface Writer {
  /** Whether it is this instance. */
  readonly isSelf: boolean;
  /** Name given with `--instance`. */
  readonly name?: string;
  /** Host under which the other instances reach it. */
  readonly host: string;
  /** Ports of its listeners, by plugin and provider. */
  readonly ports: Readonly<Record<string, number>>;
}

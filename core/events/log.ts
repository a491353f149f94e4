import type { CapturedEvent } from "./event.ts";

/** What the log records. */
export type LogRecord =
  | {
    readonly kind: "captured";
    readonly event: CapturedEvent;
    /** Time of the clock, in milliseconds; the event may have a later one, so that lists stay in order. */
    readonly ms: number;
  }
  /** Events captured elsewhere, or before a restart; their ids give their order. */
  | { readonly kind: "restored"; readonly events: readonly Omit<CapturedEvent, "seq">[] };

/** Receives each record once, in order. */
export type LogFollower = (record: LogRecord) => void;

/**
 * What was captured, in order. The event store is a view of it: an event is held, listed and announced only once the log
 * has it.
 */
export interface EventLog {
  /** Whether it can be written; while it cannot, reading this checks again. */
  readonly writable: boolean;
  /** Gives the one follower what is in the log, then each new record before its `append` settles. */
  follow(follower: LogFollower): Promise<void> | undefined;
  /**
   * Resolves once the record is stored; returns `undefined` if it already is. Rejects with `LogWriteError`; the follower
   * does not get the record then.
   */
  append(record: LogRecord): Promise<void> | undefined;
  /** Removes an event that is no longer held, at the latest before a later `last` resolves. */
  trim(event: CapturedEvent): void;
  /**
   * The read barrier: resolves once everything appended and trimmed so far is stored, and the follower has it; returns
   * `undefined` if that is so already. Rejects with `LogWriteError` if it cannot be written; the next write tries to trim
   * again.
   */
  last(): Promise<void> | undefined;
}

/** The log of events in memory: it stores nothing itself. */
export class MemoryLog implements EventLog {
  readonly writable = true;
  #follower: LogFollower = () => {};

  follow(follower: LogFollower): undefined {
    this.#follower = follower;
  }

  append(record: LogRecord): undefined {
    this.#follower(record);
  }

  trim(): void {}

  last(): undefined {}
}

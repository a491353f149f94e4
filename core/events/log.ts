import type { CapturedEvent } from "./event.ts";

/** What comes to be held, in the order of the log. */
export type LogRecord =
  | {
    readonly kind: "captured";
    readonly event: CapturedEvent;
    /** What the clock said, in milliseconds: an event may bear a later time, so that no list goes back. */
    readonly ms: number;
  }
  /** Events captured elsewhere, or before a restart; their places go by their ids. */
  | { readonly kind: "restored"; readonly events: readonly Omit<CapturedEvent, "seq">[] };

/** Is given each record once, in order. */
export type LogFollower = (record: LogRecord) => void;

/**
 * What was captured, in order, and how long it lasts. The event store is a view of it: an event is held, listed and told
 * of once the log has it, and not before.
 */
export interface EventLog {
  /** Whether it takes what is captured; asked again where it did not, so that it is found out when it does. */
  readonly writable: boolean;
  /** Hands over what is there, then each record that comes, before its `append` settles. There is one follower. */
  follow(follower: LogFollower): Promise<void> | undefined;
  /**
   * Resolves when the record is where it lasts; `undefined` when it is there already. Rejects with `LogWriteError`, and
   * nobody is given the record then.
   */
  append(record: LogRecord): Promise<void> | undefined;
  /** An event is no longer held. It may go a little later; it goes for certain once a later `last` has resolved. */
  trim(event: CapturedEvent): void;
  /**
   * The read barrier: resolves when all that was appended and trimmed before is in the log, and was handed over;
   * `undefined` when it is already. Rejects with `LogWriteError` when that cannot be written now; what was trimmed is
   * tried again with the next write.
   */
  last(): Promise<void> | undefined;
}

/** The log of a program whose events end with it: nothing is kept but what the view holds. */
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

import type { MemoryFullError } from "../errors.ts";

/** The source of a lease's bytes. */
interface Lender {
  /** Reserves this many bytes more for the lease, if there is room. */
  lend(lease: Lease, bytes: number): boolean;
  /** Reserves them once there is room. */
  wait(lease: Lease, bytes: number): Promise<void>;
  takeBack(bytes: number): void;
  /** Counts bytes that are garbage already. */
  waste(bytes: number): Promise<void> | undefined;
  /** Cancels the wait of the lease. */
  leave(lease: Lease): void;
  /** Returns the error for a lease without room. */
  full(bytes: number): MemoryFullError;
}

/** Memory in flight of one conversation or request. Must be disposed of. */
export interface MemoryLease extends Disposable {
  /** Bytes reserved. */
  readonly bytes: number;
  /**
   * Reserves this many bytes in total; fewer than before change nothing. Returns nothing if there is room, else waits for
   * some. Rejects with `MemoryFullError` if there is none in time, or earlier if this is the youngest lease and gives way
   * to older ones that are blocked.
   */
  cover(bytes: number): Promise<void> | undefined;
  /** Reserves this many bytes more, without waiting. Throws `MemoryFullError`. */
  take(bytes: number): void;
  /** Releases this many bytes. */
  give(bytes: number): void;
  /** Counts bytes that are garbage once they have been read, such as decoded chunks: see `Memory.waste`. */
  waste(bytes: number): Promise<void> | undefined;
}

/** See `MemoryLease`. */
export class Lease implements MemoryLease {
  /** Increases from lease to lease. */
  readonly age: number;
  /** Set only by the budget. */
  bytes = 0;
  /** A store keeps the bytes afterwards. */
  readonly stays: boolean;
  /** Aborts when the wait is pointless. */
  readonly gone: AbortSignal | undefined;
  readonly #budget: Lender;

  constructor(
    budget: Lender,
    { age, stays, gone }: { age: number; stays: boolean; gone: AbortSignal | undefined },
  ) {
    this.#budget = budget;
    this.age = age;
    this.stays = stays;
    this.gone = gone;
  }

  cover(bytes: number): Promise<void> | undefined {
    const more = bytes - this.bytes;
    if (more <= 0 || this.#budget.lend(this, more)) return undefined;
    return this.#budget.wait(this, more);
  }

  take(bytes: number): void {
    if (!this.#budget.lend(this, bytes)) throw this.#budget.full(bytes);
  }

  give(bytes: number): void {
    this.bytes -= bytes;
    this.#budget.takeBack(bytes);
  }

  waste(bytes: number): Promise<void> | undefined {
    return this.#budget.waste(bytes);
  }

  [Symbol.dispose](): void {
    this.#budget.leave(this);
    this.give(this.bytes);
  }
}

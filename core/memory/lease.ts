import type { MemoryFullError } from "../errors.ts";

/** Where a lease takes its bytes from. */
interface Lender {
  /** Whether there is room for so many bytes more; they are the lease's then. */
  lend(lease: Lease, bytes: number): boolean;
  /** Lends them once there is room. */
  wait(lease: Lease, bytes: number): Promise<void>;
  takeBack(bytes: number): void;
  /** The lease waits no more. */
  leave(lease: Lease): void;
  /** What a lease without room is refused with. */
  full(bytes: number): MemoryFullError;
}

/** What one conversation or request has in flight. Must be disposed of. */
export interface MemoryLease extends Disposable {
  /** Bytes that it covers. */
  readonly bytes: number;
  /**
   * Covers so many bytes in all; fewer than before change nothing. Returns nothing where there is room, else waits for
   * some. Rejects with `MemoryFullError` when there is none in time, and earlier where this is the youngest and makes way
   * for older ones that could not go on without.
   */
  cover(bytes: number): Promise<void> | undefined;
  /** So many bytes more, without waiting. Throws `MemoryFullError`. */
  take(bytes: number): void;
  /** So many bytes fewer. */
  give(bytes: number): void;
}

/** See `MemoryLease`. */
export class Lease implements MemoryLease {
  /** Rises from one lease to the next. */
  readonly age: number;
  /** Changed by the budget alone. */
  bytes = 0;
  /** A store keeps the bytes afterwards. */
  readonly stays: boolean;
  /** Aborts when there is nobody left to wait for. */
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

  [Symbol.dispose](): void {
    this.#budget.leave(this);
    this.give(this.bytes);
  }
}

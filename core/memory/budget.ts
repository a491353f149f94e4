/**
 * Counts the memory of the program: stored events and attachments, and data in flight. Readers of a body, a message or a
 * file reserve the bytes first, and wait, or refuse the sender, if there is no room.
 *
 * @module
 */
import { MemoryFullError } from "../errors.ts";
import { CollectionQueue } from "./collection_queue.ts";
import { Lease, type MemoryLease } from "./lease.ts";
import { ALONE_SHARE } from "./size.ts";

/** Time that a sender waits for room, in milliseconds, before it is refused. */
export const ROOM_WAIT_MS = 10_000;

/** Senders with at most this many bytes may use all memory, so that a few large ones do not block everybody. */
const SMALL_BYTES = 1024 * 1024;
/** The part of memory for large senders. */
const LARGE_SHARE = 3 / 4;
/** The part that stored data need not give up for data in flight. */
const KEPT_SHARE = 1 / 2;
/** Bytes reserved between two readings of the gauge. */
const MEASURE_BYTES = 4 * 1024 * 1024;
/** Interval of checks whether a garbage collection made room, while somebody waits. */
const RETRY_MS = 250;
/** Garbage for each byte of a response: its source values, its text, and copies of its bytes. */
const GARBAGE_FACTOR = 4;
/** Checks after which others are refused, so that the sender that has waited longest gets its room. */
const MOST_LOOKS = 4;
/** Part of memory that stored data gives up at each further check. */
const STEP_SHARE = 1 / 8;

/** Memory in use according to the platform, including garbage. */
export interface Gauge {
  /**
   * Returns whether this many bytes fit below `limitBytes`, after a garbage collection if necessary. `promisedBytes` are
   * those of buffers that have been reserved, whether they exist yet or not: many senders reserve before their bytes come.
   */
  hasRoom(bytes: number, limitBytes: number, promisedBytes: number): boolean;
}

/** Account of one store. */
export interface Holding {
  /** Sets the bytes of the store. New bytes were in flight until now, if their lease is given. */
  set(bytes: number, from?: MemoryLease): void;
  /** Counts bytes that the store has dropped: they take memory until a collection. */
  dropped(bytes: number): void;
}

/** Source of leases. */
export interface Memory {
  /** The limit of everything, in bytes. */
  readonly limitBytes: number;
  /** Creates an empty lease. */
  lease(options?: LeaseOptions): MemoryLease;
  /**
   * Opens the account of a store. `free` drops dispensable data of about the given size; `isBuffers` says that the data is
   * in buffers rather than in objects and texts, `isSpare` that it is only unused memory, which goes first.
   */
  holding(
    free?: (bytes: number) => void,
    options?: { readonly isBuffers: boolean; readonly isSpare?: boolean },
  ): Holding;
  /** Returns whether a store may keep this many bytes more, after dropping dispensable data. */
  hasRoomFor(bytes: number): boolean;
  /** Returns the `MemoryFullError` that refuses this many bytes. */
  full(bytes: number): Error;
  /**
   * Counts bytes of a response that have been sent: what they were made of is garbage. Nothing to wait for unless garbage
   * fills the memory; then it waits for a collection, but not for long.
   */
  spend(bytes: number): Promise<void> | undefined;
  /** Counts bytes that are garbage already, in the same way. */
  waste(bytes: number): Promise<void> | undefined;
}

/** Purpose of a lease. */
export interface LeaseOptions {
  /** A store keeps the bytes afterwards, so they must fit beside its other data. */
  readonly stays?: boolean;
  /** Aborts when the wait is pointless. */
  readonly gone?: AbortSignal;
}

interface Waiter {
  readonly lease: Lease;
  readonly more: number;
  readonly resolve: () => void;
  readonly reject: (error: MemoryFullError) => void;
  readonly timer: ReturnType<typeof setTimeout>;
  onGone(): void;
}

/** Counts the memory of the whole program against one limit. */
export class MemoryBudget implements Memory {
  readonly limitBytes: number;
  readonly #gauge: Gauge | undefined;
  readonly #waitMs: number;
  readonly #frees: ((bytes: number) => void)[] = [];
  /** Those of unused memory. */
  readonly #spares: ((bytes: number) => void)[] = [];
  /** In the order of their leases, the oldest first. */
  #waiters: Waiter[] = [];
  #retry: ReturnType<typeof setInterval> | undefined;
  /** The oldest at the last check, and the number of checks. */
  #oldest: Waiter | undefined;
  #looks = 0;
  #kept = 0;
  /** The part of it that is in buffers. */
  #keptBuffers = 0;
  /** The part of it that is unused. */
  #spare = 0;
  #lent = 0;
  #opened = 0;
  #moved = 0;
  /** Bytes reserved since the last reading of the gauge. */
  #unmeasured = 0;
  #freeing = false;
  readonly #collections = new CollectionQueue({
    hasRoomAfter: (bytes) => this.#hasRoomAfter(bytes),
    onLongWait: () => this.#dropStored(),
  });

  constructor(
    { limitBytes, gauge, waitMs = ROOM_WAIT_MS }: {
      /** `Infinity` counts, but refuses nothing. */
      limitBytes: number;
      /** By default only the count decides. */
      gauge?: Gauge;
      waitMs?: number;
    },
  ) {
    this.limitBytes = limitBytes;
    this.#gauge = gauge;
    this.#waitMs = waitMs;
  }

  /** Bytes of the stores. */
  get keptBytes(): number {
    return this.#kept;
  }

  /** Bytes in flight. */
  get lentBytes(): number {
    return this.#lent;
  }

  /** Bytes reserved and released since the start, both counted. */
  get movedBytes(): number {
    return this.#moved;
  }

  /** See `Memory.holding`. */
  holding(
    free?: (bytes: number) => void,
    { isBuffers, isSpare = false }: { readonly isBuffers: boolean; readonly isSpare?: boolean } = {
      isBuffers: false,
    },
  ): Holding {
    if (free !== undefined) (isSpare ? this.#spares : this.#frees).push(free);
    let held = 0;
    return {
      set: (bytes, from) => {
        const more = bytes - held;
        held = bytes;
        this.#kept += more;
        if (isBuffers) this.#keptBuffers += more;
        if (isSpare) this.#spare += more;
        if (more > 0) this.#keptMore(more - this.#land(from, more));
        else if (more < 0) this.#gave(-more);
      },
      // The gauge triggers a collection when there is no room.
      dropped: (bytes) => {
        this.#hasRoomAfter(bytes);
      },
    };
  }

  /** Returns whether a store may keep this many bytes more, after dropping dispensable data. */
  hasRoomFor(bytes: number): boolean {
    return this.#makeRoom(bytes, this.limitBytes);
  }

  /** Frees memory that the stores keep though they do not use it. */
  freeSpare(bytes: number = this.#spare): void {
    if (this.#spare > 0) { for (const free of this.#spares) free(bytes); }
  }

  full(bytes: number): MemoryFullError {
    return new MemoryFullError(
      `Cannot accept ${bytes} more bytes for now: the program holds as much as [storage] ` +
        `memory_limit allows (${this.limitBytes}); try again later`,
    );
  }

  spend(bytes: number): Promise<void> | undefined {
    this.#moved += bytes;
    return this.waste(bytes * GARBAGE_FACTOR);
  }

  waste(bytes: number): Promise<void> | undefined {
    return this.#hasRoomAfter(bytes) ? undefined : this.#collections.wait(bytes);
  }

  #hasRoomAfter(bytes: number): boolean {
    this.#unmeasured += bytes;
    return this.#isMeasured(0, this.limitBytes);
  }

  lease({ stays = false, gone }: LeaseOptions = {}): MemoryLease {
    return new Lease(this, { age: this.#opened++, stays, gone });
  }

  /** For leases: reserves this many bytes more, or returns false. */
  lend(lease: Lease, more: number): boolean {
    const isSmall = lease.bytes + more <= SMALL_BYTES;
    // Older waits for much memory go first.
    const isNext = isSmall || !this.#waiters.some(({ lease: { age } }) => age < lease.age);
    return isNext && this.#lendNow(lease, more);
  }

  /** For leases: releases this many bytes. */
  takeBack(bytes: number): void {
    this.#lent -= bytes;
    if (bytes > 0) this.#gave(bytes);
  }

  /** For leases: resolves once this many bytes more are reserved. */
  wait(lease: Lease, more: number): Promise<void> {
    const isAlone = this.#lent === lease.bytes;
    if (lease.gone?.aborted) return Promise.reject(this.full(more));
    if (lease.stays && isAlone && this.#isOver(more, this.#limitOf({ lease, more }))) {
      // Only stores are in the way, and they have nothing left to drop.
      return Promise.reject(this.full(more));
    }
    return new Promise<void>((resolve, reject) => {
      const waiter: Waiter = {
        lease,
        more,
        resolve,
        reject,
        timer: setTimeout(() => this.#turnAway(waiter), this.#waitMs),
        onGone: () => this.#turnAway(waiter),
      };
      const at = this.#waiters.findIndex(({ lease: { age } }) => age > lease.age);
      this.#waiters.splice(at < 0 ? this.#waiters.length : at, 0, waiter);
      lease.gone?.addEventListener("abort", waiter.onGone);
      this.#retry ??= setInterval(() => this.#look(), RETRY_MS);
      this.#resolveDeadlock();
    });
  }

  /** For leases: cancels the wait. */
  leave(lease: Lease): void {
    const waiter = this.#waiters.find((other) => other.lease === lease);
    if (waiter !== undefined) this.#turnAway(waiter);
  }

  #lendNow(lease: Lease, more: number): boolean {
    if (!this.#makeRoom(more, this.#limitOf({ lease, more }))) {
      const isAlone = this.#lent === lease.bytes && !lease.stays;
      if (!isAlone || lease.bytes + more > this.limitBytes * ALONE_SHARE) return false;
    }
    lease.bytes += more;
    this.#lent += more;
    this.#moved += more;
    this.#unmeasured += more;
    return true;
  }

  #turnAway(waiter: Waiter): void {
    this.#remove(waiter);
    waiter.reject(this.full(waiter.more));
  }

  #remove(waiter: Waiter): void {
    clearTimeout(waiter.timer);
    waiter.lease.gone?.removeEventListener("abort", waiter.onGone);
    this.#waiters = this.#waiters.filter((other) => other !== waiter);
    if (this.#waiters.length > 0) return;
    clearInterval(this.#retry);
    this.#retry = undefined;
    this.#oldest = undefined;
  }

  #look(): void {
    this.#wake();
    this.#resolveDeadlock();
    const [oldest] = this.#waiters;
    this.#looks = oldest === this.#oldest ? this.#looks + 1 : 0;
    this.#oldest = oldest;
    if (oldest === undefined || this.#looks < MOST_LOOKS) return;
    this.#looks = 0;
    this.#dropStored();
    this.#turnYoungestAway(this.#kept + this.#lent + oldest.more - this.#limitOf(oldest));
  }

  /**
   * Drops stored data that is dispensable. When no collection makes room, the stores hold more than they count: without
   * this, everybody would be refused until somebody deletes events.
   */
  #dropStored(): void {
    const spare = this.#kept - this.limitBytes * KEPT_SHARE;
    this.#free(Math.min(this.limitBytes * STEP_SHARE, spare));
  }

  /** If everything in flight waits, nothing would ever be released: the youngest gives way. */
  #resolveDeadlock(): void {
    const waiting = this.#waiters.reduce((sum, { lease }) => sum + lease.bytes, 0);
    if (waiting > 0 && waiting === this.#lent) this.#turnYoungestAway(1);
  }

  /** Returns the youngest leases that together hold this many bytes, but never the oldest. */
  #turnYoungestAway(bytes: number): void {
    const [, ...younger] = this.#waiters;
    for (let left = bytes; left > 0;) {
      const youngest = younger.pop();
      if (youngest === undefined) return;
      left -= youngest.lease.bytes;
      if (youngest.lease.bytes > 0) this.#turnAway(youngest);
    }
  }

  #limitOf({ lease, more }: Pick<Waiter, "lease" | "more">): number {
    return lease.bytes + more <= SMALL_BYTES ? this.limitBytes : this.limitBytes * LARGE_SHARE;
  }

  #gave(bytes: number): void {
    this.#moved += bytes;
    this.#wake();
  }

  #wake(): void {
    // If there is no room for some bytes, there is none for more; thousands may wait.
    let tooMuch = Infinity;
    for (const waiter of this.#waiters) {
      const { lease, more } = waiter;
      const isFirst = waiter === this.#waiters[0];
      const isSmall = lease.bytes + more <= SMALL_BYTES;
      if (!isFirst && (!isSmall || more >= tooMuch)) continue;
      if (!this.#lendNow(lease, more)) {
        if (isSmall) tooMuch = Math.min(tooMuch, more);
        continue;
      }
      this.#remove(waiter);
      waiter.resolve();
    }
  }

  /** Returns how much of the stored bytes was in flight in that lease, so that it counts once. */
  #land(from: MemoryLease | undefined, more: number): number {
    if (!(from instanceof Lease)) return 0;
    const landed = Math.min(from.bytes, more);
    from.bytes -= landed;
    this.#lent -= landed;
    return landed;
  }

  /** Stored data exists already: others make room for it. */
  #keptMore(more: number): void {
    this.#moved += more;
    this.#unmeasured += more;
    const isOver = this.#kept + this.#lent > this.limitBytes;
    if (isOver || this.#unmeasured > MEASURE_BYTES) this.#makeRoom(0, this.limitBytes);
  }

  #makeRoom(more: number, limit: number): boolean {
    if (this.#isOver(more, limit)) {
      const missing = this.#kept + this.#lent + more - limit;
      this.freeSpare(missing);
      this.#free(Math.min(missing, this.#kept - this.limitBytes * KEPT_SHARE));
      if (this.#isOver(more, limit)) return false;
    }
    return this.#isMeasured(more, limit);
  }

  /** Returns whether the gauge shows room; it is not read each time. */
  #isMeasured(more: number, limit: number): boolean {
    if (this.#gauge === undefined || this.#unmeasured + more < MEASURE_BYTES) return true;
    const look = (): boolean =>
      this.#gauge?.hasRoom(more, limit, this.#keptBuffers + this.#lent) ?? true;
    let hasRoom = look();
    if (!hasRoom && this.#spare > 0) {
      this.freeSpare();
      hasRoom = look();
    }
    // Without room the next reservation reads the gauge again.
    this.#unmeasured = hasRoom ? 0 : MEASURE_BYTES;
    return hasRoom;
  }

  #isOver(more: number, limit: number): boolean {
    return this.#kept + this.#lent + more > limit;
  }

  #free(bytes: number): void {
    if (this.#freeing) return;
    const goal = this.#kept - bytes;
    this.#freeing = true;
    try {
      for (let before = Infinity; this.#kept > goal && this.#kept < before;) {
        before = this.#kept;
        for (const free of this.#frees) if (this.#kept > goal) free(this.#kept - goal);
      }
    } finally {
      this.#freeing = false;
    }
  }
}

/** Counts without a limit. */
export function unboundedMemory(): MemoryBudget {
  return new MemoryBudget({ limitBytes: Infinity });
}

/**
 * What the program holds, counted together: what is kept of events and attachments, and what is in flight. Whoever
 * reads a body, a message or a file says so before it takes the bytes, and waits, or refuses its sender, where there is
 * no room for them.
 *
 * @module
 */
import { MemoryFullError } from "../errors.ts";
import { Lease, type MemoryLease } from "./lease.ts";
import { ALONE_SHARE } from "./work.ts";

/** How long a sender is kept waiting for room, in milliseconds, before it is refused. */
export const ROOM_WAIT_MS = 10_000;

/** Who holds no more may fill memory to its end, so that a few senders of much do not shut out everybody. */
const SMALL_BYTES = 1024 * 1024;
/** The part of memory that senders of much may fill. */
const LARGE_SHARE = 3 / 4;
/** The part that what is kept need not give up for what is in flight. */
const KEPT_SHARE = 1 / 2;
/** The gauge is read again once so many bytes were taken. */
const MEASURE_BYTES = 4 * 1024 * 1024;
/** While somebody waits, it is looked again this often whether garbage was all that was in the way. */
const RETRY_MS = 250;
/** After so many looks, others are refused so that the sender that has waited longest gets its room. */
const MOST_LOOKS = 4;

/** What the platform says is in use, garbage included. */
export interface Gauge {
  /** Whether so many bytes more stay below `limitBytes`, once garbage was collected where that is needed. */
  hasRoom(bytes: number, limitBytes: number): boolean;
}

/** What one store keeps, as a total that it changes as it likes. */
export interface Holding {
  /** From now on so many bytes. What is new was in flight until now, if it is said in which lease. */
  set(bytes: number, from?: MemoryLease): void;
}

/** Where leases come from. */
export interface Memory {
  /** The limit over all, in bytes. */
  readonly limitBytes: number;
  /** A new lease, of no bytes. */
  lease(options?: LeaseOptions): MemoryLease;
}

/** What a lease is for. */
export interface LeaseOptions {
  /** A store keeps the bytes afterwards, so that they need room beside what it keeps already. */
  readonly stays?: boolean;
  /** Aborts when there is nobody left to wait for. */
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

/** Counts the bytes of the whole program against one limit. */
export class MemoryBudget implements Memory {
  readonly limitBytes: number;
  readonly #gauge: Gauge | undefined;
  readonly #waitMs: number;
  readonly #frees: ((bytes: number) => void)[] = [];
  /** In order of their leases: the oldest goes first. */
  #waiters: Waiter[] = [];
  #retry: ReturnType<typeof setInterval> | undefined;
  /** Who was the oldest at the last look, and how often in a row. */
  #oldest: Waiter | undefined;
  #looks = 0;
  #kept = 0;
  #lent = 0;
  #opened = 0;
  #moved = 0;
  /** Bytes taken since the gauge was read. */
  #unmeasured = 0;
  #freeing = false;

  constructor(
    { limitBytes, gauge, waitMs = ROOM_WAIT_MS }: {
      /** `Infinity` counts, and refuses nothing. */
      limitBytes: number;
      /** The count alone decides unless given. */
      gauge?: Gauge;
      waitMs?: number;
    },
  ) {
    this.limitBytes = limitBytes;
    this.#gauge = gauge;
    this.#waitMs = waitMs;
  }

  /** Bytes kept by stores. */
  get keptBytes(): number {
    return this.#kept;
  }

  /** Bytes in flight. */
  get lentBytes(): number {
    return this.#lent;
  }

  /** Bytes that were taken and given back since the start, both counted. */
  get movedBytes(): number {
    return this.#moved;
  }

  /** What a store keeps. `free` gives up what can be done without, about as many bytes as it is asked for. */
  holding(free?: (bytes: number) => void): Holding {
    if (free !== undefined) this.#frees.push(free);
    let held = 0;
    return {
      set: (bytes, from) => {
        const more = bytes - held;
        held = bytes;
        this.#kept += more;
        if (more > 0) this.#keptMore(more - this.#land(from, more));
        else if (more < 0) this.#gave(-more);
      },
    };
  }

  /** Whether a store may keep so many bytes more, once what can be given up was. */
  hasRoomFor(bytes: number): boolean {
    return this.#makeRoom(bytes, this.limitBytes);
  }

  /** The error of a refusal of so many bytes. */
  full(bytes: number): MemoryFullError {
    return new MemoryFullError(
      `Cannot take ${bytes} more bytes for now: the program holds as much as [storage] ` +
        `memory_limit allows (${this.limitBytes}); try again later`,
    );
  }

  lease({ stays = false, gone }: LeaseOptions = {}): MemoryLease {
    return new Lease(this, { age: this.#opened++, stays, gone });
  }

  /** For leases: so many bytes more, or false. */
  lend(lease: Lease, more: number): boolean {
    const isSmall = lease.bytes + more <= SMALL_BYTES;
    // Whoever waits for much, and came before, goes first.
    const isNext = isSmall || !this.#waiters.some(({ lease: { age } }) => age < lease.age);
    return isNext && this.#lendNow(lease, more);
  }

  /** For leases: so many bytes are given back. */
  takeBack(bytes: number): void {
    this.#lent -= bytes;
    if (bytes > 0) this.#gave(bytes);
  }

  /** For leases: resolves once so many bytes more are lent. */
  wait(lease: Lease, more: number): Promise<void> {
    const isAlone = this.#lent === lease.bytes;
    if (lease.gone?.aborted) return Promise.reject(this.full(more));
    if (lease.stays && isAlone && this.#isOver(more, this.#limitOf({ lease, more }))) {
      // Stores alone are in the way, and none of them gives up any more.
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

  /** For leases: this one waits no longer. */
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
    this.#turnYoungestAway(this.#kept + this.#lent + oldest.more - this.#limitOf(oldest));
  }

  /** Where all that is in flight waits for room, nobody would ever make any: the youngest makes way. */
  #resolveDeadlock(): void {
    const waiting = this.#waiters.reduce((sum, { lease }) => sum + lease.bytes, 0);
    if (waiting > 0 && waiting === this.#lent) this.#turnYoungestAway(1);
  }

  /** So many of the youngest that they hold so many bytes, but never the oldest. */
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
    for (const waiter of this.#waiters) {
      const { lease, more } = waiter;
      const isFirst = waiter === this.#waiters[0];
      if (!(isFirst || lease.bytes + more <= SMALL_BYTES)) continue;
      if (!this.#lendNow(lease, more)) continue;
      this.#remove(waiter);
      waiter.resolve();
    }
  }

  /** How much of what a store keeps now was in flight in that lease: it counts once. */
  #land(from: MemoryLease | undefined, more: number): number {
    if (!(from instanceof Lease)) return 0;
    const landed = Math.min(from.bytes, more);
    from.bytes -= landed;
    this.#lent -= landed;
    return landed;
  }

  /** What a store keeps is there already: others make room for it. */
  #keptMore(more: number): void {
    this.#moved += more;
    this.#unmeasured += more;
    const isOver = this.#kept + this.#lent > this.limitBytes;
    if (isOver || this.#unmeasured > MEASURE_BYTES) this.#makeRoom(0, this.limitBytes);
  }

  #makeRoom(more: number, limit: number): boolean {
    if (this.#isOver(more, limit)) {
      const missing = this.#kept + this.#lent + more - limit;
      this.#free(Math.min(missing, this.#kept - this.limitBytes * KEPT_SHARE));
      if (this.#isOver(more, limit)) return false;
    }
    if (this.#gauge === undefined || this.#unmeasured + more < MEASURE_BYTES) return true;
    const hasRoom = this.#gauge.hasRoom(more, limit);
    // Where there is none, it is read again for the next.
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

/** Counts without a limit, for whoever works alone. */
export function unboundedMemory(): MemoryBudget {
  return new MemoryBudget({ limitBytes: Infinity });
}

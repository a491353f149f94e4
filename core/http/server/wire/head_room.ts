import { MemoryFullError } from "../../../errors.ts";
import type { Memory } from "../../../memory/budget.ts";
import type { MemoryLease } from "../../../memory/lease.ts";

/** The part of memory that long request heads may fill. */
const HEAD_SHARE = 1 / 16;

/**
 * Memory that long request heads share over all listeners. Most heads fit into the first buffer of their connection; a
 * client that sends long ones on many connections and never ends them must not fill memory with them.
 */
export class HeadRoom {
  /** Budget of the heads. */
  readonly memory: Memory;
  readonly #limitBytes: number;
  readonly #lease: MemoryLease;

  constructor(memory: Memory) {
    this.memory = memory;
    this.#limitBytes = memory.limitBytes * HEAD_SHARE;
    this.#lease = memory.lease();
  }

  /** Reserves bytes; false if there are too few. */
  take(bytes: number): boolean {
    if (this.#lease.bytes + bytes > this.#limitBytes) return false;
    try {
      this.#lease.take(bytes);
      return true;
    } catch (error) {
      if (error instanceof MemoryFullError) return false;
      throw error;
    }
  }

  /** Returns this many bytes. */
  give(bytes: number): void {
    this.#lease.give(bytes);
  }
}

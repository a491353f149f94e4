import { MemoryFullError } from "../errors.ts";
import type { Memory } from "./budget.ts";
import type { MemoryLease } from "./lease.ts";

/**
 * Bytes of a connection of SMTP or FTP over TLS whose client sends much and reads nothing, on both sides of the TLS
 * server: measured.
 */
export const UPGRADED_BYTES = 524_288;

/** Reserves memory for such a connection, which disposes of it at the end. Returns the refusal if there is none. */
export async function reserveUpgrade(memory: Memory): Promise<MemoryLease | MemoryFullError> {
  const lease = memory.lease();
  try {
    await lease.cover(UPGRADED_BYTES);
    return lease;
  } catch (error) {
    lease[Symbol.dispose]();
    if (error instanceof MemoryFullError) return error;
    throw error;
  }
}

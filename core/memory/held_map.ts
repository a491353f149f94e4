import { unboundedMemory } from "./budget.ts";
import type { Holding, Memory } from "./budget.ts";
import { bytesOf } from "./size.ts";

/** Bytes of an entry besides its key and its value. */
const ENTRY_BYTES = 100;
/** The part of the memory limit that one map may take. */
const SHARE = 1 / 16;

/** Limits of a {@link HeldMap}. */
export interface HeldMapOptions<V> {
  /** Maximum number of entries; the oldest are dropped first. */
  readonly maxEntries: number;
  /** Maximum number of bytes; by default a sixteenth of `memory_limit`. */
  readonly maxBytes?: number;
  /** Called with the key and value of each entry that is dropped to make room. */
  readonly onDrop?: (key: string, value: V) => void;
}

/**
 * Dispensable state between calls: values by key, in insertion order. Limited in entries and bytes,
 * and counted in `memory_limit`; the oldest are dropped first, also when others need memory.
 */
export class HeldMap<V> {
  readonly #entries = new Map<string, { readonly value: V; readonly bytes: number }>();
  readonly #holding: Holding;
  readonly #maxEntries: number;
  readonly #maxBytes: number;
  readonly #onDrop: ((key: string, value: V) => void) | undefined;
  #bytes = 0;

  /** Counts its bytes in `memory`, if given. */
  constructor(
    { maxEntries, maxBytes, onDrop }: HeldMapOptions<V>,
    memory: Pick<Memory, "holding" | "limitBytes"> = unboundedMemory(),
  ) {
    this.#maxEntries = maxEntries;
    this.#maxBytes = maxBytes ?? memory.limitBytes * SHARE;
    this.#onDrop = onDrop;
    this.#holding = memory.holding((bytes) => this.#free(bytes));
  }

  /** Number of entries. */
  get size(): number {
    return this.#entries.size;
  }

  get(key: string): V | undefined {
    return this.#entries.get(key)?.value;
  }

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  keys(): readonly string[] {
    return [...this.#entries.keys()];
  }

  values(): readonly V[] {
    return Array.from(this.#entries.values(), ({ value }) => value);
  }

  /**
   * Adds or replaces a value, and drops the oldest to make room. A value larger than the limit is
   * not kept.
   */
  set(key: string, value: V): void {
    const bytes = ENTRY_BYTES + bytesOf(key) + bytesOf(value);
    if (bytes > this.#maxBytes) {
      this.delete(key);
      this.#onDrop?.(key, value);
      return;
    }
    this.#bytes += bytes - (this.#entries.get(key)?.bytes ?? 0);
    this.#entries.set(key, { value, bytes });
    this.#free(0);
  }

  /** Deletes an entry. Returns whether it existed. */
  delete(key: string): boolean {
    const entry = this.#entries.get(key);
    if (entry === undefined) return false;
    this.#entries.delete(key);
    this.#bytes -= entry.bytes;
    this.#holding.set(this.#bytes);
    return true;
  }

  clear(): void {
    this.#entries.clear();
    this.#bytes = 0;
    this.#holding.set(0);
  }

  /** Drops the oldest entries to free this many bytes, and those beyond the limits. */
  #free(bytes: number): void {
    const goal = this.#bytes - bytes;
    const isOver = () =>
      this.#entries.size > this.#maxEntries || this.#bytes > Math.min(goal, this.#maxBytes);
    while (this.#entries.size > 0 && isOver()) this.#drop();
    this.#holding.set(this.#bytes);
  }

  #drop(): void {
    const [[key, { value, bytes }]] = this.#entries as unknown as [
      [string, { value: V; bytes: number }],
    ];
    this.#entries.delete(key);
    this.#bytes -= bytes;
    this.#onDrop?.(key, value);
  }
}

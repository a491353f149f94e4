import { unboundedMemory } from "./budget.ts";
import type { Holding, Memory } from "./budget.ts";
import { bytesOf } from "./size.ts";

/** Bytes of an entry besides its key and its value. */
const ENTRY_BYTES = 100;
/** The part of the memory limit that one map may take. */
const SHARE = 1 / 16;

/** Bounds of a {@link HeldMap}. */
export interface HeldMapOptions<V> {
  /** Most entries; the oldest go first. */
  readonly maxEntries: number;
  /** Most bytes; by default a sixteenth of `memory_limit`. */
  readonly maxBytes?: number;
  /** Called with the key and the value of each entry that goes to make room. */
  readonly onDrop?: (key: string, value: V) => void;
}

/**
 * State between calls that a provider can do without: values by key, in the order of their first setting. Bounded in
 * entries and bytes, and counted in `memory_limit`; the oldest go first, also when others need the room.
 */
export class HeldMap<V> {
  readonly #entries = new Map<string, { readonly value: V; readonly bytes: number }>();
  readonly #holding: Holding;
  readonly #maxEntries: number;
  readonly #maxBytes: number;
  readonly #onDrop: ((key: string, value: V) => void) | undefined;
  #bytes = 0;

  /** Counts in `memory`, by default nowhere. */
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

  /** Adds or replaces a value; the oldest make room. One that is larger than all room is not kept. */
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

  /** Returns whether it was there. */
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

  /** Drops the oldest for this many bytes, and beyond the bounds. */
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

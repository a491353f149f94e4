import { checkOptions } from "../options/suggest.ts";
import type { HeaderPairs } from "./event.ts";
import { type Holding, type MemoryBudget, unboundedMemory } from "../memory/budget.ts";
import type { Tally } from "./tally.ts";

/** A rejected request or conversation, which made no event. */
export interface RejectedRecord {
  /** Sorts by time. */
  readonly id: string;
  /** Time of the refusal. */
  readonly time: Date;
  /** Sender's address as `host:port`; empty if unknown. */
  readonly peer: string;
  /** Provider it was sent to, if known. */
  readonly provider?: string;
  /** HTTP method. */
  readonly method?: string;
  /** Request target as sent. */
  readonly path?: string;
  /** HTTP status of the response. */
  readonly status?: number;
  /** Reason in one sentence. */
  readonly reason: string;
  /** Header fields of the request. */
  readonly headers?: HeaderPairs;
  /** As received, cut at 64 KiB. */
  readonly raw: Uint8Array;
}

/** A record without id and time, which the journal adds. */
export type NewRejected = Omit<RejectedRecord, "id" | "time">;

/** Filters of records; all given ones must match. */
export interface RejectedFilter {
  /** Records of this provider. */
  readonly provider?: string;
  /** Records after this moment. */
  readonly since?: Date;
  /** Maximum number of records; 0 means all. */
  readonly limit?: number;
}

/** Bytes kept of a rejected request. */
const RAW_LIMIT = 65_536;
/** Cost of a record besides those, in bytes: an estimate. */
const OVERHEAD = 2048;

/** Names in a filter. An unknown one would select every record. */
const FILTERS: readonly (keyof RejectedFilter)[] = ["provider", "since", "limit"];

/** Keeps the newest rejected and unmatched requests. */
export class RejectedJournal {
  #records: RejectedRecord[] = [];
  readonly #listeners = new Set<() => void>();
  readonly #capacity: number;
  readonly #nextId: () => string;
  readonly #now: () => Date;
  readonly #tally: Tally | undefined;
  readonly #onAdd: ((record: RejectedRecord) => void) | undefined;
  readonly #peerOf: (address: string) => string;
  readonly #memory: Holding;
  #bytes = 0;

  /** Keeps `capacity` records, and counts all records in `tally`. */
  constructor(
    options: {
      capacity: number;
      nextId: () => string;
      now: () => Date;
      tally?: Tally;
      /** Called with each record that is added. */
      onAdd?: (record: RejectedRecord) => void;
      /** Returns the part of the sender's address to keep; all of it by default. */
      peerOf?: (address: string) => string;
      /** Budget that counts the records. */
      memory?: MemoryBudget;
    },
  ) {
    this.#tally = options.tally;
    this.#memory = (options.memory ?? unboundedMemory()).holding();
    this.#onAdd = options.onAdd;
    this.#peerOf = options.peerOf ?? ((address) => address);
    this.#capacity = options.capacity;
    this.#nextId = options.nextId;
    this.#now = options.now;
  }

  /** Number of records held. */
  get count(): number {
    return this.#records.length;
  }

  /** Adds a refusal; drops the oldest record if there are too many. */
  add(record: NewRejected): RejectedRecord {
    // A copy: the caller's bytes may be a view of a much larger buffer.
    const raw = record.raw.slice(0, RAW_LIMIT);
    this.#tally?.refuse(record.provider ?? "");
    const kept: RejectedRecord = {
      ...record,
      peer: this.#peerOf(record.peer),
      raw,
      id: this.#nextId(),
      time: this.#now(),
    };
    this.#records.push(kept);
    this.#count(OVERHEAD + raw.length);
    if (this.#records.length > this.#capacity) {
      this.#count(-OVERHEAD - (this.#records.shift()?.raw.length ?? 0));
    }
    this.#tell();
    this.#onAdd?.(kept);
    return kept;
  }

  /** Lists records, newest first. */
  list(filter: RejectedFilter = {}): RejectedRecord[] {
    checkOptions("Cannot list rejected requests", filter, FILTERS);
    const found: RejectedRecord[] = [];
    for (let i = this.#records.length - 1; i >= 0; i--) {
      const record = this.#records[i]!;
      if (filter.provider !== undefined && record.provider !== filter.provider) continue;
      if (filter.since !== undefined && record.time <= filter.since) continue;
      found.push(record);
      if (filter.limit && found.length === filter.limit) break;
    }
    return found;
  }

  /** Returns `undefined` if unknown or no longer held. */
  get(id: string): RejectedRecord | undefined {
    return this.#records.find((record) => record.id === id);
  }

  /** Drops the records that `list` returns for the same filter; all by default. */
  clear(filter: Omit<RejectedFilter, "limit"> = {}): void {
    checkOptions("Cannot clear rejected requests", filter, FILTERS.slice(0, 2));
    const gone = new Set(this.list(filter));
    this.#records = this.#records.filter((record) => !gone.has(record));
    for (const { raw } of gone) this.#bytes -= OVERHEAD + raw.length;
    this.#memory.set(this.#bytes);
    this.#tell();
  }

  /** Calls `listener` after each change, until the returned function is called. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Drops records one by one, so that the budget counts each as garbage. */
  #count(bytes: number): void {
    this.#bytes += bytes;
    this.#memory.set(this.#bytes);
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

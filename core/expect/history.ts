/** The expectations that ran, with their results: for reports. */
import { compact } from "../compact.ts";
import { pluginOf } from "../http/filters.ts";
import { createIds, type NextId, randomBits } from "../ids.ts";
import { type Holding, type MemoryBudget, unboundedMemory } from "../memory/budget.ts";
import { bytesOf } from "../memory/size.ts";
import type { Verdict } from "./expect.ts";
import { isTable } from "./pattern.ts";

/** An expectation that ran, and its result. All of it is valid JSON. */
export interface ExpectationRecord {
  /** Sorts by time. */
  readonly id: string;
  /** When it began, RFC 3339. */
  readonly started_at: string;
  /** Until it was decided, in milliseconds. */
  readonly duration_ms: number;
  /** Name that its author gave it. */
  readonly name?: string;
  /** As asked; absent if its JSON is too long to keep. */
  readonly expectation?: unknown;
  /** Whether it was met. */
  readonly met: boolean;
  /** Number of matching events, or of steps met. */
  readonly count: number;
  /** Ids of the first matching events. */
  readonly events: readonly string[];
  /** What went wrong, shortened. */
  readonly error?: string;
}

/** Filters of records; all given ones must match. */
export interface HistoryFilter {
  /** Records of expectations of this namespace. */
  readonly namespace?: string | undefined;
  /** Records of expectations of this plugin or its event types. */
  readonly plugin?: string | undefined;
  /** Records with this result. */
  readonly met?: boolean | undefined;
}

/** Maximum number of records kept; the oldest go first. */
const MAX_RECORDS = 2000;
/** Maximum memory of all records, in bytes. */
const MAX_BYTES = 16 * 1024 * 1024;
/** Longest expectation kept, in characters of its JSON. */
const MAX_EXPECTATION = 16_384;
/** Longest error kept, in characters. */
const MAX_ERROR = 8192;
/** Maximum number of event ids kept. */
const MAX_EVENTS = 100;
interface Kept {
  readonly record: ExpectationRecord;
  readonly bytes: number;
}

/** Keeps the newest expectations that ran. */
export class ExpectationHistory {
  readonly #nextId: NextId;
  readonly #now: () => Date;
  readonly #memory: Holding;
  #kept: Kept[] = [];
  #bytes = 0;

  /** Counts the records in the budget. */
  constructor(
    { now, memory = unboundedMemory() }: { now: () => Date; memory?: MemoryBudget },
  ) {
    // Separate from those of events: in a repeatable run, event ids must not depend on what was expected.
    this.#nextId = createIds({ nowMs: () => now().getTime(), random: randomBits() });
    this.#now = now;
    this.#memory = memory.holding();
  }

  /** Runs an expectation and records its result. One that is refused, or interrupted, leaves no record. */
  async record(expectation: unknown, run: () => Promise<Verdict>): Promise<Verdict> {
    const startedAt = this.#now();
    const startMs = performance.now();
    const verdict = await run();
    const { name, ...rest } = isTable(expectation) ? expectation : {};
    this.#add({
      id: this.#nextId(),
      started_at: startedAt.toISOString(),
      duration_ms: Math.round(performance.now() - startMs),
      ...compact({
        name: typeof name === "string" ? name : undefined,
        expectation: shortEnough(rest),
        error: verdict.message?.slice(0, MAX_ERROR),
      }),
      met: verdict.met,
      count: verdict.count,
      events: verdict.events.slice(0, MAX_EVENTS).map(({ id }) => id),
    });
    this.#evict();
    return verdict;
  }

  /** Adds records of another instance, except those already held. */
  restore(records: readonly ExpectationRecord[]): void {
    const held = new Set(this.#kept.map(({ record }) => record.id));
    for (const record of fitting(records)) {
      if (held.has(record.id)) continue;
      held.add(record.id);
      this.#add(record);
    }
    // Sorted, so that the first ones are the oldest.
    this.#kept.sort((a, b) => a.record.id < b.record.id ? -1 : 1);
    this.#evict();
  }

  /** Returns the records, oldest first. */
  list(filter: HistoryFilter = {}): readonly ExpectationRecord[] {
    return this.#kept.map(({ record }) => record).filter((record) => isOf(record, filter));
  }

  /** Forgets the records that `list` returns for the same filter. */
  clear(filter: HistoryFilter = {}): void {
    const gone = (kept: Kept): boolean => isOf(kept.record, filter);
    for (const { bytes } of this.#kept.filter(gone)) this.#bytes -= bytes;
    this.#kept = this.#kept.filter((kept) => !gone(kept));
    this.#memory.set(this.#bytes);
  }

  #add(record: ExpectationRecord): void {
    // A list is many times its two characters.
    const bytes = bytesOf(record);
    this.#kept.push({ record, bytes });
    this.#bytes += bytes;
  }

  #evict(): void {
    while (this.#kept.length > MAX_RECORDS || this.#bytes > MAX_BYTES) {
      this.#bytes -= this.#kept.shift()?.bytes ?? 0;
    }
    this.#memory.set(this.#bytes);
  }
}

/** Returns the last records of a bundle, cut as the records of an instance are. */
export function fitting(records: readonly ExpectationRecord[]): readonly ExpectationRecord[] {
  return records.slice(-MAX_RECORDS).map(({ expectation, error, events, ...record }) => ({
    ...record,
    ...compact({ expectation: shortEnough(expectation), error: error?.slice(0, MAX_ERROR) }),
    events: events.slice(0, MAX_EVENTS),
  }));
}

/** Returns a copy; nothing for one that is too long, or no JSON, which a program can pass. */
function shortEnough(expectation: unknown): unknown {
  try {
    const text = JSON.stringify(expectation);
    return text.length > MAX_EXPECTATION ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns whether a record matches a filter. */
export function isOf(
  { expectation, met }: ExpectationRecord,
  filter: HistoryFilter,
): boolean {
  const asked = isTable(expectation) ? expectation : {};
  return (filter.met === undefined || met === filter.met) &&
    (filter.namespace === undefined || asked.namespace === filter.namespace) &&
    (filter.plugin === undefined || pluginOf(asked) === filter.plugin);
}

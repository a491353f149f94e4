import type { Clock } from "../clock.ts";
import { compact } from "../compact.ts";
import type { NextId } from "../ids.ts";
import type {
  CapturedEvent,
  EventFilter,
  EventStore,
  NewEvent,
  Page,
  StreamItem,
} from "./event.ts";
import { type Holding, type MemoryBudget, unboundedMemory } from "../memory/budget.ts";
import { type EventLog, type LogRecord, MemoryLog } from "./log.ts";
import { matcherOf, matches } from "./query.ts";
import { Ring } from "./ring.ts";
import { Feed } from "./feed.ts";
import { Subscription } from "./subscription.ts";
import { toSummary } from "./summary.ts";
import { Tally } from "./tally.ts";

/** How many events, and how many bytes of raw requests, each plugin holds. */
export interface StoreLimits {
  capacityOf(plugin: string): number;
  readonly maxRawBytes: number;
  /** Milliseconds after which an event goes; never unless given. */
  readonly maxAgeMs?: number;
}

/** What the store tells others about blobs that events name. */
export interface BlobNames {
  release(id: string): void;
}

const EMPTY: Readonly<Record<string, unknown>> = Object.freeze({});
const NO_BLOBS: readonly string[] = Object.freeze([]);

/**
 * The view of the log that is in memory. One ring per plugin, so that a flood of one kind never evicts another; listed
 * together, newest first.
 */
export class MemoryEventStore implements EventStore {
  /** What was captured and dropped since the start. */
  readonly tally = new Tally();
  readonly #rings = new Map<string, Ring>();
  /** `seq` of each event held: it finds the event in its ring. */
  readonly #byId = new Map<string, number>();
  readonly #feed = new Feed();
  readonly #watchers = new Set<(item: StreamItem) => void>();
  readonly #limits: StoreLimits;
  readonly #clock: Clock;
  readonly #nextId: NextId;
  readonly #blobs: BlobNames;
  readonly #onOversize: (plugin: string, why: "bytes" | "memory") => void;
  readonly #onCapture: ((event: CapturedEvent) => void) | undefined;
  readonly #amend: ((event: NewEvent) => NewEvent) | undefined;
  readonly #namespaceOf: (event: NewEvent) => string | undefined;
  readonly #memory: Holding;
  /** Captures for which the log has not decided yet. */
  readonly #unsettled = new WeakMap<CapturedEvent, Promise<void>>();
  /** The last promise of the log whose rejection is seen to: it has one for all that it writes together. */
  #awaited: Promise<void> | undefined;
  #log: EventLog = new MemoryLog();
  #seq = 0;
  #lastMs = 0;

  constructor(options: {
    limits: StoreLimits;
    clock: Clock;
    nextId: NextId;
    blobs: BlobNames;
    /** Called when an event goes because of its plugin's bytes, or those of all together. */
    onOversize: (plugin: string, why: "bytes" | "memory") => void;
    /** Called with each event that is added. */
    onCapture?: (event: CapturedEvent) => void;
    /** What the events are counted in; the oldest of the plugin that holds most go when others need room. */
    memory?: MemoryBudget;
    /** Says to which namespace an event belongs; none has one unless given. */
    namespaceOf?: (event: NewEvent) => string | undefined;
    /** Has the last word on what is kept; as handed over unless given. */
    amend?: (event: NewEvent) => NewEvent;
  }) {
    this.#limits = options.limits;
    this.#clock = options.clock;
    this.#nextId = options.nextId;
    this.#blobs = options.blobs;
    this.#onOversize = options.onOversize;
    this.#onCapture = options.onCapture;
    this.#amend = options.amend;
    this.#namespaceOf = options.namespaceOf ?? (() => undefined);
    this.#memory = (options.memory ?? unboundedMemory()).holding((bytes) => this.#free(bytes));
    this.#log.follow((record) => this.#apply(record));
  }

  /** Holds what a log has, and keeps what is captured from now on in it. Nothing may have been captured yet. */
  follow(log: EventLog): Promise<void> | undefined {
    this.#log = log;
    return log.follow((record) => this.#apply(record));
  }

  add<P>(plugin: string, provider: string, given: NewEvent<P>): CapturedEvent<P> {
    const event = this.#amend === undefined ? given : this.#amend(given) as NewEvent<P>;
    // A clock that steps back must not put a later event behind an earlier one in a list by time.
    const nowMs = this.#clock.now().getTime();
    this.#lastMs = Math.max(this.#lastMs, nowMs);
    const id = this.#nextId();
    const namespace = this.#namespaceOf(event);
    this.expire();
    const plain: CapturedEvent<P> = {
      id,
      seq: ++this.#seq,
      plugin,
      provider: event.provider ?? provider,
      type: event.type,
      received_at: new Date(this.#lastMs),
      summary: toSummary(event.summary),
      summary_parts: { ...event.summary_parts },
      meta: metaOf(event, id),
      payload: event.payload,
      raw: event.raw,
      blobs: event.blobs ?? NO_BLOBS,
    };
    // Copies, as all that an event keeps should be: docs/decisions/0019.
    const added = namespace === undefined ? { ...plain } : { ...plain, namespace };
    const kept = this.#log.append({ kind: "captured", event: added, ms: nowMs });
    if (kept !== undefined) {
      this.#unsettled.set(added, kept);
      this.#await([added], kept);
    }
    return added;
  }

  settled(event?: CapturedEvent): Promise<void> | undefined {
    return event === undefined ? this.#log.last() : this.#unsettled.get(event);
  }

  get(id: string): CapturedEvent | undefined {
    this.expire();
    return this.#find(id);
  }

  list(filter: EventFilter, page: Page = {}): CapturedEvent[] {
    this.expire();
    const found: CapturedEvent[] = [];
    const limit = page.limit || Infinity;
    let skip = page.offset ?? 0;
    const fits = matcherOf(filter);
    for (const event of this.#newestFirst(filter.plugin)) {
      if (!fits(event) || page.match?.(event) === false) continue;
      if (skip-- > 0) continue;
      found.push(event);
      if (found.length >= limit) break;
    }
    return found;
  }

  count(plugin?: string): number {
    this.expire();
    return plugin === undefined ? this.#byId.size : this.#rings.get(plugin)?.count ?? 0;
  }

  delete(id: string): boolean {
    const event = this.#find(id);
    if (event === undefined) return false;
    this.#rings.get(event.plugin)?.delete(event);
    this.#forget(event);
    this.#count();
    this.#tell(toDeleted(event));
    this.#write();
    return true;
  }

  deleteAll(events: readonly CapturedEvent[]): number {
    const wanted = new Set(events);
    const plugins = new Set(events.map(({ plugin }) => plugin));
    const gone = [...plugins].flatMap((plugin) =>
      this.#rings.get(plugin)?.take((event) => wanted.has(event)) ?? []
    );
    for (const event of gone) this.#forget(event);
    this.#count();
    for (const event of gone) this.#tell(toDeleted(event));
    this.#write();
    return gone.length;
  }

  clear(plugin?: string, { namespace }: { namespace?: string | undefined } = {}): number {
    const rings = plugin === undefined ? [...this.#rings.values()] : [this.#rings.get(plugin)];
    let gone = 0;
    for (const ring of rings) {
      const taken = namespace === undefined
        ? ring?.clear()
        : ring?.take((event) => event.namespace === namespace);
      for (const event of taken ?? []) {
        this.#forget(event);
        gone++;
      }
    }
    this.#count();
    this.#tell({
      kind: "cleared",
      ...compact({ plugin, namespace }),
    });
    this.#write();
    return gone;
  }

  namespaces(): ReadonlyMap<string, number> {
    this.expire();
    const counts = new Map<string, number>();
    for (const { namespace } of this.#newestFirst(undefined)) {
      if (namespace !== undefined) counts.set(namespace, (counts.get(namespace) ?? 0) + 1);
    }
    return new Map([...counts].sort(([a], [b]) => a < b ? -1 : 1));
  }

  subscribe(
    filter: EventFilter,
    options: { signal: AbortSignal; after?: string },
  ): Subscription {
    const onAbort = () => reader.end();
    const reader = new Subscription(this.#feed, {
      key: JSON.stringify(filter),
      replay: options.after === undefined ? [] : this.#after(options.after, filter),
      wants: (item) => wanted(item, filter),
      onEnd: () => {
        options.signal.removeEventListener("abort", onAbort);
      },
    });
    if (options.signal.aborted) reader.end();
    else options.signal.addEventListener("abort", onAbort);
    return reader;
  }

  /**
   * Inserts events that were captured elsewhere, in order of ids. Events already held do not change. Returns how many of
   * the others are held afterwards, as the oldest go when there are too many. Readers get a gap, because the new events
   * are older than what they have. Rejects with `LogWriteError`.
   */
  restore(events: readonly Omit<CapturedEvent, "seq">[]): number | Promise<number> {
    const fresh = events.filter(({ id }) => !this.#byId.has(id));
    const held = () => fresh.filter(({ id }) => this.#byId.has(id)).length;
    const kept = this.#log.append({ kind: "restored", events: fresh });
    if (kept === undefined) return held();
    this.#await(fresh, kept);
    return kept.then(held);
  }

  /** Lets go of what is older than the limits allow: a look at the oldest event of each plugin. */
  expire(): void {
    const { maxAgeMs } = this.#limits;
    if (maxAgeMs === undefined) return;
    const before = this.#clock.now().getTime() - maxAgeMs;
    for (const ring of this.#rings.values()) ring.evictBefore(before);
    this.#count();
  }

  /** Whether the log takes what is captured. */
  get writable(): boolean {
    return this.#log.writable;
  }

  get watchers(): number {
    return this.#watchers.size;
  }

  watch(listener: (item: StreamItem) => void): () => void {
    this.#watchers.add(listener);
    return () => void this.#watchers.delete(listener);
  }

  /** What is captured, kept or taken in is held from here on. */
  #apply(record: LogRecord): void {
    if (record.kind === "restored") return this.#place(record.events);
    const { event, ms } = record;
    this.#byId.set(event.id, event.seq);
    this.#ring(event.plugin).add(event, ms);
    this.#count();
    this.tally.capture(event.plugin, event.provider, event.type);
    if (this.#isFollowed) this.#tell({ kind: "captured", event });
    this.#onCapture?.(event);
  }

  #place(events: readonly Omit<CapturedEvent, "seq">[]): void {
    const [newest] = this.list({}, { limit: 1 });
    const isBehind = newest !== undefined && events.some(({ id }) => id <= newest.id);
    const held = isBehind ? [...this.#newestFirst(undefined)] : [];
    for (const ring of isBehind ? this.#rings.values() : []) ring.clear();
    for (const event of [...held, ...events].sort((a, b) => a.id < b.id ? -1 : 1)) {
      const placed = { ...event, seq: ++this.#seq };
      this.#lastMs = Math.max(this.#lastMs, placed.received_at.getTime());
      this.#byId.set(placed.id, placed.seq);
      this.#ring(placed.plugin).add(placed);
    }
    this.#count();
    this.expire();
    if (!this.#isFollowed) return;
    for (const { id } of this.#watchers.size > 0 ? events : []) {
      const event = this.#find(id);
      if (event === undefined) continue;
      for (const watcher of this.#watchers) watcher({ kind: "captured", event });
    }
    this.#feed.push({ kind: "gap" });
  }

  /** What the log refuses leaves nothing behind. */
  #await(events: readonly Pick<CapturedEvent, "blobs">[], kept: Promise<void>): void {
    if (kept === this.#awaited && events.every(({ blobs }) => blobs.length === 0)) return;
    this.#awaited = kept;
    kept.catch(() => {
      for (const { blobs } of events) for (const id of blobs) this.#blobs.release(id);
    });
  }

  /** What was deleted goes from the log as well, at once. Whoever wants to know whether it did awaits `settled`. */
  #write(): void {
    this.#log.last()?.catch(() => {});
  }

  /** What was captured after the event `after`; begins with a gap when that one is not held any more. */
  #after(after: string, filter: EventFilter): StreamItem[] {
    const newer: StreamItem[] = [];
    const fits = matcherOf(filter);
    for (const event of this.#newestFirst(filter.plugin)) {
      if (event.id <= after) break; // ids sort by time
      if (fits(event)) newer.push({ kind: "captured", event });
    }
    if (!this.#byId.has(after)) newer.push({ kind: "gap" });
    return newer.reverse();
  }

  *#newestFirst(plugin: string | undefined): Generator<CapturedEvent> {
    const rings = plugin === undefined ? [...this.#rings.values()] : [this.#rings.get(plugin)];
    const cursors = rings.filter((ring) => ring !== undefined).map((ring) => ({
      ring,
      index: ring.count - 1,
    }));
    while (true) {
      let newest: { ring: Ring; index: number } | undefined;
      let best: CapturedEvent | undefined;
      for (const cursor of cursors) {
        const event = cursor.index < 0 ? undefined : cursor.ring.at(cursor.index);
        if (event !== undefined && (best === undefined || event.seq > best.seq)) {
          best = event;
          newest = cursor;
        }
      }
      if (best === undefined || newest === undefined) return;
      newest.index--;
      yield best;
    }
  }

  #ring(plugin: string): Ring {
    let ring = this.#rings.get(plugin);
    if (ring === undefined) {
      ring = new Ring({
        capacity: this.#limits.capacityOf(plugin),
        maxBytes: this.#limits.maxRawBytes,
        onEvict: (event, why) => {
          this.#forget(event);
          this.tally.drop(plugin, why);
          if (why === "bytes" || why === "memory") this.#onOversize(plugin, why);
        },
      });
      this.#rings.set(plugin, ring);
    }
    return ring;
  }

  #find(id: string): CapturedEvent | undefined {
    const seq = this.#byId.get(id);
    if (seq === undefined) return undefined;
    for (const ring of this.#rings.values()) {
      const event = ring.find(seq);
      if (event !== undefined) return event;
    }
    return undefined;
  }

  #forget(event: CapturedEvent): void {
    this.#byId.delete(event.id);
    this.#log.trim(event);
    for (const id of event.blobs) this.#blobs.release(id);
  }

  /** Says what the events take by now. */
  #count(): void {
    let bytes = 0;
    for (const ring of this.#rings.values()) bytes += ring.memoryBytes;
    this.#memory.set(bytes);
  }

  /** The plugin that holds most gives first, so that a flood of one kind does not push out the others. */
  #free(bytes: number): void {
    const rings = [...this.#rings.values()].filter(({ count }) => count > 1);
    for (let left = bytes; left > 0 && rings.length > 0;) {
      const most = rings.reduce((a, b) => b.memoryBytes > a.memoryBytes ? b : a);
      const before = most.memoryBytes;
      most.evictOldest();
      left -= before - most.memoryBytes;
      if (most.count === 1) rings.splice(rings.indexOf(most), 1);
    }
    this.#count();
  }

  get #isFollowed(): boolean {
    return this.#feed.followed || this.#watchers.size > 0;
  }

  #tell(item: StreamItem): void {
    this.#feed.push(item);
    for (const watcher of this.#watchers) watcher(item);
  }
}

function toDeleted({ id, plugin, namespace }: CapturedEvent): StreamItem {
  return { kind: "deleted", id, plugin, ...compact({ namespace }) };
}

function metaOf(event: NewEvent, id: string): CapturedEvent["meta"] {
  const { meta = EMPTY, metaFromId } = event;
  return metaFromId === undefined ? meta : { ...meta, ...metaFromId(id) };
}

function wanted(item: StreamItem, filter: EventFilter): boolean {
  switch (item.kind) {
    case "captured":
      return matches(item.event, filter);
    case "deleted":
      return (filter.plugin === undefined || item.plugin === filter.plugin) &&
        (filter.namespace === undefined || item.namespace === filter.namespace);
    case "cleared":
      return concerns(filter.plugin, item.plugin) && concerns(filter.namespace, item.namespace);
    case "gap":
      return true;
  }
}

/** Whether what was cleared, all unless it is named, is among what is wanted. */
function concerns(wanted: string | undefined, cleared: string | undefined): boolean {
  return wanted === undefined || cleared === undefined || cleared === wanted;
}

import type { Clock } from "../clock.ts";
import { compact } from "../compact.ts";
import type { NextId } from "../ids.ts";
import { checkOptions } from "../options/suggest.ts";
import type {
  CapturedEvent,
  EventFilter,
  EventStore,
  NewEvent,
  Page,
  StreamItem,
} from "./event.ts";
import { type Holding, type MemoryBudget, unboundedMemory } from "../memory/budget.ts";
import { type EventLog, type LogRecord, MemoryLog, type Placeless } from "./log.ts";
import { checkList, matcherOf, wanted } from "./query.ts";
import { Evictions } from "./evictions.ts";
import { Ring } from "./ring.ts";
import { Feed } from "./feed.ts";
import { IdIndex } from "./id_index.ts";
import { Subscription } from "./subscription.ts";
import { toSummary } from "../bytes/text.ts";
import { Tally } from "./tally.ts";
import { Unsettled } from "./unsettled.ts";

/** Limits of each plugin: number of events, and bytes of raw requests. */
export interface StoreLimits {
  capacityOf(plugin: string): number;
  readonly maxRawBytes: number;
  /** Age at which events are removed, in milliseconds; by default never. */
  readonly maxAgeMs?: number;
}

/** Calls of the store about blobs of events. */
export interface BlobNames {
  release(id: string): void;
}

/** Number of dropped events whose position is remembered. */
const MOST_REMEMBERED = 10_000;

const EMPTY: Readonly<Record<string, unknown>> = Object.freeze({});
const NO_BLOBS: readonly string[] = Object.freeze([]);

/**
 * The part of the log in memory. One ring per plugin, so that a flood of one kind never evicts
 * another; listed together, newest first.
 */
export class MemoryEventStore implements EventStore {
  /** Captured and dropped events since the start. */
  readonly tally = new Tally();
  readonly #rings = new Map<string, Ring>();
  /**
   * `seq` of events that several instances captured, and that are no longer held, for readers that resume from them.
   */
  readonly #gone = new Map<string, number>();
  readonly #byId = new IdIndex(this.#rings);
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
  /** Captures that the log has not decided on yet. */
  readonly #unsettled = new Unsettled(({ blobs }) => {
    for (const id of blobs) this.#blobs.release(id);
  });
  readonly #onReset: (() => void) | undefined;
  #log: EventLog = new MemoryLog();
  readonly #evictions = new Evictions((record) => this.#log.append(record));
  /** Resets of this instance that the log does not have yet. */
  #ownResets = 0;
  #seq = 0;
  #lastMs = 0;

  constructor(options: {
    limits: StoreLimits;
    clock: Clock;
    nextId: NextId;
    blobs: BlobNames;
    /** Called when an event is evicted because of the bytes of its plugin, or of all plugins. */
    onOversize: (plugin: string, why: "bytes" | "memory") => void;
    /** Called with each added event. */
    onCapture?: (event: CapturedEvent) => void;
    /** Called when another instance on the same log was reset. */
    onReset?: () => void;
    /** Budget that counts the events; when others need room, the plugin that holds most drops its oldest. */
    memory?: MemoryBudget;
    /** Returns the namespace of an event; by default none. */
    namespaceOf?: (event: NewEvent) => string | undefined;
    /** Transforms each event before it is stored; by default not at all. */
    amend?: (event: NewEvent) => NewEvent;
  }) {
    this.#limits = options.limits;
    this.#clock = options.clock;
    this.#nextId = options.nextId;
    this.#blobs = options.blobs;
    this.#onOversize = options.onOversize;
    this.#onCapture = options.onCapture;
    this.#onReset = options.onReset;
    this.#amend = options.amend;
    this.#namespaceOf = options.namespaceOf ?? (() => undefined);
    this.#memory = (options.memory ?? unboundedMemory()).holding((bytes) => this.#free(bytes));
    this.#log.follow((record) => this.#apply(record));
  }

  /** Loads the events of a log, and stores new captures in it. Call it before the first capture. */
  follow(log: EventLog): Promise<void> | undefined {
    this.#log = log;
    return log.follow((record) => this.#apply(record));
  }

  add<P>(plugin: string, provider: string, given: NewEvent<P>): CapturedEvent<P> {
    const event = this.#amend === undefined ? given : this.#amend(given) as NewEvent<P>;
    // After the clock steps back, a later event must not sort before an earlier one.
    const now = this.#clock.now();
    const nowMs = now.getTime();
    this.#lastMs = Math.max(this.#lastMs, nowMs);
    const id = this.#nextId();
    const namespace = this.#namespaceOf(event);
    this.expire();
    const plain: CapturedEvent<P> = {
      id,
      seq: 0,
      plugin,
      provider: event.provider ?? provider,
      type: event.type,
      received_at: nowMs === this.#lastMs ? now : new Date(this.#lastMs),
      summary: toSummary(event.summary),
      summary_parts: { ...event.summary_parts },
      meta: metaOf(event, id),
      payload: event.payload,
      raw: event.raw,
      blobs: event.blobs ?? NO_BLOBS,
    };
    // Copies, because an event keeps only copies: docs/decisions/0019.
    const added = namespace === undefined ? { ...plain } : { ...plain, namespace };
    const kept = this.#log.append({ kind: "captured", event: added, ms: nowMs });
    if (kept !== undefined) this.#unsettled.add(added, kept);
    return added;
  }

  settled(event?: CapturedEvent): Promise<void> | undefined {
    return event === undefined ? this.#log.last() : this.#unsettled.get(event);
  }

  current(): Promise<void> | undefined {
    return this.#log.shared ? this.#log.last() : undefined;
  }

  behind(id: string): Pick<EventFilter, "after" | "afterSeq"> {
    const seq = this.#log.shared
      ? this.#byId.seqOf(id, this.#seq) ?? this.#gone.get(id)
      : undefined;
    return seq === undefined ? { after: id } : { afterSeq: seq };
  }

  get(id: string): CapturedEvent | undefined {
    this.expire();
    return this.#find(id);
  }

  list(filter: EventFilter, page: Page = {}): CapturedEvent[] {
    checkList(filter, page);
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
    const rings = plugin === undefined ? [...this.#rings.values()] : [this.#rings.get(plugin)];
    return rings.reduce((sum, ring) => sum + (ring?.count ?? 0), 0);
  }

  delete(id: string): boolean {
    if (this.#find(id) === undefined) return false;
    this.#append({ kind: "deleted", ids: [id] });
    return true;
  }

  deleteAll(events: readonly CapturedEvent[]): number {
    const ids = [...new Set(events)].flatMap((event) =>
      this.#find(event.id) === event ? [event.id] : []
    );
    if (ids.length > 0) this.#append({ kind: "deleted", ids });
    return ids.length;
  }

  clear(plugin?: string, which: { namespace?: string | undefined } = {}): number {
    checkOptions("Cannot clear events", which, ["namespace"]);
    const { namespace } = which;
    const count = namespace === undefined
      ? this.count(plugin)
      : this.list({ namespace, ...compact({ plugin }) }).length;
    this.#append({ kind: "cleared", ...compact({ plugin, namespace }) });
    return count;
  }

  /** Removes all events, and makes the other instances on the log reset their state. */
  reset(): void {
    this.#ownResets++;
    this.#append({ kind: "reset" });
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
   * Inserts events that were captured elsewhere, in order of ids. Events already held do not change. Returns how many
   * of the others are held afterwards, as the oldest go when there are too many. Readers get a gap, because the new
   * events are older than what they have. Rejects with `LogWriteError`.
   */
  restore(events: readonly Placeless[]): number | Promise<number> {
    const fresh = events.filter(({ id }) => this.#find(id) === undefined);
    const held = () => fresh.filter(({ id }) => this.#find(id) !== undefined).length;
    const kept = this.#log.append({ kind: "restored", events: fresh });
    if (kept === undefined) return held();
    for (const event of fresh) this.#unsettled.add(event, kept);
    return kept.then(held);
  }

  /** Drops events older than the limits allow: checks the oldest event of each plugin. */
  expire(): void {
    const { maxAgeMs } = this.#limits;
    if (maxAgeMs === undefined) return;
    const before = this.#clock.now().getTime() - maxAgeMs;
    for (const ring of this.#rings.values()) ring.evictBefore(before);
    this.#count();
  }

  /** Whether the log accepts captures. */
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

  /** Applies a record of the log to the view. */
  #apply(record: LogRecord): void {
    switch (record.kind) {
      case "captured":
        return this.#hold(record);
      case "restored":
        return this.#place(record.events);
      case "deleted":
        return this.#delete(record.ids);
      case "evicted":
        return this.#evict(record);
      case "cleared":
        return this.#clear(record);
      case "reset":
        this.#clear({});
        if (this.#ownResets > 0) this.#ownResets--;
        else this.#onReset?.();
    }
  }

  #hold({ event, ms, elsewhere }: Extract<LogRecord, { kind: "captured" }>): void {
    // The order of the log; no list has shown the event yet.
    (event as { seq: number }).seq = ++this.#seq;
    this.#ring(event.plugin).add(event, ms);
    this.#count();
    if (elsewhere !== true) this.tally.capture(event.plugin, event.provider, event.type);
    if (this.#isFollowed) this.#tell({ kind: "captured", event });
    if (elsewhere !== true) this.#onCapture?.(event);
  }

  #delete(ids: readonly string[]): void {
    const events = ids.flatMap((id) => this.#find(id) ?? []);
    const wanted = new Set(events);
    for (const plugin of new Set(events.map(({ plugin }) => plugin))) {
      const ring = this.#rings.get(plugin)!;
      if (events.length === 1) ring.delete(events[0]!);
      else ring.take((event) => wanted.has(event));
    }
    for (const event of events) this.#forget(event);
    this.#count();
    for (const event of events) this.#tell(toDeleted(event));
  }

  #evict({ plugin, upTo }: Extract<LogRecord, { kind: "evicted" }>): void {
    const seq = this.#find(upTo)?.seq ?? this.#gone.get(upTo);
    if (seq !== undefined) this.#rings.get(plugin)?.evictUpTo(seq);
    this.#count();
  }

  #clear(of: { readonly plugin?: string; readonly namespace?: string }): void {
    const { plugin, namespace } = of;
    const rings = plugin === undefined ? [...this.#rings.values()] : [this.#rings.get(plugin)];
    for (const ring of rings) {
      const taken = namespace === undefined
        ? ring?.clear()
        : ring?.take((event) => event.namespace === namespace);
      for (const event of taken ?? []) this.#forget(event);
    }
    this.#count();
    this.#tell({ kind: "cleared", ...compact({ plugin, namespace }) });
  }

  #place(events: readonly Placeless[]): void {
    const [newest] = this.list({}, { limit: 1 });
    const isBehind = newest !== undefined && events.some(({ id }) => id <= newest.id);
    const held = isBehind ? [...this.#newestFirst(undefined)] : [];
    for (const ring of isBehind ? this.#rings.values() : []) ring.clear();
    // Their positions change.
    if (isBehind) this.#byId.clear();
    for (const event of [...held, ...events].sort((a, b) => a.id < b.id ? -1 : 1)) {
      const placed = { ...event, seq: ++this.#seq };
      this.#lastMs = Math.max(this.#lastMs, placed.received_at.getTime());
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

  /** Reports a deletion; `settled` states whether it succeeded. */
  #append(record: LogRecord): void {
    this.#log.append(record)?.catch(() => {
      if (record.kind === "reset" && this.#ownResets > 0) this.#ownResets--;
    });
  }

  /** Returns the events captured after `after`; begins with a gap if that event is no longer held. */
  #after(after: string, filter: EventFilter): StreamItem[] {
    const fits = matcherOf({ ...filter, ...this.behind(after) });
    const newer = this.list(filter, { match: fits }).map((event) => this.#feed.toItem(event));
    if (this.#find(after) === undefined) newer.push({ kind: "gap" });
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
          this.#memory.dropped(event.raw.body.byteLength);
          if (why === "memory" && this.#log.shared) this.#evictions.add(event);
          if (why === "bytes" || why === "memory") this.#onOversize(plugin, why);
        },
      });
      this.#rings.set(plugin, ring);
    }
    return ring;
  }

  #find(id: string): CapturedEvent | undefined {
    const seq = this.#byId.seqOf(id, this.#seq);
    if (seq === undefined) return undefined;
    for (const ring of this.#rings.values()) {
      const event = ring.find(seq);
      if (event !== undefined) return event;
    }
    return undefined;
  }

  #forget(event: CapturedEvent): void {
    this.#byId.forget(event);
    this.#feed.forget(event);
    if (this.#log.shared) this.#remember(event);
    this.#log.trim(event);
    for (const id of event.blobs) this.#blobs.release(id);
  }

  #remember({ id, seq }: CapturedEvent): void {
    this.#gone.set(id, seq);
    if (this.#gone.size <= MOST_REMEMBERED) return;
    for (const oldest of this.#gone.keys()) {
      this.#gone.delete(oldest);
      break;
    }
  }

  /** Reports the current size of the events. */
  #count(): void {
    let bytes = 0;
    for (const ring of this.#rings.values()) bytes += ring.memoryBytes;
    this.#memory.set(bytes);
  }

  /** Takes from the plugin that holds most, so that a flood of one kind does not displace the others. */
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

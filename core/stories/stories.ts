/**
 * Stories of the held events: each is one flow, over all protocols. They are derived from the
 * events on request, and not stored.
 *
 * @module
 */
import type { CapturedEvent, EventStore } from "../events/event.ts";
import type { Logger } from "../log.ts";
import type { Holding, MemoryBudget } from "../memory/budget.ts";
import type { AnyPlugin } from "../plugin.ts";
import { TimeSlice } from "../time_slice.ts";
import { type Nearness, StoryGroups } from "./group.ts";
import { keysOf, type StoryKey } from "./key.ts";

/** Default time limits. */
export const DEFAULT_NEARNESS: Nearness = { windowMs: 2000, recipientMs: 60_000 };

/** Largest time limit, in milliseconds. */
export const MAX_NEARNESS: Nearness = { windowMs: 600_000, recipientMs: 86_400_000 };

/** Number of groupings that are cached: that of the default limits, and one other. */
const MOST_KEPT = 2;

/**
 * Up to this many events, a removal causes a new grouping at once. With more, a share of them may
 * be removed first: with full rings each capture evicts an event, and grouping that many is slow.
 * Evicted events are never shown.
 */
const LARGE = 20_000;
const GONE_SHARE = 1 / 50;

/** The grouping for one pair of limits; `done` settles when the last request for it is complete. */
interface Kept {
  groups: StoryGroups;
  done: Promise<unknown>;
}

/**
 * Finds the stories of the events. The result is cached, so that only new events must be added;
 * after removals, all events are grouped again, which takes about a second for 100 000 events, in
 * time slices. Holds ids and keys, but no events.
 */
export class StoryIndex {
  readonly #events: EventStore;
  readonly #keysOfPlugin: ReadonlyMap<string, NonNullable<AnyPlugin["storyKeys"]>>;
  readonly #log: Logger;
  readonly #memory: Holding;
  /** By time limits, the last used one at the end. */
  readonly #kept = new Map<string, Kept>();
  /** Events whose keys the plugin could not determine. */
  readonly #unreadable = new WeakSet<CapturedEvent>();

  constructor(options: {
    readonly events: EventStore;
    readonly plugins: readonly Pick<AnyPlugin, "id" | "storyKeys">[];
    readonly log: Logger;
    /** Budget that counts the cache, which is dropped when others need memory. */
    readonly memory: Pick<MemoryBudget, "holding">;
  }) {
    this.#events = options.events;
    this.#log = options.log;
    this.#memory = options.memory.holding(() => this.#forget());
    this.#keysOfPlugin = new Map(
      options.plugins.flatMap(({ id, storyKeys }) =>
        storyKeys === undefined ? [] : [[id, storyKeys] as const]
      ),
    );
  }

  /** Returns the stories of the held events, valid until the next call changes them. */
  async groups(near: Nearness): Promise<StoryGroups> {
    const key = `${near.windowMs} ${near.recipientMs}`;
    const kept = this.#kept.get(key) ?? { groups: new StoryGroups(near), done: Promise.resolve() };
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    if (this.#kept.size > MOST_KEPT) this.#kept.delete(this.#kept.keys().next().value!);
    // In sequence, because each adds to the result of the one before.
    const done = kept.done.then(() => this.#update(kept, near));
    kept.done = done.catch(() => {});
    const groups = await done;
    this.#count();
    return groups;
  }

  /** They are found again on the next request. */
  #forget(): void {
    this.#kept.clear();
    this.#count();
  }

  #count(): void {
    let bytes = 0;
    for (const { groups } of this.#kept.values()) bytes += groups.bytes;
    this.#memory.set(bytes);
  }

  async #update(kept: Kept, near: Nearness): Promise<StoryGroups> {
    const { size, lastSeq } = kept.groups;
    // Only the events after the last one are new, unless others were inserted, which renumbers all.
    const later = this.#events.list({ afterSeq: lastSeq });
    const gone = size + later.length - this.#events.count();
    if (gone >= 0 && gone <= (size > LARGE ? size * GONE_SHARE : 0)) {
      await this.#add(kept.groups, later);
      return kept.groups;
    }
    const groups = new StoryGroups(near);
    await this.#add(groups, this.#events.list({}));
    return kept.groups = groups;
  }

  /** `events` are newest first. */
  async #add(groups: StoryGroups, events: readonly CapturedEvent[]): Promise<void> {
    const slice = new TimeSlice();
    for (let at = events.length - 1; at >= 0; at--) {
      if (slice.over) await slice.yieldToEventLoop();
      const event = events[at]!;
      const { id, seq, namespace, plugin } = event;
      const keys = keysOf(event, this.#ownKeys(event));
      groups.add({ id, seq, ms: event.received_at.getTime(), plugin, namespace, keys });
    }
  }

  /**
   * An event that its plugin cannot read, such as one imported from another version, has no plugin
   * keys.
   */
  #ownKeys(event: CapturedEvent): readonly StoryKey[] {
    if (this.#unreadable.has(event)) return [];
    try {
      const keys = this.#keysOfPlugin.get(event.plugin)?.(event) ?? [];
      if (keys.every(({ value }) => typeof value === "string")) return keys;
      throw new TypeError("One of its keys is not valid");
    } catch (error) {
      this.#unreadable.add(event);
      const { id, plugin } = event;
      this.#log.warn("Cannot find the story keys of an event", { plugin, id, error });
      return [];
    }
  }
}

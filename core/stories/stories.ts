/**
 * Stories of the held events: what belongs to one flow, over all protocols. They are derived from the events whenever
 * they are asked for, and nothing of them is stored.
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

/** How near in time events must be unless somebody says otherwise. */
export const DEFAULT_NEARNESS: Nearness = { windowMs: 2000, recipientMs: 60_000 };

/** Longest that can be asked for, in milliseconds. */
export const MAX_NEARNESS: Nearness = { windowMs: 600_000, recipientMs: 86_400_000 };

/** Ways of grouping that are kept: the usual one, and that of somebody who tries another. */
const MOST_KEPT = 2;

/**
 * Up to so many events, they are grouped anew whenever one went. Of more, a share may be gone before that: with full rings
 * each capture displaces an event, and to group so many takes long. Nobody is told of events that are gone.
 */
const LARGE = 20_000;
const GONE_SHARE = 1 / 50;

/** What is known for one nearness; `done` settles when the last request for it is through. */
interface Kept {
  groups: StoryGroups;
  done: Promise<unknown>;
}

/**
 * Finds the stories of the events. What was found before is kept, so that later events cost only their own work; when
 * events went meanwhile, it is found anew, which takes about a second for 100 000 events. Others have their turn during
 * that. Keeps ids and keys, and no event.
 */
export class StoryIndex {
  readonly #events: EventStore;
  readonly #keysOfPlugin: ReadonlyMap<string, NonNullable<AnyPlugin["storyKeys"]>>;
  readonly #log: Logger;
  readonly #memory: Holding;
  /** By nearness, the one used last at the end. */
  readonly #kept = new Map<string, Kept>();
  /** Events whose keys their plugin could not find. */
  readonly #unreadable = new WeakSet<CapturedEvent>();

  constructor(options: {
    readonly events: EventStore;
    readonly plugins: readonly Pick<AnyPlugin, "id" | "storyKeys">[];
    readonly log: Logger;
    /** Budget that counts what is kept; when others need room, it goes. */
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

  /** The stories of what is held, until the next call changes them. */
  async groups(near: Nearness): Promise<StoryGroups> {
    const key = `${near.windowMs} ${near.recipientMs}`;
    const kept = this.#kept.get(key) ?? { groups: new StoryGroups(near), done: Promise.resolve() };
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    if (this.#kept.size > MOST_KEPT) this.#kept.delete(this.#kept.keys().next().value!);
    // One after the other: each adds to what the one before it found.
    const done = kept.done.then(() => this.#update(kept, near));
    kept.done = done.catch(() => {});
    const groups = await done;
    this.#count();
    return groups;
  }

  /** They are found anew when somebody asks again. */
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
    // Those after the last one are all that is new, unless others were put between them, which gives all a new place.
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

  /** An event that its plugin cannot read, such as one imported from another version, has no keys of its own. */
  #ownKeys(event: CapturedEvent): readonly StoryKey[] {
    if (this.#unreadable.has(event)) return [];
    try {
      const keys = this.#keysOfPlugin.get(event.plugin)?.(event) ?? [];
      if (keys.every(({ value }) => typeof value === "string")) return keys;
      throw new TypeError("One of its keys is none");
    } catch (error) {
      this.#unreadable.add(event);
      const { id, plugin } = event;
      this.#log.warn("Cannot find the story keys of an event", { plugin, id, error });
      return [];
    }
  }
}

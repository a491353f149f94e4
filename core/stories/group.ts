/** Groups events into stories, one event at a time. */
import type { StoryKey } from "./key.ts";
import { type Identity, type Member, Story, toIdentity } from "./story.ts";

/** Time limits of stories, in milliseconds. */
export interface Nearness {
  /** Maximum pause between events that share only the time; with 0, time alone links nothing. */
  readonly windowMs: number;
  /**
   * Longest pause between events that share only a recipient or an object; with 0, these link
   * nothing.
   */
  readonly recipientMs: number;
}

/** An event that is being grouped. */
export interface Arrival extends Member {
  readonly namespace: string | undefined;
  readonly keys: readonly StoryKey[];
}

/** A key, and the map that finds its story. */
interface Place {
  readonly key: StoryKey;
  readonly at: string;
}

/**
 * The stories of a namespace that an event without a shared key may join: those with the latest
 * events.
 */
const MOST_RECENT = 16;

/** Memory of an event besides its keys, and of a key besides its text, in bytes: estimates. */
const EVENT_BYTES = 512;
const KEY_BYTES = 192;

/**
 * The stories of the events so far. The cost of adding an event does not depend on their number.
 */
export class StoryGroups {
  readonly #near: Nearness;
  /** Stories of all events, in order of capture. */
  readonly #places: { readonly seq: number; readonly story: Story }[] = [];
  /** By namespace and key, for keys without a time limit. */
  readonly #byKey = new Map<string, Story>();
  /** The same for keys with a time limit, with the time of the last event. */
  readonly #lately = new Map<string, { readonly story: Story; readonly ms: number }>();
  /** By namespace, latest last. */
  readonly #recent = new Map<string, Story[]>();
  #bytes = 0;

  constructor(near: Nearness) {
    this.#near = near;
  }

  /** Number of events. */
  get size(): number {
    return this.#places.length;
  }

  /** Estimated memory in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** `seq` of the latest event; 0 before the first. */
  get lastSeq(): number {
    return this.#places.at(-1)?.seq ?? 0;
  }

  /** Adds an event, which is later than all others. */
  add({ namespace, keys, ...member }: Arrival): void {
    // Events without a namespace are grouped together.
    const scope = namespace === undefined ? "" : `${namespace}\0`;
    const places = keys.map((key): Place => ({
      key,
      at: `${scope}\0${key.kind}\0${key.name}\0${key.value}`,
    }));
    const identity = toIdentity(keys);
    const named = this.#joinLately(places, {
      identity,
      ms: member.ms,
      joined: this.#joinByKey(places),
    });
    const story = named ?? this.#joinByTime(identity, scope, member.ms) ?? new Story();
    story.add(member, identity);
    this.#places.push({ seq: member.seq, story });
    this.#bytes += EVENT_BYTES;
    for (const { key, at } of places) {
      const isNew = !this.#byKey.has(at) && !this.#lately.has(at);
      // Each of these texts is created here, and may have several hundred characters.
      if (isNew) this.#bytes += KEY_BYTES + 2 * at.length;
      if (isLasting(key)) this.#byKey.set(at, story);
      else this.#lately.set(at, { story, ms: member.ms });
    }
    this.#noteRecent(scope, story);
  }

  /** Returns the story of an event; `undefined` for an event that was not added. */
  find(seq: number): Story | undefined {
    let low = 0;
    let high = this.#places.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#places[middle]!.seq < seq) low = middle + 1;
      else high = middle;
    }
    const place = this.#places[low];
    return place?.seq === seq ? place.story.root : undefined;
  }

  /** Returns all stories, the one with the latest event first. */
  *newestFirst(): Generator<Story> {
    const told = new Set<Story>();
    for (let at = this.#places.length - 1; at >= 0; at--) {
      const story = this.#places[at]!.story.root;
      if (told.has(story)) continue;
      told.add(story);
      yield story;
    }
  }

  #joinByKey(places: readonly Place[]): Story | undefined {
    let joined: Story | undefined;
    for (const { key, at } of places) {
      const found = isLasting(key) ? this.#byKey.get(at)?.root : undefined;
      if (found === undefined) continue;
      joined = joined?.merge(found) ?? found;
      joined.link({ by: key.kind, name: key.name, value: key.value });
    }
    return joined;
  }

  #joinLately(
    places: readonly Place[],
    { identity, ms, joined: first }: {
      readonly identity: Identity;
      readonly ms: number;
      readonly joined: Story | undefined;
    },
  ): Story | undefined {
    let joined = first;
    if (this.#near.recipientMs === 0) return joined;
    for (const { key, at } of places) {
      const last = isLasting(key) ? undefined : this.#lately.get(at);
      if (last === undefined || ms - last.ms > this.#near.recipientMs) continue;
      const found = last.story.root;
      // The application sets traces itself, so two different traces are two flows.
      if (found.differsInTrace(identity) || joined?.differsInTraceFrom(found)) continue;
      joined = joined?.merge(found) ?? found;
      joined.link({ by: key.kind, name: key.name, value: key.value });
    }
    return joined;
  }

  #joinByTime(identity: Identity, scope: string, ms: number): Story | undefined {
    const { windowMs } = this.#near;
    const recent = windowMs === 0 ? undefined : this.#recent.get(scope);
    if (recent === undefined) return undefined;
    for (let at = recent.length - 1; at >= 0; at--) {
      const story = recent[at]!.root;
      if (ms - story.lastMs > windowMs) continue;
      if (story.differsInTrace(identity) || story.differsInRecipient(identity)) continue;
      story.link({ by: "time" });
      return story;
    }
    return undefined;
  }

  #noteRecent(scope: string, story: Story): void {
    const recent = this.#recent.get(scope);
    if (recent === undefined) {
      this.#recent.set(scope, [story]);
      return;
    }
    if (recent.at(-1) === story) return;
    // Stories that were merged into it left with their events.
    const at = recent.findIndex((other) => other === story || other.size === 0);
    if (at >= 0) recent.splice(at, 1);
    else if (recent.length === MOST_RECENT) recent.shift();
    recent.push(story);
  }
}

/** Returns whether a key links events at any distance in time. */
function isLasting({ kind }: StoryKey): boolean {
  return kind === "trace" || kind === "id";
}

/** One story: events that belong together, and why. */
import type { StoryKey, StoryKeyKind } from "./key.ts";

/** Why events are together. */
export interface StoryLink {
  /** Kind of the shared key; without one, they share only the time. */
  readonly by: StoryKeyKind | "time";
  /** Display name of the value, such as `Message-ID`. */
  readonly name?: string;
  /** The shared value. */
  readonly value?: string;
}

/** Reference to an event. The event itself is not held, so that it can be evicted. */
export interface Member {
  /** Id of the event. */
  readonly id: string;
  /** Order of capture. */
  readonly seq: number;
  /** Time of capture, in milliseconds since 1970. */
  readonly ms: number;
  /** Plugin that captured it. */
  readonly plugin: string;
}

/** Recipients and traces of an event, which may prevent a link by time alone. */
export interface Identity {
  /** Trace ids. */
  readonly traces: readonly string[];
  /** Keys of its recipients. */
  readonly recipients: readonly StoryKey[];
}

/** Returns the recipients and traces among keys. */
export function toIdentity(keys: readonly StoryKey[]): Identity {
  const traces: string[] = [];
  const recipients: StoryKey[] = [];
  for (const key of keys) {
    if (key.kind === "trace") traces.push(key.value);
    else if (key.kind === "recipient") recipients.push(key);
  }
  return { traces, recipients };
}

/** Maximum number of reported links. */
const MOST_LINKS = 50;
/**
 * Maximum number of trace ids used in comparisons: two stories with thousands of them would
 * otherwise be compared for every event with a recipient of both.
 */
const MOST_TRACES = 500;

/** A story while it grows. */
export class Story {
  /** The story that this one was merged into. */
  #into: Story | undefined;
  #members: Member[] = [];
  #sorted = true;
  readonly #links = new Map<string, StoryLink>();
  /** Trace ids of its events. */
  readonly #traces = new Set<string>();
  /** Recipients of its events, by name. */
  readonly #recipients = new Map<string, Set<string>>();
  /** Time of its last event, in milliseconds. */
  lastMs = -Infinity;

  /** Returns the story that now holds the events of this one. */
  get root(): Story {
    if (this.#into === undefined) return this;
    let root = this.#into;
    while (root.#into !== undefined) root = root.#into;
    // Shortens the path for the next call.
    this.#into = root;
    return root;
  }

  /** Number of events. */
  get size(): number {
    return this.#members.length;
  }

  /** Events in order of capture; at least one. */
  get members(): readonly Member[] {
    if (!this.#sorted) this.#members.sort((a, b) => a.seq - b.seq);
    this.#sorted = true;
    return this.#members;
  }

  /** Returns why the events are together, strongest reason first; empty for a single event. */
  get links(): readonly StoryLink[] {
    return [...this.#links.values()].sort((a, b) => STRENGTH[a.by] - STRENGTH[b.by]);
  }

  /** Adds an event that is later than all others. */
  add(member: Member, { traces, recipients }: Identity): void {
    this.#members.push(member);
    this.lastMs = member.ms;
    for (const trace of traces) this.#addTrace(trace);
    for (const { name, value } of recipients) {
      const known = this.#recipients.get(name);
      if (known === undefined) this.#recipients.set(name, new Set([value]));
      else known.add(value);
    }
  }

  /** Records why events are together. */
  link({ by, name, value }: StoryLink): void {
    const key = `${by} ${name} ${value}`;
    if (this.#links.size >= MOST_LINKS || this.#links.has(key)) return;
    this.#links.set(key, name === undefined ? { by } : { by, name, value: value! });
  }

  /** Merges two stories, and returns the one with the events of both. */
  merge(other: Story): Story {
    if (other === this) return this;
    // The smaller story is merged into the larger one, so an event moves only a few times.
    const [large, small] = this.size >= other.size ? [this, other] : [other, this];
    for (const member of small.#members) large.#members.push(member);
    large.#sorted = false;
    for (const link of small.#links.values()) large.link(link);
    for (const trace of small.#traces) large.#addTrace(trace);
    for (const [name, values] of small.#recipients) {
      const known = large.#recipients.get(name) ?? new Set();
      for (const value of values) known.add(value);
      large.#recipients.set(name, known);
    }
    large.lastMs = Math.max(large.lastMs, small.lastMs);
    small.#into = large;
    small.#members = [];
    return large;
  }

  #addTrace(trace: string): void {
    if (this.#traces.size < MOST_TRACES) this.#traces.add(trace);
  }

  /** Returns whether an event has only traces that this story lacks. */
  differsInTrace({ traces }: Identity): boolean {
    return this.#traces.size > 0 && traces.length > 0 &&
      !traces.some((id) => this.#traces.has(id));
  }

  /** The same for a whole story. */
  differsInTraceFrom(other: Story): boolean {
    return this.#traces.size > 0 && other.#traces.size > 0 &&
      this.#traces.isDisjointFrom(other.#traces);
  }

  /** Returns whether an event has only recipients that this story lacks. */
  differsInRecipient({ recipients }: Identity): boolean {
    if (this.#recipients.size === 0) return false;
    return recipients.some(({ name }) => {
      const known = this.#recipients.get(name);
      return known !== undefined &&
        !recipients.some((other) => other.name === name && known.has(other.value));
    });
  }
}

const STRENGTH: Readonly<Record<StoryLink["by"], number>> = {
  trace: 0,
  id: 1,
  recipient: 2,
  object: 3,
  time: 4,
};

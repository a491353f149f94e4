/** One story: events that belong together, and why. */
import type { StoryKey, StoryKeyKind } from "./key.ts";

/** Why events are together. */
export interface StoryLink {
  /** What they share: a key of this kind or, without one, only the time. */
  readonly by: StoryKeyKind | "time";
  /** What the value is, such as `Message-ID`. */
  readonly name?: string;
  /** The shared value. */
  readonly value?: string;
}

/** The place of an event. The event itself is not held, so that it can go. */
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

/** Whom and what an event names, which keeps the time alone from linking it. */
export interface Identity {
  /** Trace ids. */
  readonly traces: readonly string[];
  /** Keys of its recipients. */
  readonly recipients: readonly StoryKey[];
}

/** Returns what keys say about whose event it is. */
export function toIdentity(keys: readonly StoryKey[]): Identity {
  const traces: string[] = [];
  const recipients: StoryKey[] = [];
  for (const key of keys) {
    if (key.kind === "trace") traces.push(key.value);
    else if (key.kind === "recipient") recipients.push(key);
  }
  return { traces, recipients };
}

/** Most links that are told. */
const MOST_LINKS = 50;
/**
 * Most trace ids that a story is compared by: two stories with thousands, each joined by an id of theirs, would be
 * compared for every event that names a recipient of both.
 */
const MOST_TRACES = 500;

/** A story while it grows. */
export class Story {
  /** The story that took this one in. */
  #into: Story | undefined;
  #members: Member[] = [];
  #sorted = true;
  readonly #links = new Map<string, StoryLink>();
  /** Trace ids of its events. */
  readonly #traces = new Set<string>();
  /** Recipients of its events, by what they are. */
  readonly #recipients = new Map<string, Set<string>>();
  /** Time of its last event, in milliseconds. */
  lastMs = -Infinity;

  /** The story that holds the events of this one by now. */
  get root(): Story {
    if (this.#into === undefined) return this;
    let root = this.#into;
    while (root.#into !== undefined) root = root.#into;
    // The next look is short.
    this.#into = root;
    return root;
  }

  /** Number of events. */
  get size(): number {
    return this.#members.length;
  }

  /** Its events in order of capture; at least one. */
  get members(): readonly Member[] {
    if (!this.#sorted) this.#members.sort((a, b) => a.seq - b.seq);
    this.#sorted = true;
    return this.#members;
  }

  /** Why they are together, the strongest first; none for a single event. */
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

  /** Notes why events are together. */
  link({ by, name, value }: StoryLink): void {
    const key = `${by} ${name} ${value}`;
    if (this.#links.size >= MOST_LINKS || this.#links.has(key)) return;
    this.#links.set(key, name === undefined ? { by } : { by, name, value: value! });
  }

  /** Returns the story with the events of both. */
  merge(other: Story): Story {
    if (other === this) return this;
    // Each event moves only into a story of at least twice the size, so it moves few times.
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

  /** Whether an event names other traces than those of this story. */
  differsInTrace({ traces }: Identity): boolean {
    return this.#traces.size > 0 && traces.length > 0 &&
      !traces.some((id) => this.#traces.has(id));
  }

  /** The same for another story. */
  differsInTraceFrom(other: Story): boolean {
    return this.#traces.size > 0 && other.#traces.size > 0 &&
      this.#traces.isDisjointFrom(other.#traces);
  }

  /** Whether an event names other recipients than those of this story. */
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

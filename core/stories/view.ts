/** Views of stories. */
import { compact } from "../compact.ts";
import type { CapturedEvent, EventStore } from "../events/event.ts";
import type { Story, StoryLink } from "./story.ts";

/** Snapshot of a story. */
export interface StoryView {
  /** Id of its first held event. */
  readonly id: string;
  /** Subject, name or summary of its first event. */
  readonly title: string;
  /** Namespace of its events, if they have one. */
  readonly namespace?: string;
  /** Time of its first event. */
  readonly started_at: Date;
  /** Time of its last event. */
  readonly ended_at: Date;
  /** Number of its events. */
  readonly count: number;
  /** The first of its events, or all, in order of capture. */
  readonly events: readonly CapturedEvent[];
  /** Plugins of its events, in order of first appearance. */
  readonly plugins: readonly string[];
  /** Why they are together, strongest reason first; empty for a single event. */
  readonly linked_by: readonly StoryLink[];
}

/**
 * Returns a snapshot of a story with its first `most` events; `undefined` if none of its events is
 * held. Later captures do not change it.
 */
export function toStoryView(
  { members, links }: Pick<Story, "members" | "links">,
  events: EventStore,
  most = Infinity,
): StoryView | undefined {
  const held: CapturedEvent[] = [];
  const plugins = new Set<string>();
  let count = members.length;
  let endMs = -Infinity;
  for (const { id, plugin, ms } of members) {
    const event = held.length < most ? events.get(id) : undefined;
    if (event !== undefined) held.push(event);
    else if (held.length < most) {
      count--;
      continue;
    }
    plugins.add(plugin);
    endMs = ms;
  }
  const [first] = held;
  if (first === undefined) return undefined;
  return {
    id: first.id,
    title: first.summary_parts.title || first.summary,
    ...compact({ namespace: first.namespace }),
    started_at: first.received_at,
    ended_at: new Date(endMs),
    count,
    events: held,
    plugins: [...plugins],
    linked_by: held.length === 1 && count === 1 ? [] : links,
  };
}

import type { CapturedEvent, EventFilter } from "./event.ts";

/** Lower-case text that `search` looks through, made at the first search and kept as long as its event. */
const haystacks = new WeakMap<CapturedEvent, string>();

/** Whether an event meets all conditions of a filter. */
export function matches(event: CapturedEvent, filter: EventFilter): boolean {
  return (filter.plugin === undefined || event.plugin === filter.plugin) &&
    (filter.provider === undefined || event.provider === filter.provider) &&
    (filter.namespace === undefined || event.namespace === filter.namespace) &&
    (filter.type === undefined || event.type === filter.type) &&
    (filter.since === undefined || event.received_at > filter.since) &&
    (filter.after === undefined || event.id > filter.after) &&
    (filter.search === undefined || haystack(event).includes(filter.search.toLowerCase()));
}

function haystack(event: CapturedEvent): string {
  let text = haystacks.get(event);
  if (text === undefined) {
    const { from, to, title, snippet } = event.summary_parts;
    const parts = [event.summary, event.type, from, ...(to ?? []), title, snippet];
    // A line break between the parts: no search text can match across two of them.
    text = parts.filter((part) => part !== undefined).join("\n").toLowerCase();
    haystacks.set(event, text);
  }
  return text;
}

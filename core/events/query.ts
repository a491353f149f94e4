import type { CapturedEvent, EventFilter } from "./event.ts";
import { type TextTest, textTest } from "./search.ts";

/** Whether an event meets all conditions of a filter. */
export function matches(event: CapturedEvent, filter: EventFilter): boolean {
  return (filter.plugin === undefined || event.plugin === filter.plugin) &&
    (filter.provider === undefined || event.provider === filter.provider) &&
    (filter.namespace === undefined || event.namespace === filter.namespace) &&
    (filter.type === undefined || event.type === filter.type) &&
    (filter.since === undefined || event.received_at.getTime() > filter.since.getTime()) &&
    (filter.after === undefined || event.id > filter.after) &&
    (filter.search === undefined || isFound(event, textTest(filter.search)));
}

/** Looks through each part by itself: no search text can match across two of them. */
function isFound(event: CapturedEvent, has: TextTest): boolean {
  const { from, to, title, snippet } = event.summary_parts;
  return has(event.summary) || has(event.type) ||
    (from !== undefined && has(from)) || (to !== undefined && to.some(has)) ||
    (title !== undefined && has(title)) || (snippet !== undefined && has(snippet));
}

import { checkOptions } from "../options/suggest.ts";
import type { CapturedEvent, EventFilter, Page, StreamItem } from "./event.ts";
import { type TextTest, textTest } from "./search.ts";

/** Names in a filter and a page. An unknown one would select every event. */
const FILTERS: readonly (keyof EventFilter)[] = [
  "plugin",
  "provider",
  "type",
  "namespace",
  "search",
  "since",
  "after",
  "afterSeq",
];
const PAGE: readonly (keyof Page)[] = ["limit", "offset", "match"];

/** Returns whether an event matches a filter. */
export function matches(event: CapturedEvent, filter: EventFilter): boolean {
  return isOf(event, filter) &&
    (filter.search === undefined || isFound(event, testsOf(textTest(filter.search))));
}

/** Throws a `RangeError` for an unknown name in a filter or a page. */
export function checkList(filter: EventFilter, page: Page): void {
  checkOptions("Cannot list events", filter, FILTERS);
  checkOptions("Cannot list events", page, PAGE);
}

/** Returns {@link matches} for many events. */
export function matcherOf(filter: EventFilter): (event: CapturedEvent) => boolean {
  if (filter.search === undefined) return (event) => isOf(event, filter);
  const tests = testsOf(textTest(filter.search), remembering);
  return (event) => isOf(event, filter) && isFound(event, tests);
}

function isOf(event: CapturedEvent, filter: EventFilter): boolean {
  return (filter.plugin === undefined || event.plugin === filter.plugin) &&
    (filter.provider === undefined || event.provider === filter.provider) &&
    (filter.namespace === undefined || event.namespace === filter.namespace) &&
    (filter.type === undefined || event.type === filter.type) &&
    (filter.since === undefined || event.received_at.getTime() > filter.since.getTime()) &&
    (filter.after === undefined || event.id > filter.after) &&
    (filter.afterSeq === undefined || event.seq > filter.afterSeq);
}

type Tests = Readonly<Record<"summary" | "type" | "from" | "to" | "title" | "snippet", TextTest>>;

function testsOf(has: TextTest, wrap: (has: TextTest) => TextTest = (has) => has): Tests {
  return {
    summary: has,
    type: wrap(has),
    from: wrap(has),
    to: wrap(has),
    title: wrap(has),
    snippet: wrap(has),
  };
}

/** Successive events often have equal parts, and comparing costs less than searching. */
function remembering(has: TextTest): TextTest {
  let last: string | undefined;
  let answer = false;
  return (text) => {
    if (text !== last) {
      last = text;
      answer = has(text);
    }
    return answer;
  };
}

/** Searches each part separately, so that no match spans two of them. */
function isFound(event: CapturedEvent, has: Tests): boolean {
  const { from, to, title, snippet } = event.summary_parts;
  return has.summary(event.summary) || has.type(event.type) ||
    (from !== undefined && has.from(from)) || (to !== undefined && to.some(has.to)) ||
    (title !== undefined && has.title(title)) || (snippet !== undefined && has.snippet(snippet));
}

/** Returns whether a reader with the filter wants an item. */
export function wanted(item: StreamItem, filter: EventFilter): boolean {
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

/** Returns whether a clearing, of everything by default, concerns the filter. */
function concerns(wanted: string | undefined, cleared: string | undefined): boolean {
  return wanted === undefined || cleared === undefined || cleared === wanted;
}

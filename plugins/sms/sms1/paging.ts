/**
 * Filters of a list, and its pages, newest first (https://www.twilio.com/docs/usage/twilios-response#pagination).
 *
 * A page token names the last record of the previous page (`PA`), or the first of the next one
 * (`PB`), so that new records do not shift the pages.
 */
import { failure, type Result, success } from "../../../core/result.ts";
import type { SmsEvent } from "../views.ts";
import { badParameter, type VendorRefusal } from "./reply.ts";

export interface PageRequest {
  readonly page: number;
  readonly size: number;
  /** Sid of the record that the page follows or precedes. */
  readonly token?: { readonly side: "after" | "before"; readonly sid: string };
}

const DEFAULT_SIZE = 50;
const MAX_SIZE = 1000;

/** Reads `PageSize`, `Page` and `PageToken`. */
export function readPage(query: URLSearchParams): Result<PageRequest, VendorRefusal> {
  const size = whole(query.get("PageSize"), DEFAULT_SIZE);
  if (size === undefined || size === 0) {
    return failure(badParameter("PageSize", `expected 1 to ${MAX_SIZE}`));
  }
  const page = whole(query.get("Page"), 0);
  if (page === undefined) {
    return failure(badParameter("Page", "expected an integer of at least 0"));
  }
  const text = query.get("PageToken") ?? "";
  const token = /^P([AB])(\w+)$/.exec(text);
  if (text !== "" && token === null) {
    return failure(badParameter("PageToken", "expected one from a page's links"));
  }
  return success({
    page,
    size: Math.min(size, MAX_SIZE),
    ...(token && { token: { side: token[1] === "A" ? "after" : "before", sid: token[2]! } }),
  });
}

/** One page cut out of a list. */
export interface Cut<T> {
  readonly items: readonly T[];
  readonly more: { readonly before: boolean; readonly after: boolean };
}

/**
 * Cuts the page out of all records. `position` returns the index of the first record at or after a sid, held or not.
 */
export function cutPage<T>(
  all: readonly T[],
  request: PageRequest,
  position: (sid: string, side: "after" | "before") => number,
): Cut<T> {
  const { page, size, token } = request;
  let start = Math.min(page * size, all.length);
  let end = Math.min(start + size, all.length);
  if (token?.side === "after") {
    start = position(token.sid, "after");
    end = Math.min(start + size, all.length);
  } else if (token?.side === "before") {
    end = position(token.sid, "before");
    start = Math.max(0, end - size);
  }
  return {
    items: all.slice(start, end),
    more: { before: start > 0 && page > 0, after: end < all.length },
  };
}

/** Returns the body of a page; `key` names the records. Add no other key: clients find the records by elimination. */
export function toPage<T>(
  cut: Cut<T>,
  about: {
    readonly key: string;
    readonly path: string;
    /** Filters that every link repeats. */
    readonly kept: readonly (readonly [name: string, value: string])[];
    readonly request: PageRequest;
    toRecord(item: T): unknown;
    toSid(item: T): string;
  },
): Record<string, unknown> {
  const { page, size, token } = about.request;
  const { items, more } = cut;
  const first = items[0];
  const last = items.at(-1);
  const link = (page: number, token?: string): string => {
    const query = new URLSearchParams(about.kept.map(([name, value]) => [name, value]));
    query.set("PageSize", String(size));
    query.set("Page", String(page));
    if (token !== undefined) query.set("PageToken", token);
    return `${about.path}?${query}`;
  };
  const own = token && `P${token.side === "after" ? "A" : "B"}${token.sid}`;
  const start = page * size;
  return {
    first_page_uri: link(0),
    end: start + Math.max(items.length - 1, 0),
    previous_page_uri: more.before && first !== undefined
      ? link(page - 1, `PB${about.toSid(first)}`)
      : null,
    [about.key]: items.map((item) => about.toRecord(item)),
    uri: link(page, own),
    page_size: size,
    start,
    next_page_uri: more.after && last !== undefined
      ? link(page + 1, `PA${about.toSid(last)}`)
      : null,
    page,
  };
}

function whole(text: string | null, fallback: number): number | undefined {
  if (text === null || text === "") return fallback;
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

export interface ListFilter {
  matches(event: SmsEvent): boolean;
  /** The parameters as sent, for the links between pages. */
  readonly kept: readonly (readonly [name: string, value: string])[];
}

const DAY_MS = 86_400_000;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/**
 * Reads `To`, `From`, `DateSent`, `DateSent<` and `DateSent>`; clients send the last two as `DateSent>=<date>`, whose
 * name is literally `DateSent>`. No message is ever sent, so the dates are compared with its creation.
 */
export function readFilter(query: URLSearchParams): Result<ListFilter, VendorRefusal> {
  const kept: (readonly [string, string])[] = [];
  const tests: ((event: SmsEvent) => boolean)[] = [];
  for (const name of ["To", "From", "DateSent", "DateSent<", "DateSent>"] as const) {
    const value = query.get(name) ?? "";
    if (value === "") continue;
    kept.push([name, value]);
    if (name === "To" || name === "From") {
      // A "+" that was not escaped arrives as a space.
      const number = value.replace(/^ /, "+");
      const property = name === "To" ? "to" : "from";
      tests.push(({ payload }) => payload[property] === number);
      continue;
    }
    const instantMs = Date.parse(value);
    if (Number.isNaN(instantMs)) {
      return failure(badParameter(name, "expected a date as YYYY-MM-DD"));
    }
    tests.push(dateTest(name, DATE.test(value) ? instantMs : Math.floor(instantMs / 1000) * 1000));
  }
  return success({ kept, matches: (event) => tests.every((test) => test(event)) });
}

/** Compares whole seconds: clients see no fractions. */
function dateTest(
  name: "DateSent" | "DateSent<" | "DateSent>",
  instantMs: number,
): (event: SmsEvent) => boolean {
  const secondOf = (event: SmsEvent) => Math.floor(event.received_at.getTime() / 1000) * 1000;
  if (name === "DateSent<") return (event) => secondOf(event) <= instantMs;
  if (name === "DateSent>") return (event) => secondOf(event) >= instantMs;
  const dayMs = Math.floor(instantMs / DAY_MS) * DAY_MS;
  return (event) => secondOf(event) >= dayMs && secondOf(event) < dayMs + DAY_MS;
}

import { compact } from "../compact.ts";
import { ApiError } from "../errors.ts";
import type { CapturedEvent, EventFilter, Page } from "../events/event.ts";
import { TooMuchToLookAtError } from "../events/look.ts";
import {
  DEFAULT_WAIT_MS,
  MAX_WAIT_COUNT,
  MAX_WAIT_MS,
  MAX_WAITS,
  waitForEvents,
  type Wanted,
  whatWasCaptured,
} from "../events/wait.ts";
import { matchText } from "../extract/load.ts";
import type { HttpCall } from "./call.ts";
import { checkEventNames, type NameContext, type NamesAsked } from "./event_names.ts";
import { TimeSlice } from "../time_slice.ts";
import { boolean, count, duration, instant, text, word } from "./params.ts";
import { errorDoc } from "./reply.ts";
import type { ParamValues, Route, RouteContext, Selection } from "./route.ts";

/** Query parameters that say which events: of lists, waits and streams. */
export const FILTER_PARAMS = {
  provider: text("Only entries captured by this provider"),
  namespace: text("Only entries of this namespace"),
  type: text("Only entries of this event type"),
  search: text("Case-insensitive substring over summary and type"),
  since: instant("Only entries received after this moment"),
  after: text("Only entries captured after the event of this id"),
};

/** Query parameters about what a person reads in an event: mails, text messages, chats and pushes bear text. */
export const TEXT_PARAMS = {
  text: text("Case-insensitive substring over all that a person reads in the entry"),
  has: word("Only entries with a one-time code, a link or a token in their text", [
    "code",
    "link",
    "token",
  ]),
};

/** Query parameters that say which part of what fits. */
export const PAGE_PARAMS = {
  limit: count("Maximum number of entries; 0 or absent means all"),
  offset: count("Entries to skip"),
};

/** Query parameters that say what to wait for. */
export const WAIT_PARAMS = {
  count: count("How many entries must fit before the answer is given; 1 unless given"),
  timeout: duration("How long to wait; 5s unless given, at most 60s", MAX_WAIT_MS),
  absent: boolean("The other way round: fewer than count may fit until the time is over"),
};

/** Query parameters of every list route. */
export const LIST_PARAMS = {
  ...FILTER_PARAMS,
  ...TEXT_PARAMS,
  ...PAGE_PARAMS,
  wait: boolean("Wait as count, timeout and absent say; true where one of these is given"),
  ...WAIT_PARAMS,
};

/** Query parameters of every route that clears a list: those of the list that say which events. */
export const CLEAR_PARAMS = { ...FILTER_PARAMS, ...TEXT_PARAMS };

/** Which part of what fits, as read; all of it unless given. */
export type Paging = Partial<ParamValues<typeof PAGE_PARAMS>>;

/** How a list answers when it gives no list. */
export const LIST_REFUSALS: Route<unknown>["replies"] = {
  400: errorDoc("A query parameter cannot be read"),
  409: errorDoc("What was waited for did not come about in time"),
  503: errorDoc("The service stopped meanwhile, or too many wait already"),
};

/** Who asks: what is known of its end. */
type Asker = Pick<HttpCall, "gone">;

/** The shared parameters as read. */
export type ListQuery = ParamValues<typeof LIST_PARAMS>;

/** The part of the shared parameters that says which events. Throws as {@link checkNames}. */
export function toFilter(
  query: ParamValues<typeof FILTER_PARAMS>,
  ctx: Pick<RouteContext, "events" | "names" | "now"> & { readonly plugin?: string | undefined },
  { comes }: { readonly comes: boolean },
): EventFilter {
  const { plugin } = ctx;
  checkNames({ ...query, plugin }, { ctx, comes });
  const now = ctx.now();
  return {
    ...compact({
      plugin,
      provider: query.provider,
      namespace: query.namespace,
      type: query.type,
      search: query.search,
      since: query.since === undefined ? undefined : query.since(now),
      after: query.after,
    }),
  };
}

/** Throws `ApiError` 400 for a name that no event can bear or, where events must come, that none bears now. */
export function checkNames(
  asked: NamesAsked,
  where: { readonly ctx: NameContext; readonly comes: boolean },
): void {
  try {
    checkEventNames(asked, { ...where, cannot: "Cannot select events" });
  } catch (error) {
    throw error instanceof RangeError ? new ApiError(400, error.message) : error;
  }
}

/** The part of the shared parameters that says how many. */
export function toPage(query: Paging, match?: Page["match"]): Page {
  return {
    ...compact({ limit: query.limit, offset: query.offset, match }),
  };
}

/** One call of a list route; without a plugin it is about the events of all. */
export interface ListCall<Q> {
  readonly http: Asker;
  readonly query: Q;
  readonly ctx: Pick<RouteContext, "events" | "names" | "signal" | "now" | "texts"> & {
    readonly plugin?: string | undefined;
  };
}

/**
 * The events that the shared parameters and `selection` select, newest first, waited for where the parameters say
 * so. Throws `ApiError` 409 with what was captured instead when that did not come about, 503 when the service stops.
 */
export async function listEvents(
  { http, query, ctx }: ListCall<ListQuery>,
  selection?: Selection,
): Promise<CapturedEvent[]> {
  const choice = await chooseBy({ query, ctx }, selection);
  if (!isWaiting(query)) return await listHeld(choice, query, ctx);
  const { filter, match } = choice;
  const wanted = { filter, ...(match === undefined ? {} : { match: atOnce(match) }) };
  return cut(await waitFor({ http, query, ctx }, wanted), query);
}

/** In one step: how long it takes is bounded by what is looked at of an event. */
function atOnce(match: (event: CapturedEvent) => boolean): NonNullable<Wanted["match"]> {
  return function* (event) {
    yield;
    return match(event);
  };
}

/** Whether the parameters ask to wait: they say so, or say for what or how long. */
export function isWaiting(
  query: Partial<Pick<ListQuery, "wait" | keyof typeof WAIT_PARAMS>>,
): boolean {
  return query.wait ??
    [query.count, query.timeout, query.absent].some((value) => value !== undefined);
}

/**
 * Forgets the events that `listEvents` would list for the same parameters, and no other; all of the plugin where none
 * is given. Followers hear of each, or that all of them were cleared.
 */
export async function clearEvents(
  { query, ctx }: Omit<ListCall<ParamValues<typeof CLEAR_PARAMS>>, "http">,
  selection?: Selection,
): Promise<void> {
  const choice = await chooseBy({ query, ctx }, selection);
  const { filter: { plugin, namespace, ...more }, match } = choice;
  if (match === undefined && Object.keys(more).length === 0) {
    ctx.events.clear(plugin, { namespace });
  } else {
    ctx.events.deleteAll(await listHeld(choice, {}, ctx));
  }
}

/** What says whether an event fits, in parts that cost more and more. */
interface Choice {
  readonly filter: EventFilter;
  readonly selection: Selection | undefined;
  readonly matchesText: ((event: CapturedEvent) => boolean) | undefined;
  /** The last two together. */
  readonly match: Page["match"] | undefined;
}

async function chooseBy(
  { query, ctx }: Omit<ListCall<ParamValues<typeof CLEAR_PARAMS> & Partial<ListQuery>>, "http">,
  selection: Selection | undefined,
): Promise<Choice> {
  const filter = toFilter(query, ctx, { comes: isWaiting(query) && query.absent !== true });
  const matchesText = await matchText(query, (event) => ctx.texts(event));
  const further = selection && ((event: CapturedEvent) => selection.matches(event));
  const match = matchesText === undefined
    ? further
    : (event: CapturedEvent) => further?.(event) !== false && matchesText(event);
  return { filter, selection, matchesText, match };
}

async function listHeld(
  { filter, selection, matchesText, match }: Choice,
  page: Paging,
  { events }: Pick<RouteContext, "events">,
): Promise<CapturedEvent[]> {
  const takesLong = selection?.takesLong === true;
  const last = takesLong ? match : matchesText;
  if (last === undefined) return events.list(filter, toPage(page, match));
  const isQuick = selection !== undefined && !takesLong;
  const candidates = events.list(
    filter,
    isQuick ? { match: (event) => selection.matches(event) } : {},
  );
  return await pick({ candidates, fits: last }, page);
}

/** What is looked through. */
interface Candidates {
  readonly candidates: readonly CapturedEvent[];
  readonly fits: (event: CapturedEvent) => boolean;
}

/** The page of what fits, looked for in slices of time: looking through a body can take as long as receiving it did. */
async function pick(
  { candidates, fits }: Candidates,
  { offset = 0, limit }: Paging,
): Promise<CapturedEvent[]> {
  const end = offset + (limit || Infinity);
  const found: CapturedEvent[] = [];
  const slice = new TimeSlice();
  for (const event of candidates) {
    if (slice.over) await slice.yieldToEventLoop();
    if (fits(event)) found.push(event);
    if (found.length >= end) break;
  }
  return found.slice(offset);
}

/** The fitting events, newest first. */
function cut(events: readonly CapturedEvent[], query: ListQuery): CapturedEvent[] {
  const from = query.offset ?? 0;
  return events.toReversed().slice(from, from + (query.limit || Infinity));
}

/** Waits as the parameters say, and returns what fits in order of capture. */
async function waitFor(
  { http, query, ctx }: ListCall<ParamValues<typeof WAIT_PARAMS>>,
  wanted: Wanted,
): Promise<readonly CapturedEvent[]> {
  const { count = 1, timeout: timeoutMs = DEFAULT_WAIT_MS, absent = false } = query;
  if (count < 1 || count > MAX_WAIT_COUNT) {
    throw new ApiError(
      400,
      `Cannot wait for ${count} entries: expected a count from 1 to ${MAX_WAIT_COUNT}` +
        (count === 0 ? "; absent=1 waits for none" : ""),
    );
  }
  const wait = { ...wanted, count, absent };
  const waited = await whileServing(
    { ...ctx, http },
    (signal) => waitForEvents(ctx.events, wait, { timeoutMs, signal }),
  );
  if (waited.met) return waited.events;
  const message = absent
    ? `Cannot confirm that fewer than ${count} entries fit: there are\n${toLines(waited.events)}`
    : `Cannot find what was waited for: ${waited.count} of ${count} entries fit after ` +
      `${timeoutMs} ms; ${whatWasCaptured(ctx.events, wanted.filter)}`;
  throw new ApiError(409, message);
}

/**
 * What a wait comes to; it ends when its client leaves. Throws `ApiError` 503 when the service stops meanwhile, and when
 * too many wait already.
 */
export async function whileServing<T>(
  { events, signal: stopped, http: { gone } }:
    & Pick<RouteContext, "events" | "signal">
    & { readonly http: Asker },
  wait: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (events.watchers >= MAX_WAITS) {
    throw new ApiError(503, `Cannot wait: ${MAX_WAITS} others do already; ask again later`);
  }
  const ended = new AbortController();
  const end = (): void => ended.abort();
  for (const signal of [stopped, gone]) {
    if (signal.aborted) end();
    signal.addEventListener("abort", end);
  }
  try {
    return await wait(ended.signal);
  } catch (error) {
    if (error instanceof TooMuchToLookAtError) throw new ApiError(503, error.message);
    if (!ended.signal.aborted) throw error;
    const why = stopped.aborted ? "the service stopped" : "the client left";
    throw new ApiError(503, `Cannot wait any longer: ${why}`);
  } finally {
    for (const signal of [stopped, gone]) signal.removeEventListener("abort", end);
  }
}

function toLines(events: readonly CapturedEvent[]): string {
  return events.slice(-10).map(({ id, type, summary }) => `  ${type} ${id}: ${summary}`).join("\n");
}

import { waitFor as settle } from "../bytes/steps.ts";
import { CHECK_LEVELS, type CheckLevel, isAtLeast } from "../checks/check.ts";
import { compact } from "../compact.ts";
import { ApiError } from "../errors.ts";
import type { CapturedEvent, EventFilter, Page } from "../events/event.ts";
import { ScanLimitError } from "../events/look.ts";
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

/** Query parameters that select events, in lists, waits and streams. */
export const FILTER_PARAMS = {
  provider: text("Only entries captured by this provider: its id, or its vendor such as sendgrid"),
  namespace: text("Only entries of this namespace"),
  type: text("Only entries of this event type"),
  search: text("Case-insensitive substring of the summary or type"),
  since: instant("Only entries received after this moment"),
  after: text("Only entries captured after the event of this id"),
};

/** Query parameters about the text of an event, and about its findings. */
export const TEXT_PARAMS = {
  checks: word("Only entries with a finding of this level or worse", CHECK_LEVELS),
  text: text("Case-insensitive substring of all text that a person reads in the entry"),
  has: word("Only entries with a one-time code, a link or a token in their text", [
    "code",
    "link",
    "token",
  ]),
};

/** Query parameters that select a page of the matches. */
export const PAGE_PARAMS = {
  limit: count("Maximum number of entries; 0 or absent means all"),
  offset: count("Entries to skip"),
};

/** Query parameters of a wait. */
export const WAIT_PARAMS = {
  count: count("Number of events that must match before the response; 1 by default"),
  timeout: duration("How long to wait; 5s by default, at most 60s", MAX_WAIT_MS),
  absent: boolean("Inverts the wait: fewer than count may match until the timeout"),
};

/** Query parameters of every list route. */
export const LIST_PARAMS = {
  ...FILTER_PARAMS,
  ...TEXT_PARAMS,
  ...PAGE_PARAMS,
  wait: boolean(
    "Wait according to count, timeout and absent; true by default if one of these is given",
  ),
  ...WAIT_PARAMS,
};

/** Query parameters of every route that clears a list: the filters of the list. */
export const CLEAR_PARAMS = { ...FILTER_PARAMS, ...TEXT_PARAMS };

/** The requested part of the matches; by default all. */
export type Paging = Partial<ParamValues<typeof PAGE_PARAMS>>;

/** Responses of a list other than the list itself. */
export const LIST_REFUSALS: Route<unknown>["replies"] = {
  400: errorDoc("A query parameter is invalid"),
  409: errorDoc("The wait failed within the timeout"),
  503: errorDoc("The service stopped, or too many requests are already waiting"),
};

/** The client; its `gone` ends the wait. */
type Asker = Pick<HttpCall, "gone">;

/** The shared parameters as read. */
export type ListQuery = ParamValues<typeof LIST_PARAMS>;

/** Returns the filter in the shared parameters. Throws as {@link checkNames}. */
export function toFilter(
  query: ParamValues<typeof FILTER_PARAMS>,
  ctx: Pick<RouteContext, "events" | "names" | "now"> & { readonly plugin?: string | undefined },
  { comes }: { readonly comes: boolean },
): EventFilter {
  const { plugin } = ctx;
  const { provider, plugin: owner } = checkNames(
    { plugin, type: query.type, provider: query.provider },
    { ctx, comes },
  );
  const now = ctx.now();
  return {
    ...compact({
      plugin: owner,
      provider,
      namespace: query.namespace,
      type: query.type,
      search: query.search,
      since: query.since === undefined ? undefined : query.since(now),
    }),
    ...(query.after === undefined ? {} : ctx.events.behind(query.after)),
  };
}

/**
 * Returns the names as in events. Throws `ApiError` 400 for a name that no event can have or, if
 * new events are awaited, that no running provider has.
 */
export function checkNames(
  asked: NamesAsked,
  where: { readonly ctx: NameContext; readonly comes: boolean },
): NamesAsked {
  try {
    return checkEventNames(asked, { ...where, cannot: "Cannot select events" });
  } catch (error) {
    throw error instanceof RangeError ? new ApiError(400, error.message) : error;
  }
}

/** Returns the page in the shared parameters. */
export function toPage(query: Paging, match?: Page["match"]): Page {
  return {
    ...compact({ limit: query.limit, offset: query.offset, match }),
  };
}

/** One call of a list route; without a plugin, it lists events of all. */
export interface ListCall<Q> {
  readonly http: Asker;
  readonly query: Q;
  readonly ctx: Pick<RouteContext, "events" | "names" | "signal" | "now" | "texts" | "findings"> & {
    readonly plugin?: string | undefined;
  };
}

/**
 * Returns the selected events, newest first, after a wait if the parameters ask for one. Throws
 * `ApiError` 409 with the latest captures if the wait fails, 503 if the service stops.
 */
export async function listEvents(
  { http, query, ctx }: ListCall<ListQuery>,
  selection?: Selection,
): Promise<CapturedEvent[]> {
  const choice = await chooseBy({ query, ctx }, selection);
  if (!isWaiting(query)) return await listHeld(choice, query, ctx);
  const { filter, match, isFound } = choice;
  const wanted = {
    filter,
    ...(match === undefined && isFound === undefined ? {} : { match: inSteps(choice) }),
  };
  return cut(await waitFor({ http, query, ctx }, wanted), query);
}

/** Checks are slow; all other conditions together are one step. */
function inSteps({ match, isFound }: Choice): NonNullable<Wanted["match"]> {
  return function* (event) {
    yield;
    if (match?.(event) === false) return false;
    return isFound === undefined || (yield* settle(isFound(event)));
  };
}

/** Returns whether the parameters ask to wait, directly or by a condition or timeout. */
export function isWaiting(
  query: Partial<Pick<ListQuery, "wait" | keyof typeof WAIT_PARAMS>>,
): boolean {
  return query.wait ??
    [query.count, query.timeout, query.absent].some((value) => value !== undefined);
}

/**
 * Deletes the events that `listEvents` would list for the same parameters; without parameters, all
 * of the plugin. Subscribers are notified of each, or that all were cleared.
 */
export async function clearEvents(
  { query, ctx }: Omit<ListCall<ParamValues<typeof CLEAR_PARAMS>>, "http">,
  selection?: Selection,
): Promise<void> {
  const choice = await chooseBy({ query, ctx }, selection);
  const { filter: { plugin, namespace, ...more }, match, isFound } = choice;
  if (match === undefined && isFound === undefined && Object.keys(more).length === 0) {
    ctx.events.clear(plugin, { namespace });
  } else {
    ctx.events.deleteAll(await listHeld(choice, {}, ctx));
  }
}

/** Conditions on an event, in order of their cost. */
interface Choice {
  readonly filter: EventFilter;
  readonly selection: Selection | undefined;
  readonly matchesText: ((event: CapturedEvent) => boolean) | undefined;
  /** Both of the above: text, then findings. */
  readonly match: Page["match"] | undefined;
  /** Returns whether the checks find a problem of the requested level. */
  readonly isFound: ((event: CapturedEvent) => Promise<boolean>) | undefined;
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
  const { checks } = query;
  const isFound = checks && ((event: CapturedEvent) => hasFinding(event, checks, ctx));
  return { filter, selection, matchesText, match, isFound };
}

async function hasFinding(
  event: CapturedEvent,
  least: CheckLevel,
  { findings }: Pick<RouteContext, "findings">,
): Promise<boolean> {
  return (await findings(event)).some(({ level }) => isAtLeast(level, least));
}

/** Returns the events with a finding of this level or worse; all of them without a level. */
export async function withFindings<E extends CapturedEvent>(
  events: readonly E[],
  least: CheckLevel | undefined,
  ctx: Pick<RouteContext, "findings">,
): Promise<readonly E[]> {
  if (least === undefined) return events;
  const found: E[] = [];
  const slice = new TimeSlice();
  for (const event of events) {
    if (slice.over) await slice.yieldToEventLoop();
    if (await hasFinding(event, least, ctx)) found.push(event);
  }
  return found;
}

async function listHeld(
  { filter, selection, matchesText, match, isFound }: Choice,
  page: Paging,
  { events }: Pick<RouteContext, "events">,
): Promise<CapturedEvent[]> {
  const takesLong = selection?.takesLong === true;
  const last = takesLong ? match : matchesText;
  if (last === undefined && isFound === undefined) return events.list(filter, toPage(page, match));
  const isQuick = selection !== undefined && !takesLong;
  const candidates = events.list(
    filter,
    isQuick ? { match: (event) => selection.matches(event) } : {},
  );
  const fits = (event: CapturedEvent) => last?.(event) !== false && (isFound?.(event) ?? true);
  return await pick({ candidates, fits }, page);
}

/** Events to search. */
interface Candidates {
  readonly candidates: readonly CapturedEvent[];
  readonly fits: (event: CapturedEvent) => boolean | Promise<boolean>;
}

/**
 * Returns the requested page of the matches, searched in time slices: searching a body can take as
 * long as receiving it.
 */
async function pick(
  { candidates, fits }: Candidates,
  { offset = 0, limit }: Paging,
): Promise<CapturedEvent[]> {
  const end = offset + (limit || Infinity);
  const found: CapturedEvent[] = [];
  const slice = new TimeSlice();
  for (const event of candidates) {
    if (slice.over) await slice.yieldToEventLoop();
    const fit = fits(event);
    if (fit === true || (fit !== false && await fit)) found.push(event);
    if (found.length >= end) break;
  }
  return found.slice(offset);
}

/** Returns the matching events, newest first. */
function cut(events: readonly CapturedEvent[], query: ListQuery): CapturedEvent[] {
  const from = query.offset ?? 0;
  return events.toReversed().slice(from, from + (query.limit || Infinity));
}

/** Waits as the parameters ask, and returns the matches in order of capture. */
async function waitFor(
  { http, query, ctx }: ListCall<ParamValues<typeof WAIT_PARAMS>>,
  wanted: Wanted,
): Promise<readonly CapturedEvent[]> {
  const { count = 1, timeout: timeoutMs = DEFAULT_WAIT_MS, absent = false } = query;
  if (count < 1 || count > MAX_WAIT_COUNT) {
    throw new ApiError(
      400,
      `Cannot wait for ${count} events: expected a count from 1 to ${MAX_WAIT_COUNT}` +
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
    ? `Cannot confirm that fewer than ${count} events match: there are\n${toLines(waited.events)}`
    : `Timed out: ${waited.count} of ${count} events match after ` +
      `${timeoutMs} ms; ${whatWasCaptured(ctx.events, wanted.filter)}`;
  throw new ApiError(409, message);
}

/**
 * Returns the result of a wait, which ends when its client disconnects. Throws `ApiError` 503 if
 * the service stops meanwhile, or too many waits are active.
 */
export async function whileServing<T>(
  { events, signal: stopped, http: { gone } }:
    & Pick<RouteContext, "events" | "signal">
    & { readonly http: Asker },
  wait: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (events.watchers >= MAX_WAITS) {
    throw new ApiError(503, `Cannot wait: ${MAX_WAITS} other waits are active; try again later`);
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
    if (error instanceof ScanLimitError) throw new ApiError(503, error.message);
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

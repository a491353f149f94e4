import { waitFor, type WaitingSteps } from "../bytes/steps.ts";
import { CHECK_LEVELS, isAtLeast } from "../checks/check.ts";
import type { CapturedEvent, EventFilter, Page } from "../events/event.ts";
import { type Look, lookUntil } from "../events/look.ts";
import { matches } from "../events/query.ts";
import { DEFAULT_WAIT_MS, whatWasCaptured } from "../events/wait.ts";
import { compileExpectation, type Expectation } from "../expect/expectation.ts";
import { awaitVerdict, ExpectationError } from "../expect/expect.ts";
import type { ExpectationHistory } from "../expect/history.ts";
import { loadExtract, matchText } from "../extract/load.ts";
import { checkEventNames } from "../http/event_names.ts";
import { checkFilterNames, pluginOf, selectByValues } from "../http/filters.ts";
import type { RouteContext } from "../http/route.ts";
import type { ClearOptions, ListOptions, WaitOptions } from "./service.ts";

/** No matching event arrived in time. */
export class TimeoutError extends Error {
  /** Identifies the class by name, also across module copies. */
  override name = "TimeoutError";
}

/** Lists held events that match, newest first. */
export function listHeld<P>(
  ctx: RouteContext,
  type: string | undefined,
  options: ListOptions<P>,
  { cannot = "Cannot list events", more = [] }: Partial<Omit<Asking, "ctx" | "comes">> = {},
): CapturedEvent<P>[] {
  const { filter, page } = toQuery(type, options, { ctx, cannot, more });
  return ctx.events.list(filter, page) as CapturedEvent<P>[];
}

/** Deletes held events that match, and returns their number. */
export function clearHeld(
  ctx: RouteContext,
  plugin: string | undefined,
  options: ClearOptions,
): number {
  const cannot = "Cannot clear events";
  if (plugin !== undefined && typeof plugin !== "string") {
    throw new RangeError(
      `${cannot}: expected the id of a plugin as text, then further conditions`,
    );
  }
  const { type, ...list } = options;
  const named = plugin === undefined ? list : { ...list, plugin };
  const { filter, page } = toQuery(type, named, { ctx, cannot });
  const { plugin: of, namespace, ...more } = filter;
  if (page.match === undefined && Object.keys(more).length === 0) {
    return ctx.events.clear(of, { namespace });
  }
  return ctx.events.deleteAll(ctx.events.list(filter, page));
}

/** Resolves with the oldest held event that matches, or the next to arrive. */
export async function waitForEvent<P>(
  ctx: RouteContext,
  type: string,
  options: WaitOptions<P>,
): Promise<CapturedEvent<P>> {
  const { events, signal } = ctx;
  const cannot = `Cannot wait for ${type}`;
  const { timeoutMs = DEFAULT_WAIT_MS, text, has, checks, ...list } = options;
  checkWait({ timeoutMs, text, has, checks }, cannot);
  const { filter, page } = toQuery(type, list, { ctx, cannot, more: WAIT_NAMES, comes: true });
  const matchesText = await matchText({ text, has }, (event) => ctx.texts(event));
  const match = function* (event: CapturedEvent): WaitingSteps<boolean> {
    yield;
    if (page.match?.(event) === false || matchesText?.(event) === false) return false;
    if (checks === undefined) return true;
    const findings = yield* waitFor(ctx.findings(event));
    return findings.some(({ level }) => isAtLeast(level, checks));
  };
  const found = await unlessStopped(
    signal,
    `wait for ${type}`,
    () => lookUntil(events, firstOf(filter, match), { timeoutMs, signal }),
  );
  if (found !== undefined) return found as CapturedEvent<P>;
  throw new TimeoutError(
    `Cannot find a matching ${type} event: none arrived within ${timeoutMs} ms; ` +
      whatWasCaptured(events, filter),
  );
}

/** Resolves with the first that matches. */
function firstOf(
  filter: EventFilter,
  match: (event: CapturedEvent) => WaitingSteps<boolean>,
): Look<CapturedEvent> {
  let found: CapturedEvent | undefined;
  return {
    filter,
    slow: true,
    begin: () => void (found = undefined),
    wants: (item) => item.kind === "captured" && matches(item.event, filter),
    *take(item) {
      if (found !== undefined || item.kind !== "captured") return;
      if (yield* match(item.event)) found = item.event;
    },
    result: () => found,
  };
}

/** Resolves with the events that meet an expectation, in order of capture, and records the result. */
export async function expectEvents(
  ctx: RouteContext,
  expectation: Expectation,
  history: ExpectationHistory,
): Promise<CapturedEvent[]> {
  const { events, signal } = ctx;
  const extract = await loadExtract((event) => ctx.texts(event));
  const compiled = await compileExpectation(expectation, { extract, ctx });
  const verdict = await unlessStopped(
    signal,
    "see what is expected",
    () => history.record(expectation, () => awaitVerdict(events, compiled, signal)),
  );
  if (!verdict.met) throw new ExpectationError(verdict);
  return [...verdict.events];
}

async function unlessStopped<T>(
  signal: AbortSignal,
  what: string,
  wait: () => Promise<T>,
): Promise<T> {
  try {
    return await wait();
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new TimeoutError(`Cannot ${what}: the service stopped`);
  }
}

const LIST_NAMES = ["plugin", "provider", "namespace", "search", "since", "after", "match"];
const WAIT_NAMES = ["text", "has", "checks", "timeoutMs"];

interface Asking {
  readonly ctx: RouteContext;
  /** Beginning of an error message: the attempted action. */
  readonly cannot: string;
  /** Further known options, read elsewhere. */
  readonly more?: readonly string[];
  /** Whether a filter that no event can match is refused. */
  readonly comes?: boolean;
}

/** Reads options with the filters of the plugin that they or `type` name. Throws `RangeError` for unknown ones. */
function toQuery<P>(
  type: string | undefined,
  options: ListOptions<P>,
  { ctx, cannot, more = [], comes = false }: Asking,
): { filter: EventFilter; page: Page } {
  if (type !== undefined && typeof type !== "string") {
    throw new RangeError(`${cannot}: expected the event type as text, then further conditions`);
  }
  const plugin = pluginOf({ ...options, type });
  const names = Object.entries(options).filter(([, value]) => value !== undefined)
    .map(([name]) => name);
  const known = [...LIST_NAMES, ...more];
  checkFilterNames(names, { known, plugin, filters: ctx.filters, what: "option", cannot });
  const { match, after, plugin: of, provider, namespace, search, since, ...own } = options;
  checkList({ match, after, plugin: of, provider, namespace, search, since }, cannot);
  const named = checkEventNames({ plugin: of, type, provider }, { ctx, cannot, comes });
  const fits = selectByValues(own as Readonly<Record<string, unknown>>, { plugin, ctx });
  const given = { namespace, search, since, type, ...named };
  const matches = match === undefined ? undefined : toTest(match, cannot);
  return {
    filter: {
      ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
      ...(after === undefined ? {} : ctx.events.behind(after.id)),
    },
    page: fits === undefined && matches === undefined
      ? {}
      : { match: (event) => fits?.(event) !== false && matches?.(event) !== false },
  };
}

/** Returns the caller's function as a strict test. It may return any value, as for `Array.find`, but not a promise. */
function toTest<P>(
  match: NonNullable<ListOptions<P>["match"]>,
  cannot: string,
): (event: CapturedEvent) => boolean {
  return (event) => {
    const result: unknown = match(event as CapturedEvent<P>);
    if (result instanceof Promise) {
      throw new RangeError(`${cannot}: match must return true or false, not a promise of it`);
    }
    return Boolean(result);
  };
}

/** Rejects values that would match nothing, or everything. */
function checkList(options: Readonly<Record<string, unknown>>, cannot: string): void {
  for (const name of ["plugin", "provider", "namespace", "search"]) {
    expectThat(
      options[name],
      (value) => typeof value === "string",
      `${cannot}: ${name} must be text`,
    );
  }
  const { match, after, since } = options;
  expectThat(
    since,
    (value) => value instanceof Date && !Number.isNaN(value.getTime()),
    `${cannot}: since must be a Date with a time`,
  );
  expectThat(
    after,
    (value) => typeof (value as Partial<CapturedEvent> | null)?.id === "string",
    `${cannot}: after must be an event`,
  );
  expectThat(
    match,
    (value) => typeof value === "function",
    `${cannot}: match must be a function of the event; conditions by path are for expect`,
  );
}

function checkWait(
  { timeoutMs, text, has, checks }: Readonly<Record<string, unknown>>,
  cannot: string,
): void {
  checkTimeout(timeoutMs, cannot);
  expectThat(text, (value) => typeof value === "string", `${cannot}: text must be text`);
  expectThat(
    has,
    (value) => value === "code" || value === "link" || value === "token",
    `${cannot}: has must be one of code, link, token`,
  );
  expectThat(
    checks,
    (value) => CHECK_LEVELS.some((level) => level === value),
    `${cannot}: checks must be one of ${CHECK_LEVELS.join(", ")}`,
  );
}

/** Throws a `RangeError` unless it is an event: often the first of an empty list is passed, or an id. */
export function checkEvent(event: unknown, cannot: string): void {
  const id = (event as Partial<CapturedEvent> | null | undefined)?.id;
  if (typeof id === "string") return;
  const given = typeof event === "string" ? `"${event}"` : String(event);
  throw new RangeError(`${cannot}: expected an event, as list returns it, not ${given}`);
}

/** Throws a `RangeError` unless a timeout is a number of milliseconds, or absent. */
export function checkTimeout(timeoutMs: unknown, cannot: string): void {
  expectThat(
    timeoutMs,
    (value) => typeof value === "number" && value >= 0,
    `${cannot}: timeoutMs must be a number of milliseconds`,
  );
}

function expectThat(value: unknown, holds: (value: unknown) => boolean, message: string): void {
  if (value !== undefined && !holds(value)) throw new RangeError(message);
}

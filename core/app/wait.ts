import type { CapturedEvent, EventFilter, EventStore, EventText, Page } from "../events/event.ts";
import { matches } from "../events/query.ts";
import { DEFAULT_WAIT_MS, lookUntil, whatWasCaptured } from "../events/wait.ts";
import { compileExpectation, type Expectation } from "../expect/expectation.ts";
import { ExpectationError, holdAgainst } from "../expect/expect.ts";
import { loadExtract, matchText } from "../extract/load.ts";
import type { ListOptions, WaitOptions } from "./service.ts";

/** Nothing fitting arrived in time. */
export class TimeoutError extends Error {
  /** Tells the class by name, also across module copies. */
  override name = "TimeoutError";
}

/** What is waited with. */
export interface WaitContext {
  readonly events: EventStore;
  /** Aborts when the service begins to stop. */
  readonly signal: AbortSignal;
  texts(event: CapturedEvent): readonly EventText[];
}

/** What is held and fits, newest first. */
export function listHeld<P>(
  events: EventStore,
  type: string | undefined,
  options: ListOptions<P>,
): CapturedEvent<P>[] {
  const { filter, page } = toQuery(type, options);
  return events.list(filter, page) as CapturedEvent<P>[];
}

/** Resolves with the oldest held event that fits, or the next to arrive. */
export async function waitForEvent<P>(
  { events, signal, texts }: WaitContext,
  type: string,
  options: WaitOptions<P>,
): Promise<CapturedEvent<P>> {
  const { timeoutMs = DEFAULT_WAIT_MS, text, has, ...list } = options;
  const matchesText = await matchText({ text, has }, texts);
  const { filter, page } = toQuery(type, list);
  const match = (event: CapturedEvent) =>
    page.match?.(event) !== false && (matchesText === undefined || matchesText(event));
  const found = await unlessStopped(signal, `wait for ${type}`, () =>
    lookUntil(events, (item) => {
      if (item === undefined) return events.list(filter, { match }).at(-1);
      if (item.kind !== "captured" || !matches(item.event, filter)) return undefined;
      return match(item.event) ? item.event : undefined;
    }, { timeoutMs, signal }));
  if (found !== undefined) return found as CapturedEvent<P>;
  throw new TimeoutError(
    `Cannot find a fitting ${type} event: none arrived within ${timeoutMs} ms; ` +
      whatWasCaptured(events, filter),
  );
}

/** Resolves with the events that meet an expectation, in order of capture. */
export async function expectEvents(
  { events, signal, texts }: WaitContext,
  expectation: Expectation,
): Promise<CapturedEvent[]> {
  const compiled = await compileExpectation(expectation, await loadExtract(texts));
  const verdict = await unlessStopped(
    signal,
    "see what is expected",
    () => holdAgainst(events, compiled, signal),
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

function toQuery<P>(
  type: string | undefined,
  { match, after, ...filter }: ListOptions<P>,
): { filter: EventFilter; page: Page } {
  return {
    filter: {
      ...filter,
      ...(type === undefined ? {} : { type }),
      ...(after === undefined ? {} : { after: after.id }),
    },
    page: match === undefined ? {} : { match: (event) => match(event as CapturedEvent<P>) },
  };
}

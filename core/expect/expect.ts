/** Checks an expectation against captured events, and waits while it may still be met. */
import type { WaitingSteps } from "../bytes/steps.ts";
import type { CapturedEvent, EventFilter, EventStore, StreamItem } from "../events/event.ts";
import { type Counted, isGone, type Look, lookUntil, toCounted } from "../events/look.ts";
import { matches } from "../events/query.ts";
import { FitCount, whyNothing } from "../events/wait.ts";
import { inSlices } from "../time_slice.ts";
import type { CompiledExpectation } from "./expectation.ts";
import type { CompiledPattern } from "./pattern.ts";
import { closestTo, describeNearMiss, type NearMiss } from "./near_miss.ts";

/** Result of an expectation. */
export interface Verdict {
  /** Whether it is met. */
  readonly met: boolean;
  /** Number of matching events; with an order, the number of its steps met. */
  readonly count: number;
  /** The matching events still held, in order of capture. */
  readonly events: readonly CapturedEvent[];
  /** With an order: the first step that was not met, from 0. */
  readonly step?: number;
  /** The difference, if too few match. */
  readonly closest?: NearMiss;
  /** Readable error; absent if the expectation was met. */
  readonly message?: string;
}

/** An expectation was not met. The message has the closest event, condition by condition. */
export class ExpectationError extends Error {
  /** Identifies the class by name, also across module copies. */
  override name = "ExpectationError";

  /** Takes the result of the expectation. */
  constructor(readonly verdict: Verdict) {
    super(verdict.message);
  }
}

/** Waits until the expectation is met, can no longer be met, or times out. Rejects when `signal` aborts. */
export async function awaitVerdict(
  store: EventStore,
  expectation: CompiledExpectation,
  signal: AbortSignal,
): Promise<Verdict> {
  const patience = { timeoutMs: expectation.timeoutMs, signal };
  if (expectation.inOrder) {
    const sequence = new Sequence(store, expectation.patterns);
    await lookUntil(store, sequence, patience);
    return await inSlices(orderVerdict(store, expectation, sequence));
  }
  const { min, max, patterns } = expectation;
  const { filter, match, slow } = patterns[0]!;
  // A lower bound can be met at once; a lone upper bound is watched to the end.
  const conclude = (count: number): true | undefined =>
    count > max || (min > 0 && count >= min) ? true : undefined;
  const fitting = new FitCount(store, slow ? { filter, match } : { filter }, conclude);
  await lookUntil(store, fitting, patience);
  return await inSlices(countVerdict(store, expectation, fitting));
}

function* countVerdict(
  store: EventStore,
  { min, max, patterns, timeoutMs }: CompiledExpectation,
  { count, events }: FitCount<true>,
): WaitingSteps<Verdict> {
  if (count >= min && count <= max) return { met: true, count, events };
  const found = `${count} ${count === 1 ? "event matches" : "events match"}`;
  if (count > max) {
    const lines = events.slice(-10).map((event) => `  ${event.type} ${event.id}: ${event.summary}`);
    const message = `Cannot confirm what was expected: ${found}, expected at most ${max}:\n` +
      lines.join("\n");
    return { met: false, count, events, message };
  }
  const head = `Cannot find what was expected after ${timeoutMs} ms: ${found}, expected ` +
    (min === max ? `${min}` : `at least ${min}`);
  const except = new Set(events.map(({ id }) => id));
  const closest = yield* closestTo(patterns[0]!, store, { after: undefined, except });
  return { met: false, count, events, ...missed(store, head, closest) };
}

function* orderVerdict(
  store: EventStore,
  { patterns, timeoutMs }: CompiledExpectation,
  { events, count }: Sequence,
): WaitingSteps<Verdict> {
  if (count === patterns.length) return { met: true, count, events };
  const head = `Cannot find what was expected after ${timeoutMs} ms: order[${count}] did not come` +
    (count === 0 ? "" : ` after the ${count} before it`);
  const except = new Set(events.map(({ id }) => id));
  const closest = yield* closestTo(patterns[count]!, store, { after: events.at(-1), except });
  return { met: false, count, events, step: count, ...missed(store, head, closest) };
}

function missed(
  store: EventStore,
  head: string,
  closest: NearMiss | undefined,
): { message: string; closest?: NearMiss } {
  if (closest === undefined) {
    const found = store.count() === 0
      ? `nothing at all was captured: ${whyNothing(store)}`
      : "nothing else was captured";
    return { message: `${head}; ${found}` };
  }
  return { message: `${head}; ${describeNearMiss(closest)}`, closest };
}

/** Matches patterns in order of capture: the first event for each, as early as possible. */
class Sequence implements Look<true> {
  readonly filter: EventFilter = {};
  readonly slow: boolean;
  readonly #store: EventStore;
  readonly #patterns: readonly CompiledPattern[];
  #matched: Counted[] = [];

  constructor(store: EventStore, patterns: readonly CompiledPattern[]) {
    this.#store = store;
    this.#patterns = patterns;
    this.slow = patterns.some(({ slow }) => slow);
  }

  get count(): number {
    return this.#matched.length;
  }

  get events(): CapturedEvent[] {
    return this.#matched.flatMap(({ id }) => this.#store.get(id) ?? []);
  }

  /** Also after a counted event was deleted or cleared: starts again with the held events. */
  begin(): void {
    this.#matched = [];
  }

  wants(item: StreamItem): boolean {
    return item.kind !== "captured" ||
      this.#patterns.some(({ filter }) => matches(item.event, filter));
  }

  *take(item: StreamItem): WaitingSteps<"again" | void> {
    if (item.kind !== "captured") {
      return this.#matched.some((event) => isGone(event, item)) ? "again" : undefined;
    }
    const next = this.#patterns[this.count];
    if (next === undefined || !matches(item.event, next.filter)) return;
    if (yield* next.match(item.event)) this.#matched.push(toCounted(item.event));
  }

  /** Returns whether all steps were met. */
  result(): true | undefined {
    return this.count === this.#patterns.length ? true : undefined;
  }
}

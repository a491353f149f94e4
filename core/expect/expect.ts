/** Holds an expectation against what is captured, waiting where it may still come true. */
import type { CapturedEvent, EventStore, StreamItem } from "../events/event.ts";
import { matches } from "../events/query.ts";
import { type Counted, FitCount, isGone, lookUntil, toCounted } from "../events/wait.ts";
import type { CompiledExpectation } from "./expectation.ts";
import type { CompiledPattern } from "./pattern.ts";
import { closestTo, describeNearMiss, type NearMiss } from "./near_miss.ts";

/** What an expectation came to. */
export interface Verdict {
  /** Whether it is met. */
  readonly met: boolean;
  /** How many events fit; in order, how many of the order came. */
  readonly count: number;
  /** Those of them that are still held, in order of capture. */
  readonly events: readonly CapturedEvent[];
  /** In order: the first pattern that did not come, from 0. */
  readonly step?: number;
  /** What differs, when too few fit. */
  readonly closest?: NearMiss;
  /** What went wrong, for people; absent when the expectation was met. */
  readonly message?: string;
}

/** An expectation was not met. The message has the closest event, condition by condition. */
export class ExpectationError extends Error {
  /** Tells the class by name, also across module copies. */
  override name = "ExpectationError";

  /** Takes what the expectation came to. */
  constructor(readonly verdict: Verdict) {
    super(verdict.message);
  }
}

/** Waits until the expectation is met, cannot be met any more, or its time is over. Rejects when `signal` aborts. */
export async function holdAgainst(
  store: EventStore,
  expectation: CompiledExpectation,
  signal: AbortSignal,
): Promise<Verdict> {
  const patience = { timeoutMs: expectation.timeoutMs, signal };
  if (expectation.inOrder) {
    const sequence = new Sequence(store, expectation.patterns);
    await lookUntil(store, (item) => sequence.take(item), patience);
    return orderVerdict(store, expectation, sequence);
  }
  const fitting = new FitCount(store, expectation.patterns[0]!);
  const { min, max } = expectation;
  await lookUntil(store, (item) => {
    fitting.take(item);
    // With a lower bound it is met at once; an upper bound alone is watched to the end.
    return fitting.count > max || (min > 0 && fitting.count >= min) ? true : undefined;
  }, patience);
  return countVerdict(store, expectation, fitting);
}

function countVerdict(
  store: EventStore,
  { min, max, patterns, timeoutMs }: CompiledExpectation,
  { count, events }: FitCount,
): Verdict {
  if (count >= min && count <= max) return { met: true, count, events };
  const found = `${count} ${count === 1 ? "event fits" : "events fit"}`;
  if (count > max) {
    const lines = events.slice(-10).map((event) => `  ${event.type} ${event.id}: ${event.summary}`);
    const message = `Cannot confirm what was expected: ${found}, expected at most ${max}:\n` +
      lines.join("\n");
    return { met: false, count, events, message };
  }
  const head = `Cannot find what was expected after ${timeoutMs} ms: ${found}, expected ` +
    (min === max ? `${min}` : `at least ${min}`);
  const except = new Set(events.map(({ id }) => id));
  const closest = closestTo(patterns[0]!, store, { after: undefined, except });
  return { met: false, count, events, ...missed(head, closest) };
}

function orderVerdict(
  store: EventStore,
  { patterns, timeoutMs }: CompiledExpectation,
  { events, count }: Sequence,
): Verdict {
  if (count === patterns.length) return { met: true, count, events };
  const head = `Cannot find what was expected after ${timeoutMs} ms: order[${count}] did not come` +
    (count === 0 ? "" : ` after the ${count} before it`);
  const except = new Set(events.map(({ id }) => id));
  const closest = closestTo(patterns[count]!, store, { after: events.at(-1), except });
  return { met: false, count, events, step: count, ...missed(head, closest) };
}

function missed(
  head: string,
  closest: NearMiss | undefined,
): { message: string; closest?: NearMiss } {
  if (closest === undefined) return { message: `${head}; nothing else was captured` };
  return { message: `${head}; ${describeNearMiss(closest)}`, closest };
}

/** Follows patterns through the events in order of capture: the first that fits each, as early as possible. */
class Sequence {
  readonly #store: EventStore;
  readonly #patterns: readonly CompiledPattern[];
  #matched: Counted[] = [];

  constructor(store: EventStore, patterns: readonly CompiledPattern[]) {
    this.#store = store;
    this.#patterns = patterns;
  }

  get count(): number {
    return this.#matched.length;
  }

  get events(): CapturedEvent[] {
    return this.#matched.flatMap(({ id }) => this.#store.get(id) ?? []);
  }

  /** Returns true when all came. */
  take(item: StreamItem | undefined): true | undefined {
    if (item === undefined) this.#restart();
    else if (item.kind === "captured") this.#follow(item.event);
    else if (this.#matched.some((event) => isGone(event, item))) this.#restart();
    return this.count === this.#patterns.length ? true : undefined;
  }

  /** From the beginning, with what is held: also when one that was counted is deleted or cleared. */
  #restart(): void {
    this.#matched = [];
    for (const event of this.#store.list({}).reverse()) this.#follow(event);
  }

  #follow(event: CapturedEvent): void {
    const next = this.#patterns[this.count];
    if (next !== undefined && matches(event, next.filter) && next.match(event)) {
      this.#matched.push(toCounted(event));
    }
  }
}

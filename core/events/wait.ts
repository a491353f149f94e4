import type { Steps } from "../bytes/steps.ts";
import { compact } from "../compact.ts";
import type { CapturedEvent, EventFilter, EventStore, StreamItem } from "./event.ts";
import { type Counted, isGone, type Look, lookUntil, type Patience, toCounted } from "./look.ts";
import { matches } from "./query.ts";

/** Most milliseconds that anything may be waited for over the API. */
export const MAX_WAIT_MS = 60_000;
/** Milliseconds waited unless something else is said. */
export const DEFAULT_WAIT_MS = 5000;
/** Most events one wait may ask for. */
export const MAX_WAIT_COUNT = 10_000;

/** Most waits at a time over the API. */
export const MAX_WAITS = 5000;

/** Which events count. */
export interface Wanted {
  readonly filter: EventFilter;
  /** Further than the filter; may take long, in steps. */
  readonly match?: (event: CapturedEvent) => Steps<boolean>;
}

/**
 * Counts the events that fit, those held first and then each that arrives. What is evicted meanwhile did arrive and
 * still counts; what somebody deletes or clears does not. Only ids are kept, so that a wait holds no event.
 */
export class FitCount<T> implements Look<T> {
  readonly filter: EventFilter;
  readonly slow: boolean;
  readonly #store: EventStore;
  readonly #match: Wanted["match"];
  readonly #conclude: (count: number) => T | undefined;
  #found: Counted[] = [];

  /** `conclude` says what comes of so many, once all that is held is counted. */
  constructor(
    store: EventStore,
    { filter, match }: Wanted,
    conclude: (count: number) => T | undefined,
  ) {
    this.#store = store;
    this.filter = filter;
    this.slow = match !== undefined;
    this.#match = match;
    this.#conclude = conclude;
  }

  get count(): number {
    return this.#found.length;
  }

  /** Those that are still held, in order of capture. */
  get events(): CapturedEvent[] {
    return this.#found.flatMap(({ id }) => this.#store.get(id) ?? []);
  }

  begin(): void {
    this.#found = [];
  }

  wants(item: StreamItem): boolean {
    return item.kind !== "captured" || matches(item.event, this.filter);
  }

  *take(item: StreamItem): Steps<void> {
    if (item.kind !== "captured") {
      this.#found = this.#found.filter((event) => !isGone(event, item));
    } else if (this.#match === undefined || (yield* this.#match(item.event))) {
      this.#found.push(toCounted(item.event));
    }
  }

  result(): T | undefined {
    return this.#conclude(this.count);
  }
}

/** What a wait came to. */
export interface Waited {
  /** Whether what was wanted came about. */
  readonly met: boolean;
  /** How many fit. */
  readonly count: number;
  /** Those of them that are still held, in order of capture. */
  readonly events: readonly CapturedEvent[];
}

/**
 * Waits until `count` (1 unless given) events fit, those held already included. With `absent`, the other way round:
 * that there are fewer until the time is over.
 */
export async function waitForEvents(
  store: EventStore,
  wanted: Wanted & { readonly count?: number; readonly absent?: boolean },
  patience: Patience,
): Promise<Waited> {
  const { count = 1, absent = false } = wanted;
  const fitting = new FitCount(store, wanted, (found) => found >= count ? true : undefined);
  const reached = await lookUntil(store, fitting, patience);
  return { met: (reached ?? false) !== absent, count: fitting.count, events: fitting.events };
}

/** Where to look when not a single event of a plugin and a namespace is held. */
export function whyNothing(
  store: EventStore,
  { plugin, namespace }: Pick<EventFilter, "plugin" | "namespace"> = {},
): string {
  if (namespace !== undefined && store.count(plugin) > 0) {
    return "what was captured belongs to other namespaces, so see how the sender names its own";
  }
  return "see that what sends is pointed here, and that no test framework holds it back, " +
    "as pytest-django does with mail; /api/v1/rejected has what was refused, " +
    "`standin doctor` finds what keeps clients away";
}

/** The last ten events of a plugin and a namespace, a line each: most waits in vain are explained by it. */
export function whatWasCaptured(
  store: EventStore,
  of: Pick<EventFilter, "plugin" | "namespace">,
): string {
  const { plugin, namespace } = of;
  const latest = store.list({
    ...compact({ plugin, namespace }),
  }, { limit: 10 });
  if (latest.length === 0) {
    const what = plugin === undefined
      ? "nothing at all was captured"
      : `${plugin} captured nothing`;
    const where = namespace === undefined ? "" : ` in namespace "${namespace}"`;
    return `${what}${where}: ${whyNothing(store, of)}`;
  }
  const lines = latest.map((event) => `  ${event.type} by ${event.provider}: ${event.summary}`);
  return `captured so far, newest first:\n${lines.join("\n")}`;
}

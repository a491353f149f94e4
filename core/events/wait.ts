import type { WaitingSteps } from "../bytes/steps.ts";
import { compact } from "../compact.ts";
import type { CapturedEvent, EventFilter, EventStore, StreamItem } from "./event.ts";
import { type Counted, isGone, type Look, lookUntil, type Patience, toCounted } from "./look.ts";
import { matches } from "./query.ts";

/** Maximum wait over the API, in milliseconds. */
export const MAX_WAIT_MS = 60_000;
/** Default timeout, in milliseconds. */
export const DEFAULT_WAIT_MS = 5000;
/** Maximum number of events of one wait. */
export const MAX_WAIT_COUNT = 10_000;

/** Maximum number of concurrent waits over the API. */
export const MAX_WAITS = 5000;

/** Selects the events that count. */
export interface Wanted {
  readonly filter: EventFilter;
  /** Condition in addition to the filter; may be slow, and then works in steps. */
  readonly match?: (event: CapturedEvent) => WaitingSteps<boolean>;
}

/**
 * Counts matching events, first those held and then each that arrives. Events evicted meanwhile still count; deleted or
 * cleared ones do not. Keeps only ids, so that a wait holds no event.
 */
export class FitCount<T> implements Look<T> {
  readonly filter: EventFilter;
  readonly slow: boolean;
  readonly #store: EventStore;
  readonly #match: Wanted["match"];
  readonly #conclude: (count: number) => T | undefined;
  #found: Counted[] = [];

  /** `conclude` maps the count to the result, once the held events are counted. */
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

  /** Returns the events that are still held, in order of capture. */
  get events(): CapturedEvent[] {
    return this.#found.flatMap(({ id }) => this.#store.get(id) ?? []);
  }

  begin(): void {
    this.#found = [];
  }

  wants(item: StreamItem): boolean {
    return item.kind !== "captured" || matches(item.event, this.filter);
  }

  *take(item: StreamItem): WaitingSteps<void> {
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

/** Result of a wait. */
export interface Waited {
  /** Whether the condition was met. */
  readonly met: boolean;
  /** Number of matching events. */
  readonly count: number;
  /** Those of them that are still held, in order of capture. */
  readonly events: readonly CapturedEvent[];
}

/**
 * Waits until `count` events match (default 1), including those already held. With `absent`, checks that there are fewer
 * until the timeout.
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

/** Hint for a wait when no event of the plugin and namespace is held. */
export function whyNothing(
  store: EventStore,
  { plugin, namespace }: Pick<EventFilter, "plugin" | "namespace"> = {},
): string {
  if (namespace !== undefined && store.count(plugin) > 0) {
    return "the captures belong to other namespaces; check how the sender sets its namespace";
  }
  return "check that the sender uses this service, and that no test framework intercepts it, " +
    "as pytest-django does with mail; /api/v1/rejected has what was refused, " +
    "`standin doctor` finds connection problems";
}

/** Returns the last ten events of a plugin and namespace, one per line: they explain most timeouts. */
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

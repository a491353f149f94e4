import type { CapturedEvent, EventFilter, EventStore, Page, StreamItem } from "./event.ts";
import { matches } from "./query.ts";

/** Most milliseconds that anything may be waited for over the API. */
export const MAX_WAIT_MS = 60_000;
/** Milliseconds waited unless something else is said. */
export const DEFAULT_WAIT_MS = 5000;
/** Most events one wait may ask for. */
export const MAX_WAIT_COUNT = 10_000;

/** Most waits at a time over the API. */
export const MAX_WAITS = 5000;

/** How long to look. */
export interface Patience {
  readonly timeoutMs: number;
  /** Ends the wait at once: the service stops, or nobody is left to be told. */
  readonly signal: AbortSignal;
}

/**
 * Calls `look` once for what is held (`undefined`) and within each change from then on, until it returns something.
 * `undefined` when the time is over. Rejects with what `look` throws, and with the reason of the signal.
 */
export function lookUntil<T>(
  store: EventStore,
  look: (item: StreamItem | undefined) => T | undefined,
  { timeoutMs, signal }: Patience,
): Promise<T | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<T | undefined>();
  let ended = false;
  const end = (settle: () => void) => {
    ended = true;
    settle();
  };
  const tryLook = (item: StreamItem | undefined) => {
    if (ended) return;
    try {
      const found = look(item);
      if (found !== undefined) end(() => resolve(found));
    } catch (error) {
      end(() => reject(error));
    }
  };
  const onAbort = () => end(() => reject(signal.reason));
  if (signal.aborted) onAbort();
  tryLook(undefined);
  if (ended || timeoutMs <= 0) {
    resolve(undefined);
    return promise;
  }
  const unwatch = store.watch(tryLook);
  const timer = setTimeout(() => end(() => resolve(undefined)), timeoutMs);
  signal.addEventListener("abort", onAbort);
  return promise.finally(() => {
    unwatch();
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  });
}

/** Which events count. */
export interface Wanted {
  readonly filter: EventFilter;
  readonly match?: Page["match"];
}

/** What is remembered of an event that counts. */
export type Counted = Pick<CapturedEvent, "id" | "plugin" | "namespace">;

/** All that has to be remembered of an event to know when it is gone. */
export function toCounted({ id, plugin, namespace }: CapturedEvent): Counted {
  return { id, plugin, ...(namespace === undefined ? {} : { namespace }) };
}

/**
 * Counts the events that fit, those held first and then each that arrives. What is evicted meanwhile did arrive and
 * still counts; what somebody deletes or clears does not. Only ids are kept, so that a wait holds no event.
 */
export class FitCount {
  readonly #store: EventStore;
  readonly #wanted: Wanted;
  #found: Counted[] = [];

  constructor(store: EventStore, wanted: Wanted) {
    this.#store = store;
    this.#wanted = wanted;
  }

  get count(): number {
    return this.#found.length;
  }

  /** Those that are still held, in order of capture. */
  get events(): CapturedEvent[] {
    return this.#found.flatMap(({ id }) => this.#store.get(id) ?? []);
  }

  /** What `lookUntil` looks at. */
  take(item: StreamItem | undefined): void {
    const { filter, match } = this.#wanted;
    if (item === undefined) {
      const held = this.#store.list(filter, match === undefined ? {} : { match });
      this.#found = held.reverse().map(toCounted);
    } else if (item.kind !== "captured") {
      this.#found = this.#found.filter((event) => !isGone(event, item));
    } else if (matches(item.event, filter) && match?.(item.event) !== false) {
      this.#found.push(toCounted(item.event));
    }
  }
}

/** Whether a deletion or a clearing took an event. */
export function isGone(event: Counted, item: StreamItem): boolean {
  if (item.kind === "deleted") return item.id === event.id;
  return item.kind === "cleared" &&
    (item.plugin === undefined || item.plugin === event.plugin) &&
    (item.namespace === undefined || item.namespace === event.namespace);
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
  const fitting = new FitCount(store, wanted);
  const reached = await lookUntil(store, (item) => {
    fitting.take(item);
    return fitting.count >= count ? true : undefined;
  }, patience);
  return { met: (reached ?? false) !== absent, count: fitting.count, events: fitting.events };
}

/** The last ten events of a plugin and a namespace, a line each: most waits in vain are explained by it. */
export function whatWasCaptured(
  store: EventStore,
  { plugin, namespace }: Pick<EventFilter, "plugin" | "namespace">,
): string {
  const latest = store.list({
    ...(plugin === undefined ? {} : { plugin }),
    ...(namespace === undefined ? {} : { namespace }),
  }, { limit: 10 });
  if (latest.length === 0) {
    const what = plugin === undefined
      ? "nothing at all was captured"
      : `${plugin} captured nothing`;
    return namespace === undefined ? what : `${what} in namespace "${namespace}"`;
  }
  const lines = latest.map((event) => `  ${event.type} by ${event.provider}: ${event.summary}`);
  return `captured so far, newest first:\n${lines.join("\n")}`;
}

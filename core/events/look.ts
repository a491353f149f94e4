/** Inspects events for a wait: first those held, then each change, in time slices. */
import { runToEnd, type WaitingSteps } from "../bytes/steps.ts";
import { MAX_TIMER_MS } from "../clock.ts";
import { compact } from "../compact.ts";
import { inSlices } from "../time_slice.ts";
import { bytesOfEvent } from "./cost.ts";
import type { CapturedEvent, EventFilter, EventStore, StreamItem } from "./event.ts";

/** Timeout of a wait. */
export interface Patience {
  readonly timeoutMs: number;
  /** Ends the wait at once, because the service stops or the client left. */
  readonly signal: AbortSignal;
}

/** Condition of a wait. */
export interface Look<T> {
  /** Selects the held events to inspect. */
  readonly filter: EventFilter;
  /** Whether inspecting an event takes long enough to require time slices. */
  readonly slow: boolean;
  /** Returns quickly whether a change may matter. */
  wants(item: StreamItem): boolean;
  /** Starts over: the held events follow, oldest first. */
  begin(): void;
  /** Inspects a held or captured event, or another change. Returns `"again"` to start over. */
  take(item: StreamItem): WaitingSteps<"again" | void>;
  /** Returns the result after the held events were inspected; `undefined` to continue. */
  result(): T | undefined;
}

/** A wait cannot inspect events as fast as they arrive, or all held events in time. */
export class ScanLimitError extends Error {
  /** Identifies the class by name, also across module copies. */
  override name = "ScanLimitError";
}

/** Maximum number of queued changes, and maximum bytes of their events. */
const MAX_WAITING = 100_000;
const MAX_WAITING_BYTES = 256 * 1024 ** 2;
/** Maximum time a wait may exceed its timeout to inspect everything, in milliseconds. */
const MAX_LATE_MS = 60_000;

/**
 * Inspects the held events and each later change until there is a result. Resolves with `undefined` at the timeout, once
 * everything that arrived before it was inspected. Rejects with errors of `look`, with the reason of the signal, and with
 * `ScanLimitError`.
 */
export async function lookUntil<T>(
  store: EventStore,
  look: Look<T>,
  patience: Patience,
): Promise<T | undefined> {
  using follower = new Follower(store, look, patience);
  return await follower.run();
}

class Follower<T> implements Disposable {
  readonly #store: EventStore;
  readonly #look: Look<T>;
  readonly #signal: AbortSignal;
  readonly #latestMs: number;
  readonly #ends: (() => void)[] = [];
  #waiting: StreamItem[] = [];
  #waitingBytes = 0;
  #over = false;
  /** Nothing is queued or being inspected: a change is inspected at once if that is quick. */
  #idle = false;
  #again = false;
  #fault: unknown;
  #wake = (): void => {};

  constructor(store: EventStore, look: Look<T>, { timeoutMs, signal }: Patience) {
    this.#store = store;
    this.#look = look;
    this.#signal = signal;
    this.#latestMs = performance.now() + timeoutMs + MAX_LATE_MS;
    const wake = (): void => this.#wake();
    signal.addEventListener("abort", wake);
    this.#ends.push(() => signal.removeEventListener("abort", wake));
    if (timeoutMs <= 0) {
      this.#over = true;
      return;
    }
    const unwatch = store.watch((item) => this.#hear(item));
    const timer = setTimeout(() => {
      unwatch();
      this.#over = true;
      wake();
    }, Math.min(timeoutMs, MAX_TIMER_MS));
    this.#ends.push(unwatch, () => clearTimeout(timer));
  }

  async run(): Promise<T | undefined> {
    await this.#do(this.#lookAtHeld());
    for (;;) {
      this.#check();
      const found = this.#look.result();
      if (found !== undefined) return found;
      if (this.#again) await this.#do(this.#lookAtHeld());
      else if (this.#waiting.length > 0) await this.#do(this.#lookAtWaiting());
      else if (this.#over) return undefined;
      else await this.#sleep();
    }
  }

  [Symbol.dispose](): void {
    for (const end of this.#ends) end();
  }

  /** Keeps only ids, so that a wait holds no event. */
  *#lookAtHeld(): WaitingSteps<void> {
    this.#again = false;
    this.#look.begin();
    // Queued events are held, or already gone.
    this.#waiting = [];
    this.#waitingBytes = 0;
    const ids = this.#store.list(this.#look.filter).reverse().map(({ id }) => id);
    for (const id of ids) {
      const event = this.#store.get(id);
      if (event !== undefined) yield* this.#look.take({ kind: "captured", event });
      yield;
    }
  }

  /** Stops at a result. */
  *#lookAtWaiting(): WaitingSteps<void> {
    for (let item = this.#waiting.shift(); item !== undefined; item = this.#waiting.shift()) {
      this.#waitingBytes -= bytesOf(item);
      this.#again = (yield* this.#look.take(item)) === "again";
      if (this.#again || this.#look.result() !== undefined) return;
      yield;
    }
  }

  async #do(work: WaitingSteps<void>): Promise<void> {
    if (this.#look.slow) await inSlices(this.#checking(work));
    else runToEnd(work);
  }

  /** Ends long work as soon as the wait is over. */
  *#checking(work: WaitingSteps<void>): WaitingSteps<void> {
    for (let step = work.next(); !step.done; step = work.next()) {
      this.#check();
      yield step.value;
    }
  }

  #check(): void {
    this.#signal.throwIfAborted();
    if (this.#fault !== undefined) throw this.#fault;
    if (performance.now() <= this.#latestMs) return;
    throw new ScanLimitError(
      "Cannot inspect every event in time: narrow the wait by plugin, type, namespace or since",
    );
  }

  async #sleep(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    this.#idle = true;
    await promise;
    this.#idle = false;
  }

  /** Called synchronously for each change. */
  #hear(item: StreamItem): void {
    if (!this.#look.wants(item)) return;
    if (this.#idle && !this.#look.slow) this.#takeAtOnce(item);
    else this.#keep(item);
    if (this.#idle && !this.#isAsleep()) {
      this.#idle = false;
      this.#wake();
    }
  }

  #isAsleep(): boolean {
    return this.#waiting.length === 0 && !this.#again && this.#fault === undefined &&
      this.#look.result() === undefined;
  }

  #takeAtOnce(item: StreamItem): void {
    try {
      this.#again = runToEnd(this.#look.take(item)) === "again";
    } catch (error) {
      this.#fault = error;
    }
  }

  #keep(item: StreamItem): void {
    const bytes = bytesOf(item);
    if (
      this.#waiting.length >= MAX_WAITING || this.#waitingBytes + bytes > MAX_WAITING_BYTES
    ) {
      this.#fault ??= new ScanLimitError(
        "Cannot inspect events as fast as they arrive: narrow the wait by plugin, type or namespace",
      );
      return;
    }
    this.#waiting.push(item);
    this.#waitingBytes += bytes;
  }
}

function bytesOf(item: StreamItem): number {
  return item.kind === "captured" ? bytesOfEvent(item.event) : 0;
}

/** Returns whether a change removed an event. */
export function isGone(event: Counted, item: StreamItem): boolean {
  if (item.kind === "deleted") return item.id === event.id;
  return item.kind === "cleared" &&
    (item.plugin === undefined || item.plugin === event.plugin) &&
    (item.namespace === undefined || item.namespace === event.namespace);
}

/** The part kept of a counted event. */
export type Counted = Pick<CapturedEvent, "id" | "plugin" | "namespace">;

/** Returns the part that identifies an event after its removal. */
export function toCounted({ id, plugin, namespace }: CapturedEvent): Counted {
  return { id, plugin, ...compact({ namespace }) };
}

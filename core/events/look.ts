/** Follows what is captured for a wait: what is held first, then each change, in slices of time. */
import { doWhole, type Steps } from "../bytes/steps.ts";
import { compact } from "../compact.ts";
import { inSlices } from "../time_slice.ts";
import type { CapturedEvent, EventFilter, EventStore, StreamItem } from "./event.ts";

/** How long to look. */
export interface Patience {
  readonly timeoutMs: number;
  /** Ends the wait at once: the service stops, or nobody is left to be told. */
  readonly signal: AbortSignal;
}

/** What a wait looks for. */
export interface Look<T> {
  /** Which of the held events it is about. */
  readonly filter: EventFilter;
  /** Whether a look at an event takes long enough to be put off until others had their turn. */
  readonly slow: boolean;
  /** Whether a change may mean something to it; quick. */
  wants(item: StreamItem): boolean;
  /** Forgets what it counted: the events that are held come next, oldest first. */
  begin(): void;
  /** Takes one event, held or captured, or another change. `"again"`: it has to begin anew. */
  take(item: StreamItem): Steps<"again" | void>;
  /** What came of it so far, once it has seen all that is held; `undefined` while it goes on. */
  result(): T | undefined;
}

/** A wait cannot look at events as fast as they come, or at all that are held in time. */
export class TooMuchToLookAtError extends Error {
  /** Tells the class by name, also across module copies. */
  override name = "TooMuchToLookAtError";
}

/** Most changes that wait for a look, and most bytes of their requests. */
const MAX_WAITING = 100_000;
const MAX_WAITING_BYTES = 256 * 1024 ** 2;
/** Longest time beyond its own that a wait takes to see everything, in milliseconds. */
const MAX_LATE_MS = 60_000;

/**
 * Looks at what is held, and at each change from then on, until something comes of it. `undefined` when the time is over
 * and all that came in it was seen. Rejects with what `look` throws, with the reason of the signal, and with
 * `TooMuchToLookAtError`.
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
  /** Nothing waits, nothing is looked at: a quick look is taken at once. */
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
    }, timeoutMs);
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

  /** Only ids are kept for it, so that a wait holds no event. */
  *#lookAtHeld(): Steps<void> {
    this.#again = false;
    this.#look.begin();
    // What waits is held, or was undone already.
    this.#waiting = [];
    this.#waitingBytes = 0;
    const ids = this.#store.list(this.#look.filter).reverse().map(({ id }) => id);
    for (const id of ids) {
      const event = this.#store.get(id);
      if (event !== undefined) yield* this.#look.take({ kind: "captured", event });
      yield;
    }
  }

  /** Up to where something comes of it. */
  *#lookAtWaiting(): Steps<void> {
    for (let item = this.#waiting.shift(); item !== undefined; item = this.#waiting.shift()) {
      this.#waitingBytes -= bytesOf(item);
      this.#again = (yield* this.#look.take(item)) === "again";
      if (this.#again || this.#look.result() !== undefined) return;
      yield;
    }
  }

  async #do(work: Steps<void>): Promise<void> {
    if (this.#look.slow) await inSlices(this.#checking(work));
    else doWhole(work);
  }

  /** Ends long work when nobody waits for it any more. */
  *#checking(work: Steps<void>): Steps<void> {
    while (!work.next().done) {
      this.#check();
      yield;
    }
  }

  #check(): void {
    this.#signal.throwIfAborted();
    if (this.#fault !== undefined) throw this.#fault;
    if (performance.now() <= this.#latestMs) return;
    throw new TooMuchToLookAtError(
      "Cannot look at everything in time: ask for fewer, by plugin, type, namespace or since",
    );
  }

  async #sleep(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    this.#idle = true;
    await promise;
    this.#idle = false;
  }

  /** Called within a change. */
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
      this.#again = doWhole(this.#look.take(item)) === "again";
    } catch (error) {
      this.#fault = error;
    }
  }

  #keep(item: StreamItem): void {
    const bytes = bytesOf(item);
    if (
      this.#waiting.length >= MAX_WAITING || this.#waitingBytes + bytes > MAX_WAITING_BYTES
    ) {
      this.#fault ??= new TooMuchToLookAtError(
        "Cannot look at events as fast as they come: ask for fewer, by plugin, type or namespace",
      );
      return;
    }
    this.#waiting.push(item);
    this.#waitingBytes += bytes;
  }
}

function bytesOf(item: StreamItem): number {
  return item.kind === "captured" ? item.event.raw.body.length : 0;
}

/** Whether a deletion or a clearing took an event. */
export function isGone(event: Counted, item: StreamItem): boolean {
  if (item.kind === "deleted") return item.id === event.id;
  return item.kind === "cleared" &&
    (item.plugin === undefined || item.plugin === event.plugin) &&
    (item.namespace === undefined || item.namespace === event.namespace);
}

/** What is remembered of an event that counts. */
export type Counted = Pick<CapturedEvent, "id" | "plugin" | "namespace">;

/** What identifies an event once it is gone. */
export function toCounted({ id, plugin, namespace }: CapturedEvent): Counted {
  return { id, plugin, ...compact({ namespace }) };
}

import type { CapturedEvent, EventFilter, EventStore } from "../events/event.ts";
import type { Expectation } from "../expect/expectation.ts";
import type { Extract } from "../extract/extract.ts";
import type { TextFilter } from "../extract/load.ts";
import type { RejectedJournal } from "../events/journal.ts";
import type { FaultRule } from "../faults/model.ts";
import type { Endpoint } from "../plugin.ts";

/** Filter of events. */
export interface ListOptions<P = unknown> extends Omit<EventFilter, "type" | "after"> {
  /** Further condition on the event. */
  readonly match?: (event: CapturedEvent<P>) => boolean;
  /** Only events captured after this one. Past events count by default, so the sender cannot win a race. */
  readonly after?: CapturedEvent;
}

/** Filter and time-out of a wait. */
export interface WaitOptions<P = unknown> extends ListOptions<P>, TextFilter {
  /** Milliseconds; 5000 by default. */
  readonly timeoutMs?: number;
}

/** Filter of events to delete. */
export interface ClearOptions<P = unknown> extends Omit<ListOptions<P>, "plugin"> {
  /** Events of this type. */
  readonly type?: string;
}

/** A fault that was added; disposing of it removes it. */
export interface AddedFault extends Disposable {
  /** Its id in `/api/v1/faults/{id}`. */
  readonly id: string;
  /** Matches that became a fault so far, or until it was removed. */
  readonly hits: number;
  /** Removes it; delayed and hanging calls continue. */
  remove(): void;
}

/**
 * A running capture service. `waitFor`, `expect`, `list` and `clear` also take, among their options, the filters of the
 * plugin that the type or the plugin names. They refuse an option that nothing reads, and a plugin, type or provider that
 * is not there, with a `RangeError`.
 */
export interface Service extends AsyncDisposable {
  /** UI and, unless it has its own port, the read-back API. */
  readonly ui: Endpoint;
  /** Read-back API; the same as `ui` unless it has its own port. */
  readonly api: Endpoint;
  /** Address shared by HTTP providers. Throws `RangeError` if none runs, because it then has no port. */
  readonly ingress: Endpoint;
  /**
   * Returns the address of a provider: the ingress for an HTTP provider, else its own port. Throws `RangeError` for a
   * provider that does not run, with those that do.
   */
  endpoint(provider: string): Endpoint;
  /** All captured events. */
  readonly events: EventStore;
  /** Refused and unmatched requests. */
  readonly rejected: RejectedJournal;
  /** Resolves with the oldest held event that matches, or the next to arrive. Rejects with a `TimeoutError` that lists the arrivals. */
  waitFor<P = unknown>(type: string, options?: WaitOptions<P>): Promise<CapturedEvent<P>>;
  /**
   * Resolves with the matching events in order of capture, as soon as the expectation is met. Rejects with an
   * `ExpectationError` that describes the difference, and with a `RangeError` for an invalid expectation.
   */
  expect(expectation: Expectation): Promise<CapturedEvent[]>;
  /** Lists held events, newest first. */
  list<P = unknown>(type?: string, options?: ListOptions<P>): CapturedEvent<P>[];
  /**
   * Deletes all events, those of one plugin, or those that `list` returns for the same options, and returns their number.
   * Files, buckets and blobs stay.
   */
  clear(plugin?: string, which?: ClearOptions): number;
  /** Returns the readable text of an event, with its one-time codes, links and tokens. */
  extract(event: CapturedEvent): Promise<Extract>;
  /**
   * Makes a provider fail from now on, as the rule says: `using fault = await service.fault({ on, outcome })`. Rejects with
   * a `RangeError` for an invalid rule.
   */
  fault(rule: FaultRule): Promise<AddedFault>;
  /** Resets the service between two tests: events, journal, unused blobs, plugin state and added faults. */
  reset(): Promise<void>;
  /** Stops accepting, lets conversations finish, cuts them after `graceMs` (default 4000). */
  stop(options?: { graceMs?: number }): Promise<void>;
  /** Resolves after a stop. */
  readonly finished: Promise<void>;
}

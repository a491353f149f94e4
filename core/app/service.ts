import type { CheckLevel, Finding } from "../checks/model.ts";
import type { CapturedEvent, EventFilter, EventStore } from "../events/event.ts";
import type { Expectation } from "../expect/expectation.ts";
import type { Extract } from "../extract/extract.ts";
import type { TextFilter } from "../extract/load.ts";
import type { RejectedJournal } from "../events/journal.ts";
import type { CallRecord, SentCalls } from "../callbacks/model.ts";
import type { FaultRule } from "../faults/model.ts";
import type { Endpoint } from "../plugin.ts";
import type { StoryView } from "../stories/view.ts";

/** Filter of events. */
export interface ListOptions<P = unknown> extends Omit<EventFilter, "type" | "after" | "afterSeq"> {
  /** Further condition on the event. */
  readonly match?: (event: CapturedEvent<P>) => boolean;
  /** Only events captured after this one. Past events count by default, so the sender cannot win a race. */
  readonly after?: CapturedEvent;
}

/** Filter and timeout of a wait. */
export interface WaitOptions<P = unknown> extends ListOptions<P>, TextFilter {
  /** Only events with a finding of this level or worse. */
  readonly checks?: CheckLevel;
  /** Milliseconds; 5000 by default. */
  readonly timeoutMs?: number;
}

/** Filter of events to delete. */
export interface ClearOptions<P = unknown> extends Omit<ListOptions<P>, "plugin"> {
  /** Events of this type. */
  readonly type?: string;
}

/** Filter of stories, and how near in time their events are. */
export interface StoryOptions<P = unknown> extends ListOptions<P> {
  /** Only stories with an event of this type. */
  readonly type?: string;
  /** Minimum number of events in a story; 1 by default. */
  readonly minEvents?: number;
  /** Maximum pause between events that share only the time, in milliseconds; 2000 by default, 0 for none. */
  readonly windowMs?: number;
  /** Maximum pause between events that share only a recipient or an object, in milliseconds; 60 000 by default, 0 for none. */
  readonly recipientWindowMs?: number;
}

/** Timeout of a wait for the application. */
export interface CallWait {
  /** Milliseconds; 5000 by default. */
  readonly timeoutMs?: number;
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
 * A running capture service. `waitFor`, `expect`, `list` and `clear` also take, among their
 * options, the filters of the plugin that the type or the plugin names. They reject an unknown
 * option, plugin, type or provider with a `RangeError`.
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
  /** Rejected and unmatched requests. */
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
  /**
   * Lists stories (events of one flow, over all protocols), the one with the latest event first.
   * With options, only stories with a matching event.
   */
  stories(options?: StoryOptions): Promise<readonly StoryView[]>;
  /** Returns what the event's vendor or reader would object to, the worst first. */
  checks(event: CapturedEvent): Promise<readonly Finding[]>;
  /** Returns the readable text of an event, with its one-time codes, links and tokens. */
  extract(event: CapturedEvent): Promise<Extract>;
  /**
   * Makes a provider fail from now on, as the rule says: `using fault = await service.fault({ on, outcome })`. Rejects with
   * a `RangeError` for an invalid rule.
   */
  fault(rule: FaultRule): Promise<AddedFault>;
  /**
   * Calls the application about an event as its vendor would: `await service.callback(event, "bounced")`. Resolves when
   * each call was answered, or the vendor has stopped retrying; the last attempt has the response. Rejects with a `RangeError` for
   * a callback that the provider does not have, a `CallbacksOffError` while callbacks are off, and a `TimeoutError`.
   */
  callback(
    event: CapturedEvent | string,
    name: string,
    params?: Readonly<Record<string, unknown>>,
    options?: CallWait,
  ): Promise<readonly CallRecord[]>;
  /** Lists the calls to the application about an event, or all, the oldest first. */
  callbacks(event?: CapturedEvent | string): readonly CallRecord[];
  /**
   * Sends the application an inbound item: `await service.inbound("sms1", { From, To, Body })`.
   * Resolves and rejects as `callback`.
   */
  inbound(
    provider: string,
    payload: Readonly<Record<string, unknown>>,
    options?: CallWait,
  ): Promise<SentCalls>;
  /** Resets the service between two tests: events, journal, unused blobs, plugin state and added faults. */
  reset(): Promise<void>;
  /** Stops accepting, lets conversations finish, cuts them after `graceMs` (default 4000). */
  stop(options?: { graceMs?: number }): Promise<void>;
  /** Resolves after a stop. */
  readonly finished: Promise<void>;
}

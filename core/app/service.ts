import type { CapturedEvent, EventFilter, EventStore } from "../events/event.ts";
import type { Expectation } from "../expect/expectation.ts";
import type { Extract } from "../extract/extract.ts";
import type { TextFilter } from "../extract/load.ts";
import type { RejectedJournal } from "../events/journal.ts";
import type { FaultRule } from "../faults/model.ts";
import type { Endpoint } from "../plugin.ts";

/** Which events are meant. */
export interface ListOptions<P = unknown> extends Omit<EventFilter, "type" | "after"> {
  /** Further condition on the event. */
  readonly match?: (event: CapturedEvent<P>) => boolean;
  /** Only events captured after this one. Without it past events count too, so the sender cannot win a race. */
  readonly after?: CapturedEvent;
}

/** Which event to wait for. */
export interface WaitOptions<P = unknown> extends ListOptions<P>, TextFilter {
  /** Milliseconds; 5000 unless given. */
  readonly timeoutMs?: number;
}

/** Which events to forget. */
export interface ClearOptions<P = unknown> extends Omit<ListOptions<P>, "plugin"> {
  /** Events of this type. */
  readonly type?: string;
}

/** A fault that was added; disposing of it removes it. */
export interface AddedFault extends Disposable {
  /** Names it in `/api/v1/faults/{id}`. */
  readonly id: string;
  /** Matches that became a fault so far; once it is removed, until then. */
  readonly hits: number;
  /** Removes it; what is delayed or hangs already goes on. */
  remove(): void;
}

/**
 * A running capture service. `waitFor`, `expect`, `list` and `clear` also take, among their options, the filters of the
 * plugin that the type or the plugin names. They refuse an option that nothing reads, and a plugin, type or provider that
 * is not there, with a `RangeError`.
 */
export interface Service extends AsyncDisposable {
  /** UI and, unless it has a port of its own, the read-back API. */
  readonly ui: Endpoint;
  /** Read-back API; the same as `ui` unless it has a port of its own. */
  readonly api: Endpoint;
  /** Shared by every HTTP provider. Throws `RangeError` where none runs: then it has no port. */
  readonly ingress: Endpoint;
  /**
   * Where a provider listens: the ingress for an HTTP provider, else its own port.
   * Throws `RangeError` for a provider that does not run, naming those that do.
   */
  endpoint(provider: string): Endpoint;
  /** Everything that was captured. */
  readonly events: EventStore;
  /** Refused and unmatched requests. */
  readonly rejected: RejectedJournal;
  /** The oldest held event that fits, or the next to arrive. Rejects with a `TimeoutError` that lists what did arrive. */
  waitFor<P = unknown>(type: string, options?: WaitOptions<P>): Promise<CapturedEvent<P>>;
  /**
   * Resolves with the events that fit, in order of capture, as soon as the expectation is met. Rejects with an
   * `ExpectationError` that says what differs, and with a `RangeError` for an expectation that cannot be read.
   */
  expect(expectation: Expectation): Promise<CapturedEvent[]>;
  /** What is held, newest first. */
  list<P = unknown>(type?: string, options?: ListOptions<P>): CapturedEvent<P>[];
  /**
   * Forgets what is held, all or of one plugin, or what `list` would give for the same options, and returns how many
   * went. Files, buckets and blobs stay.
   */
  clear(plugin?: string, which?: ClearOptions): number;
  /** One-time codes, links and tokens in what a person reads in an event, and that text. */
  extract(event: CapturedEvent): Promise<Extract>;
  /**
   * Has a provider fail from now on, as the rule says: `using fault = await service.fault({ on, outcome })`. Rejects
   * with a `RangeError` that names what is wrong with the rule.
   */
  fault(rule: FaultRule): Promise<AddedFault>;
  /** Empties events, journal, unused blobs and plugin state, and removes faults that were added: between two tests. */
  reset(): Promise<void>;
  /** Stops accepting, lets conversations finish, cuts them after `graceMs` (default 4000). */
  stop(options?: { graceMs?: number }): Promise<void>;
  /** Resolves after a stop. */
  readonly finished: Promise<void>;
}

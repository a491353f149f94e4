/** JSON forms of callbacks, shared by the API, the client and the engine. */

/** One attempt to deliver a call. */
export interface CallAttempt {
  /** Start, RFC 3339. */
  readonly at: string;
  /** Milliseconds until the response or the failure. */
  readonly duration_ms: number;
  /** Header fields that were sent, with the vendor's signature. */
  readonly request_headers: readonly (readonly [name: string, value: string])[];
  /** HTTP status, or the reply code of the protocol. */
  readonly status?: number;
  /** Header fields of the response, by name in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Beginning of the response as text. */
  readonly body?: string;
  /** Whether the response was longer. */
  readonly cut?: true;
  /** Why there is no response, or why it counts as a failure. */
  readonly error?: string;
}

/**
 * `waiting` for its time or its turn, `sending`, `done`, `failed` after the vendor's last attempt, `refused` because the
 * settings do not allow or name the address or there is no room, `cancelled` because its event was deleted.
 */
export type CallState = "waiting" | "sending" | "done" | "failed" | "refused" | "cancelled";

/** One call to the application. */
export interface CallRecord {
  /** Sorts by time. */
  readonly id: string;
  /** Provider whose vendor would call, such as `sms/sms1`. */
  readonly on: string;
  /** Its event; absent for a call without one. */
  readonly event?: string;
  /** What it reports, such as `delivered`. */
  readonly name: string;
  /** HTTP method; absent for other protocols. */
  readonly method?: string;
  /** Address. */
  readonly url: string;
  /** Beginning of the body, as text. */
  readonly body: string;
  /** Length of the body in bytes. */
  readonly size: number;
  /** State of the delivery. */
  readonly state: CallState;
  /** Why it was refused or cancelled. */
  readonly reason?: string;
  /** Time of the next attempt, RFC 3339. */
  readonly next_at?: string;
  /** Attempts so far, the first one first. */
  readonly attempts: readonly CallAttempt[];
  /** Number of attempts before those, if there were more than 20. */
  readonly earlier_attempts?: number;
  /** What the vendor makes of the response, such as errors that a form shows; absent if nothing follows from it. */
  readonly outcome?: string;
  /** Ids of events that were captured from the response. */
  readonly captured?: readonly string[];
}

/** A callback that can be requested for an event. */
export interface CallOffer {
  /** Its name in a request. */
  readonly event: string;
  /** Text of a button. */
  readonly label: string;
  /** What the application receives. */
  readonly about: string;
  /** Parameters of a specific offer. */
  readonly with?: Readonly<Record<string, unknown>>;
  /**
   * Available parameters, with their defaults. The schema of one that holds the fields of a form is an object with
   * their `properties`.
   */
  readonly params: Readonly<
    Record<string, { about: string; schema: unknown; default?: unknown }>
  >;
}

/** The calls about an event, and those that can be requested. */
export interface CallList {
  /** Whether callbacks are on. */
  readonly enabled: boolean;
  /** Whether the user interface reports opened emails. */
  readonly opens: boolean;
  /** Calls, oldest first. */
  readonly calls: readonly CallRecord[];
  /** Number of calls. */
  readonly count: number;
  /** Callbacks that can be requested. */
  readonly offers: readonly CallOffer[];
}

/** Calls that were requested. */
export interface SentCalls {
  /** Calls, oldest first. */
  readonly calls: readonly CallRecord[];
  /** Number of calls. */
  readonly count: number;
  /** Event of the incoming item, if the provider captures it. */
  readonly event?: string;
}

/** One call and its record. */
import { compact } from "../compact.ts";
import { withoutPasswords } from "../passwords.ts";
import type { CallAttempt, CallRecord, CallState } from "./model.ts";
import type { OutgoingCall } from "./provider.ts";

/** Maximum bytes of a body that are shown. */
const SHOWN_BYTES = 16_384;
/** Maximum number of attempts that are shown; the first ones are dropped. */
const SHOWN_ATTEMPTS = 20;
/** Size of a call and of each attempt without their texts, in bytes. */
const BASE_COST = 2000;

/** Subject of a call. */
export interface CallOwner {
  /** Provider, such as `sms/sms1`. */
  readonly on: string;
  /** The event, with its namespace. */
  readonly event?: { readonly id: string; readonly namespace?: string };
}

/** A call as stored across restarts. */
export interface StoredCall {
  readonly id: string;
  readonly owner: CallOwner;
  readonly call: OutgoingCall;
  readonly state: CallState;
  readonly reason?: string | undefined;
  /** Time of the next attempt, in milliseconds since 1970. */
  readonly dueMs: number;
  readonly attempts: readonly CallAttempt[];
  /** Number of attempts no longer shown. */
  readonly earlier: number;
  readonly captured: readonly string[];
  readonly outcome?: string | undefined;
}

/** A call with its history. */
export class Call implements StoredCall {
  readonly id: string;
  readonly owner: CallOwner;
  readonly call: OutgoingCall;
  /** Bytes of the full body, which is released when the call is over. */
  readonly size: number;
  readonly attempts: CallAttempt[];
  readonly captured: string[];
  state: CallState;
  reason: string | undefined;
  dueMs: number;
  earlier: number;
  outcome: string | undefined;
  #body: Uint8Array;
  #over: PromiseWithResolvers<void> | undefined;

  constructor(stored: StoredCall) {
    this.id = stored.id;
    this.owner = stored.owner;
    const { body, ...call } = stored.call;
    this.#body = body;
    this.size = body.length;
    this.call = Object.defineProperty({ ...call, body }, "body", {
      enumerable: true,
      get: () => this.#body,
    });
    this.state = stored.state;
    this.reason = stored.reason;
    this.dueMs = stored.dueMs;
    this.attempts = [...stored.attempts];
    this.earlier = stored.earlier;
    this.captured = [...stored.captured];
    this.outcome = stored.outcome;
  }

  /** Whether the call is over. */
  get isOver(): boolean {
    return this.state !== "waiting" && this.state !== "sending";
  }

  /** Resolves when the call is over. */
  get over(): Promise<void> {
    if (this.isOver) return Promise.resolve();
    return (this.#over ??= Promise.withResolvers<void>()).promise;
  }

  attempted(attempt: CallAttempt): void {
    this.attempts.push(attempt);
    if (this.attempts.length <= SHOWN_ATTEMPTS) return;
    this.attempts.shift();
    this.earlier++;
  }

  /** Ends the call and releases a long body. */
  end(state: CallState, reason?: string): void {
    this.state = state;
    this.reason = reason;
    if (this.#body.length > SHOWN_BYTES) this.#body = this.#body.slice(0, SHOWN_BYTES);
    this.#over?.resolve();
  }

  /** Approximate size in bytes. */
  get cost(): number {
    const answers = this.attempts.reduce(
      (sum, { body = "", request_headers: sent }) =>
        sum + BASE_COST + 2 * body.length + 64 * sent.length,
      0,
    );
    return BASE_COST + this.#body.length + 2 * (this.outcome?.length ?? 0) + answers;
  }

  /** Returns the call as the API shows it. */
  toRecord(): CallRecord {
    const { id, owner, call, state, attempts, captured } = this;
    const waits = state === "waiting";
    return {
      id,
      on: owner.on,
      name: call.name,
      url: withoutPasswords(call.url),
      body: new TextDecoder().decode(this.#body.subarray(0, SHOWN_BYTES)),
      size: this.size,
      state,
      attempts: [...attempts],
      ...compact({
        event: owner.event?.id,
        method: call.url.startsWith("http") ? call.method ?? "POST" : undefined,
        reason: this.reason,
        next_at: waits ? new Date(Math.ceil(this.dueMs)).toISOString() : undefined,
        earlier_attempts: this.earlier || undefined,
        outcome: this.outcome,
        captured: captured.length === 0 ? undefined : [...captured],
      }),
    };
  }
}

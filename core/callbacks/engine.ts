/**
 * Delivers calls to the application: in order within a lane, a limited number at a time, with the vendor's retries, and
 * to allowed addresses only.
 *
 * @module
 */
import { MAX_TIMER_MS } from "../clock.ts";
import { compact } from "../compact.ts";
import { reasonOf } from "../errors.ts";
import type { HeaderPairs } from "../events/event.ts";
import type { NextId } from "../ids.ts";
import type { MemoryBudget } from "../memory/budget.ts";
import { withoutPasswords } from "../passwords.ts";
import { isAllowed, originOf, type OriginPattern } from "./allow.ts";
import { Call, type CallOwner, type StoredCall } from "./call.ts";
import { type CallKeeper, Ledger, type SharedCallKeeper } from "./ledger.ts";
import type { CallAttempt } from "./model.ts";
import type { CallAnswer, OutgoingCall, RetrySchedule } from "./provider.ts";

/** The hooks of one provider, bound to its environment. */
export interface CallHandler {
  readonly schedule: RetrySchedule;
  readonly lane: "event" | "receiver";
  began(call: OutgoingCall, event: string | undefined): void;
  sign(
    call: OutgoingCall,
    about: { now: Date; id: string; attempt: number },
  ): Promise<HeaderPairs>;
  /** Returns the ids of the events captured from the response, and its outcome. */
  answered(
    call: OutgoingCall,
    event: string | undefined,
    answer: CallAnswer,
  ): Promise<{ readonly captured: readonly string[]; readonly outcome?: string }>;
  /** Sends a call. Rejects if there is no response. */
  deliver(call: OutgoingCall, options: { headers: HeaderPairs; signal: AbortSignal }): Promise<
    CallAnswer
  >;
}

/** Options of the engine. */
export interface EngineOptions {
  readonly allow: readonly OriginPattern[];
  /** Divisor of the vendors' delays. */
  readonly speed: number;
  readonly nextId: NextId;
  now(): Date;
  /** Returns the hooks of a provider; `undefined` if it does not run. */
  handlerOf(on: string): CallHandler | undefined;
  readonly keeper?: CallKeeper;
  /** See {@link SharedCallKeeper.confirmed}. */
  readonly confirmed?: SharedCallKeeper["confirmed"];
  /** Counts the calls held, and the garbage of each attempt. */
  readonly memory?: Pick<MemoryBudget, "holding" | "waste">;
  /** Maximum bytes of waiting bodies. */
  readonly maxBytes: number;
  /** Reports that a hook of a provider failed. */
  onFault(on: string, error: unknown): void;
}

/** Counters since the start, by provider. */
export interface CallCounts {
  /** By final state. */
  readonly ended: ReadonlyMap<string, ReadonlyMap<string, number>>;
  readonly attempts: ReadonlyMap<string, number>;
  readonly pending: number;
}

/** Maximum number of waiting calls. */
const MAX_PENDING = 20_000;
/** Maximum number of calls held, including finished ones. */
const MAX_CALLS = 40_000;
/** Maximum number of concurrent calls: in total, and to one origin. */
const MAX_ACTIVE = 64;
const MAX_PER_ORIGIN = 8;
/** Minimum delay of a first attempt, in milliseconds: the sender gets its own response first. */
const LEAST_WAIT_MS = 20;
/** Garbage of an attempt besides its bodies, in bytes: a connection and the objects of the HTTP client. */
const ATTEMPT_GARBAGE = 65_536;
/** Maximum characters of a response that are shown. */
const SHOWN_ANSWER = 16_384;
/** Maximum characters of an outcome. */
const MAX_OUTCOME = 1000;

/** Calls that wait for each other. */
interface Lane {
  readonly key: string;
  readonly origin: string;
  readonly calls: Call[];
  /** Whether its first call is due. */
  isReady: boolean;
  timer?: ReturnType<typeof setTimeout>;
}

export class CallEngine implements AsyncDisposable {
  readonly #options: EngineOptions;
  readonly #ledger: Ledger;
  readonly #lanes = new Map<string, Lane>();
  /** Lanes whose first call is due, by origin. */
  readonly #ready = new Map<string, Lane[]>();
  readonly #active = new Map<Lane, { call: Call; end: AbortController; done: Promise<void> }>();
  readonly #perOrigin = new Map<string, number>();
  readonly #ended = new Map<string, Map<string, number>>();
  readonly #attempts = new Map<string, number>();
  /** The clock of the options may be fixed; delays elapse anyway. */
  readonly #beganMs: number;
  readonly #offsetMs = performance.now();
  #isStopped = false;

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#beganMs = options.now().getTime();
    this.#ledger = new Ledger({
      pending: MAX_PENDING,
      pendingBytes: options.maxBytes,
      calls: MAX_CALLS,
      bytes: options.maxBytes,
    }, { keeper: options.keeper, holding: options.memory?.holding() });
  }

  /** Restores the stored calls; one that was under way is attempted again. */
  restore(): void {
    for (const stored of this.#options.keeper?.load() ?? []) this.#resume(stored);
  }

  /** Takes up calls that another instance has left, in order; returns whether there was room for all of them. */
  adopt(calls: readonly StoredCall[]): boolean {
    for (const stored of calls) {
      if (this.#ledger.get(stored.id) !== undefined) continue;
      if (!this.#ledger.hasRoom(stored.call.body.length)) return false;
      this.#resume(stored);
    }
    return true;
  }

  #resume(stored: StoredCall): void {
    const call = new Call(stored);
    if (!call.isOver) call.state = "waiting";
    // The list of allowed origins may have changed since the call was planned.
    if (!call.isOver && !isAllowed(call.call.url, this.#options.allow)) {
      call.end("refused", notAllowed(call.call.url));
      this.#count(call);
    }
    this.#ledger.add(call);
    if (!call.isOver) this.#enqueue(call);
  }

  /** Milliseconds since 1970. */
  get #nowMs(): number {
    return this.#beganMs + performance.now() - this.#offsetMs;
  }

  get counts(): CallCounts {
    return { ended: this.#ended, attempts: this.#attempts, pending: this.#ledger.pending };
  }

  /** Adds calls in order. One that is not allowed is held as refused. */
  send(calls: readonly OutgoingCall[], owner: CallOwner): readonly Call[] {
    const { nextId, speed } = this.#options;
    return calls.map((planned) => {
      const waitMs = Math.max(LEAST_WAIT_MS, Math.round((planned.afterMs ?? 0) / speed));
      const call = new Call({
        id: nextId(),
        owner,
        call: planned,
        state: "waiting",
        dueMs: this.#nowMs + waitMs,
        attempts: [],
        earlier: 0,
        captured: [],
      });
      const reason = this.reasonAgainst(planned);
      if (reason !== undefined) {
        call.end("refused", reason);
        this.#count(call);
      }
      this.#ledger.add(call);
      if (reason === undefined) this.#enqueue(call);
      return call;
    });
  }

  /** Returns a readable reason why a call is not allowed. */
  reasonAgainst(
    { url, body, refusal }: Pick<OutgoingCall, "url" | "body" | "refusal">,
  ): string | undefined {
    if (refusal !== undefined) return refusal;
    if (!isAllowed(url, this.#options.allow)) {
      return notAllowed(url);
    }
    if (this.#ledger.hasRoom(body.length)) return undefined;
    return `Cannot call "${
      withoutPasswords(url)
    }": ${this.#ledger.pending} calls are already waiting`;
  }

  get(id: string): Call | undefined {
    return this.#ledger.get(id);
  }

  list(event?: string): readonly Call[] {
    return this.#ledger.list(event);
  }

  /** Cancels calls and forgets them. */
  forget(calls: readonly Call[], reason = "Its event was deleted"): void {
    this.cancel(calls, reason);
    this.#ledger.remove(calls);
  }

  /** Cancels those that are not over. */
  cancel(calls: readonly Call[], reason: string): void {
    for (const call of calls) {
      if (call.isOver) continue;
      const lane = this.#lanes.get(this.#keyOf(call));
      const at = lane?.calls.indexOf(call) ?? -1;
      this.#end(call, "cancelled", reason);
      if (lane === undefined || at < 0) continue;
      lane.calls.splice(at, 1);
      const active = this.#active.get(lane);
      if (active === undefined) this.#wait(lane);
      else if (active.call === call) active.end.abort();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopped = true;
    for (const lane of this.#lanes.values()) clearTimeout(lane.timer);
    this.#lanes.clear();
    this.#ready.clear();
    const active = [...this.#active.values()];
    for (const { end } of active) end.abort();
    await Promise.all(active.map(({ done }) => done));
  }

  #enqueue(call: Call): void {
    const key = this.#keyOf(call);
    const lane = this.#lanes.get(key);
    if (lane !== undefined) {
      lane.calls.push(call);
      return;
    }
    const fresh: Lane = { key, origin: toOrigin(call), calls: [call], isReady: false };
    this.#lanes.set(key, fresh);
    this.#wait(fresh);
  }

  /** Returns the key of a call's lane. */
  #keyOf(call: Call): string {
    const { owner: { on, event }, id } = call;
    const perReceiver = this.#options.handlerOf(on)?.lane === "receiver";
    return `${on} ${perReceiver ? toOrigin(call) : event?.id ?? id}`;
  }

  /** Waits until the first call of a lane is due. */
  #wait(lane: Lane): void {
    clearTimeout(lane.timer);
    const [first] = lane.calls;
    if (first === undefined) {
      this.#lanes.delete(lane.key);
      return;
    }
    if (this.#isStopped || lane.isReady) return;
    const waitMs = first.dueMs - this.#nowMs;
    if (waitMs <= 0) return this.#makeReady(lane);
    lane.timer = setTimeout(() => this.#wait(lane), Math.min(waitMs, MAX_TIMER_MS));
  }

  #makeReady(lane: Lane): void {
    lane.isReady = true;
    const queue = this.#ready.get(lane.origin);
    if (queue === undefined) this.#ready.set(lane.origin, [lane]);
    else queue.push(lane);
    this.#pump();
  }

  /** Starts every call that may start now. */
  #pump(): void {
    for (const [origin, queue] of this.#ready) {
      while (queue.length > 0 && this.#mayCall(origin)) {
        const lane = queue.shift()!;
        lane.isReady = false;
        // Its first call may have been cancelled meanwhile.
        const isDue = (lane.calls[0]?.dueMs ?? Infinity) <= this.#nowMs;
        if (isDue) this.#start(lane);
        else this.#wait(lane);
      }
      if (queue.length === 0) this.#ready.delete(origin);
    }
  }

  #mayCall(origin: string): boolean {
    return !this.#isStopped && this.#active.size < MAX_ACTIVE &&
      (this.#perOrigin.get(origin) ?? 0) < MAX_PER_ORIGIN;
  }

  #start(lane: Lane): void {
    const end = new AbortController();
    this.#perOrigin.set(lane.origin, (this.#perOrigin.get(lane.origin) ?? 0) + 1);
    const call = lane.calls[0]!;
    const done = this.#attempt(call, end.signal).finally(() => {
      this.#active.delete(lane);
      const others = this.#perOrigin.get(lane.origin)! - 1;
      if (others === 0) this.#perOrigin.delete(lane.origin);
      else this.#perOrigin.set(lane.origin, others);
      if (lane.calls[0]?.isOver) lane.calls.shift();
      this.#wait(lane);
      this.#pump();
    });
    this.#active.set(lane, { call, end, done });
  }

  /** Makes one attempt; never rejects. */
  async #attempt(call: Call, signal: AbortSignal): Promise<void> {
    const { on, event } = call.owner;
    const handler = this.#options.handlerOf(on);
    if (handler === undefined) return this.#end(call, "failed", `${on} is no longer running`);
    await this.#options.confirmed?.();
    if (signal.aborted) return;
    call.state = "sending";
    const at = this.#options.now();
    const beganMs = performance.now();
    const number = call.earlier + call.attempts.length + 1;
    let sent: HeaderPairs = call.call.headers;
    let answer: CallAnswer | undefined;
    let error: string | undefined;
    try {
      await this.#options.memory?.waste(ATTEMPT_GARBAGE + call.size);
      if (number === 1) handler.began(call.call, event?.id);
      const signature = await handler.sign(call.call, { now: at, id: call.id, attempt: number });
      sent = [...sent, ...signature];
      answer = await handler.deliver(call.call, { headers: sent, signal });
      error = answer.failure;
    } catch (failure) {
      error = reasonOf(failure);
    }
    // The service is stopping, or the call was cancelled: a stored call is attempted again after the next start.
    if (signal.aborted) {
      if (!call.isOver) call.state = "waiting";
      return;
    }
    const isSuccess = answer !== undefined && error === undefined &&
      accepts(handler, answer, call.call);
    this.#attempts.set(on, (this.#attempts.get(on) ?? 0) + 1);
    call.attempted(toAttempt({ at, beganMs, sent, answer, error }));
    if (isSuccess) return await this.#succeed(call, handler, answer!);
    const { delaysMs, again } = handler.schedule;
    const delayMs = delaysMs[number - 1];
    if (delayMs === undefined || again?.(answer, call.call, number) === false) {
      return this.#end(call, "failed");
    }
    call.dueMs = this.#nowMs + Math.round(delayMs / this.#options.speed);
    call.state = "waiting";
    this.#ledger.changed(call);
  }

  async #succeed(call: Call, handler: CallHandler, answer: CallAnswer): Promise<void> {
    try {
      const event = call.owner.event?.id;
      const { captured, outcome } = await handler.answered(call.call, event, answer);
      for (const id of captured) call.captured.push(id);
      call.outcome = outcome?.slice(0, MAX_OUTCOME);
    } catch (error) {
      this.#options.onFault(call.owner.on, error);
    }
    if (!call.isOver) this.#end(call, "done");
  }

  #end(call: Call, state: "done" | "failed" | "cancelled", reason?: string): void {
    call.end(state, reason);
    this.#count(call);
    this.#ledger.changed(call, { isOver: true });
  }

  #count({ owner: { on }, state }: Call): void {
    const states = this.#ended.get(on) ?? new Map<string, number>();
    states.set(state, (states.get(state) ?? 0) + 1);
    this.#ended.set(on, states);
  }
}

function notAllowed(url: string): string {
  return `Cannot call "${
    withoutPasswords(url)
  }": it is not in the list [callbacks] allow (--callbacks-allow)`;
}

function toOrigin({ call: { url } }: Call): string {
  const { scheme, host, port } = originOf(url)!;
  return `${scheme}://${host}:${port}`;
}

function accepts({ schedule }: CallHandler, answer: CallAnswer, call: OutgoingCall): boolean {
  return schedule.accepts?.(answer, call) ?? (answer.status >= 200 && answer.status < 300);
}

function toAttempt(
  { at, beganMs, sent, answer, error }: {
    at: Date;
    beganMs: number;
    sent: HeaderPairs;
    answer: CallAnswer | undefined;
    error: string | undefined;
  },
): CallAttempt {
  return {
    at: at.toISOString(),
    duration_ms: Math.round(performance.now() - beganMs),
    request_headers: sent,
    ...(answer === undefined ? {} : {
      status: answer.status,
      headers: answer.headers,
      body: new TextDecoder().decode(answer.body.subarray(0, SHOWN_ANSWER)),
      ...(answer.cut || answer.body.length > SHOWN_ANSWER ? { cut: true as const } : {}),
    }),
    ...compact({ error }),
  };
}

import { headers } from "@nats-io/transport-node";
import { LogOutcomeError, LogWriteError, reasonOf } from "../errors.ts";
import type { SharedLogState, SharedPlan, SharedView } from "../shared_state.ts";
import { type Engine, hasAnswered, isUnavailable, type SharedNames } from "./engine.ts";
import { encodeChanges } from "./shared_message.ts";
import { writeRef } from "./chunks.ts";
import { OBJECT_HEADER } from "./writer.ts";

/** Maximum wait of a change, in milliseconds: a cluster replaces its leader in about five seconds. */
const CHANGE_MS = 9000;
/** Maximum wait for one response of the server, in milliseconds. */
const ATTEMPT_MS = 2000;
/** Pause between two attempts, in milliseconds. */
const PAUSE_MS = 100;
/** Wait for the change of a faster instance, in milliseconds. */
const BEHIND_MS = 500;
/** Maximum number of plans, and of characters of their changes, in one message. */
const MOST_PLANS = 256;
const MOST_LENGTH = 262_144;
/** Maximum number of plans that wait; beyond that, they are refused at once. */
const MOST_WAITING = 10_000;

/** A plan that waits for its changes to be stored. */
interface Waiting<C> {
  plan(): SharedPlan<C, unknown>;
  resolve(result: unknown): void;
  reject(error: unknown): void;
  /** On the monotonic clock. */
  readonly endMs: number;
}

/** Plans that share a message. */
interface Batch<C> {
  readonly id: string;
  /** The change that it must follow. */
  readonly behind: number;
  readonly plans: (Waiting<C> & { readonly result: unknown })[];
  readonly changes: C[];
  readonly encoded: string[];
  /** Resolves with the next change of the state, by anyone. */
  readonly moved: PromiseWithResolvers<void>;
  /** It was read back, or no caller still waits for it. */
  isDone: boolean;
  /** The state was read again, so it is unknown whether this is in it. */
  isLost: boolean;
}

/** Metrics of the writes. */
export type ChangeFigures = Omit<SharedLogState, "behind" | "silentSeconds">;

/** Parts of the log that the writer needs. */
export interface ChangeWriterOptions<C> {
  readonly names: SharedNames;
  readonly view: SharedView<C>;
  /** Returns the last change in the state of this instance. */
  position(): number;
  /** Called with the sequence of each stored message. */
  onStored(seq: number): void;
  /** Called if another instance was faster, and its change has not arrived yet. */
  onConflict(): void;
}

/**
 * Writes the changes of plans, one message at a time; plans that arrive meanwhile share the next. A
 * message is only stored directly after the change that the plans were made from. If another one
 * was stored first, the plans run again.
 */
export class ChangeWriter<C> {
  readonly #engine: Engine;
  readonly #options: ChangeWriterOptions<C>;
  readonly #instance = crypto.randomUUID();
  #queue: Waiting<C>[] = [];
  #batch: Batch<C> | undefined;
  #count = 0;
  #figures: ChangeFigures = { messages: 0, changes: 0, seconds: 0, conflicts: 0 };
  #running: Promise<void> | undefined;
  #isClosed = false;

  constructor(engine: Engine, options: ChangeWriterOptions<C>) {
    this.#engine = engine;
    this.#options = options;
  }

  get figures(): ChangeFigures {
    return this.#figures;
  }

  /** Resolves with the result of the plan once its changes were read back. */
  change<T>(plan: () => SharedPlan<C, T>): Promise<T> {
    if (this.#isClosed) return Promise.reject(this.#failure("the log is closed"));
    if (this.#queue.length >= MOST_WAITING) {
      return Promise.reject(this.#failure(`${this.#queue.length} changes wait for it`));
    }
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const endMs = performance.now() + CHANGE_MS;
    this.#queue.push({ plan, resolve: (result) => resolve(result as T), reject, endMs });
    this.#running ??= this.#run().finally(() => this.#running = undefined);
    return promise;
  }

  /** Returns the changes of a message that is read back; `undefined` if another instance wrote it. */
  take(id: string): readonly C[] | undefined {
    const batch = this.#batch;
    if (batch?.id !== id || batch.isDone || batch.isLost) return undefined;
    batch.isDone = true;
    return batch.changes;
  }

  /** Whether this instance wrote a message, even if it has given it up since. */
  isOwn(id: string): boolean {
    return id.startsWith(`${this.#instance}-`);
  }

  /** The state has one more change. */
  move(): void {
    this.#batch?.moved.resolve();
  }

  /** The state is read again. */
  rewind(): void {
    if (this.#batch !== undefined) this.#batch.isLost = true;
    this.move();
  }

  /** Resolves once everything waiting has been tried once more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    // Plans of one turn share a message.
    await Promise.resolve();
    while (this.#queue.length > 0) {
      const batch = this.#gather();
      if (batch.plans.length === 0) continue;
      this.#batch = batch;
      await this.#write(batch);
      this.#batch = undefined;
    }
  }

  /** Runs plans from the queue, as long as none depends on another. */
  #gather(): Batch<C> {
    const batch: Batch<C> = {
      id: `${this.#instance}-${++this.#count}`,
      behind: this.#options.position(),
      plans: [],
      changes: [],
      encoded: [],
      moved: Promise.withResolvers(),
      isDone: false,
      isLost: false,
    };
    const places = new Set<string | undefined>();
    let length = 0;
    for (let next = this.#queue[0]; next !== undefined; next = this.#queue[0]) {
      if (batch.plans.length >= MOST_PLANS || length >= MOST_LENGTH || places.has(undefined)) break;
      const planned = this.#plan(next);
      if (planned !== undefined) {
        const own = new Set(planned.changes.map((change) => this.#options.view.placeOf(change)));
        const depends = places.size > 0 && (own.has(undefined) || !own.isDisjointFrom(places));
        if (depends) break;
        for (const place of own) places.add(place);
        for (const change of planned.changes) {
          const text = JSON.stringify(this.#options.view.encode(change));
          length += text.length;
          batch.changes.push(change);
          batch.encoded.push(text);
        }
        batch.plans.push({ ...next, result: planned.result });
      }
      this.#queue.shift();
    }
    return batch;
  }

  /** Returns nothing for a finished plan: it failed, or changes nothing. */
  #plan(waiting: Waiting<C>): SharedPlan<C, unknown> | undefined {
    try {
      if (performance.now() > waiting.endMs) throw this.#failure("others change too much");
      const planned = waiting.plan();
      if (planned.changes.length > 0) return planned;
      waiting.resolve(planned.result);
    } catch (error) {
      waiting.reject(error);
    }
    return undefined;
  }

  async #write(batch: Batch<C>): Promise<void> {
    // The first is the oldest.
    const endMs = batch.plans[0]!.endMs;
    const startMs = performance.now();
    const payload = encodeChanges(batch.encoded);
    for (let isSent = false;;) {
      let problem = "it was not read back";
      let waitMs = ATTEMPT_MS;
      try {
        // The client would queue it, and send it when no caller still waits for it.
        if (!this.#engine.link.isConnected) throw new Error("the connection is lost");
        const object = await this.#storeObject(batch.id, payload);
        isSent = true;
        await this.#publish(batch, object === undefined ? payload : new Uint8Array(), object);
      } catch (error) {
        problem = reasonOf(error);
        const isAnswered = hasAnswered(error) && !isUnavailable(error);
        if (!isAnswered) this.#engine.link.unanswered();
        waitMs = isAnswered ? BEHIND_MS : PAUSE_MS;
      }
      await this.#progress(batch, waitMs);
      if (batch.isDone) return this.#finish(batch, startMs);
      // Another change followed the same one, so this message can never be stored.
      if (!batch.isLost && this.#options.position() !== batch.behind) return this.#putBack(batch);
      if (batch.isLost || this.#isClosed || performance.now() >= endMs) {
        return this.#giveUp(batch, { isSent, problem });
      }
      if (waitMs !== PAUSE_MS) this.#options.onConflict();
    }
  }

  /** Waits for the next change of this or another instance. */
  async #progress(batch: Batch<C>, mostMs: number): Promise<void> {
    if (batch.isDone || batch.isLost || this.#options.position() !== batch.behind) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, mostMs);
    });
    await Promise.race([batch.moved.promise, late]);
    clearTimeout(timer);
  }

  async #publish(
    { id, behind }: Batch<C>,
    payload: Uint8Array,
    object: string | undefined,
  ): Promise<void> {
    const added = headers();
    if (object !== undefined) added.set(OBJECT_HEADER, object);
    const { seq } = await this.#engine.client.publish(this.#options.names.changes, payload, {
      msgID: id,
      timeout: ATTEMPT_MS,
      headers: added,
      expect: { lastSubjectSequence: behind },
      retries: 1,
    });
    this.#options.onStored(seq);
  }

  /** Stores changes too large for a message as an object, which the message names. */
  async #storeObject(id: string, payload: Uint8Array<ArrayBuffer>): Promise<string | undefined> {
    if (payload.length <= Math.min(2 * MOST_LENGTH, this.#engine.maxBytes - 1024)) return undefined;
    const name = `${this.#options.names.stream}-${id}`;
    const size = await this.#engine.objects.store(name, ReadableStream.from([payload]));
    return writeRef({ name, size });
  }

  #finish({ plans, changes }: Batch<C>, startMs: number): void {
    const { messages, changes: before, seconds, conflicts } = this.#figures;
    this.#figures = {
      messages: messages + 1,
      changes: before + changes.length,
      seconds: seconds + (performance.now() - startMs) / 1000,
      conflicts,
    };
    for (const { resolve, result } of plans) resolve(result);
  }

  #putBack(batch: Batch<C>): void {
    const { conflicts, ...figures } = this.#figures;
    this.#figures = { ...figures, conflicts: conflicts + batch.plans.length };
    this.#queue = [...batch.plans, ...this.#queue];
  }

  #giveUp(batch: Batch<C>, { isSent, problem }: { isSent: boolean; problem: string }): void {
    const text = this.#text(problem);
    const error = isSent ? new LogOutcomeError(text) : new LogWriteError(text);
    batch.isDone = true;
    for (const { reject } of batch.plans) reject(error);
  }

  #failure(reason: string): LogWriteError {
    return new LogWriteError(this.#text(reason));
  }

  #text(reason: string): string {
    return `Cannot change ${this.#options.view.what}: NATS does not accept it (${reason})`;
  }
}

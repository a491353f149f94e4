import { headers } from "@nats-io/transport-node";
import { LogWriteError, reasonOf } from "../errors.ts";
import type { Engine } from "./engine.ts";

/** Maximum wait of a record, in milliseconds: a cluster replaces its leader in about five seconds. */
export const APPEND_MS = 8000;
/** Maximum wait for one response of the server, in milliseconds. */
const ATTEMPT_MS = 2000;
/** Pause between two attempts, in milliseconds. */
const PAUSE_MS = 100;
/** Maximum bytes that wait; beyond that, records are refused at once. */
const MOST_BYTES = 64_000_000;

/** A message to be written to the stream. */
export interface Outgoing {
  readonly subject: string;
  /** Approximate bytes that wait with it. */
  readonly bytes: number;
  /** Makes the server store it once, whatever the number of attempts. */
  readonly id: string;
  /** Start of the first wait for it, on the monotonic clock. */
  readonly sinceMs: number;
  /** Returns the payload; `object` is the name under which it is stored separately if too large for a message. */
  prepare(): Promise<{ readonly payload: Uint8Array; readonly object?: string }>;
  /** It cannot be stored, or the outcome is unknown. */
  fail(error: LogWriteError): void;
  /** The stream has it, or no caller still waits for it. */
  readonly isDone: boolean;
}

/** Headers of the messages. */
export const ID_HEADER = "Nats-Msg-Id";
export const OBJECT_HEADER = "Standin-Object";

/** Metrics of the writes. */
export interface WriteFigures {
  messages: number;
  /** Total time from the first attempt to the response, in seconds. */
  seconds: number;
}

/** Writes messages in sequence, each as often as needed: the stream drops duplicates. */
export class Writer {
  readonly figures: WriteFigures = { messages: 0, seconds: 0 };
  readonly #engine: Engine;
  readonly #isConnected: () => boolean;
  readonly #onStored: (seq: number) => void;
  readonly #queue: (() => Outgoing)[] = [];
  #bytes = 0;
  #isRunning = false;
  #failed = false;
  #isClosed = false;
  #idle = Promise.withResolvers<void>();

  /** Calls `onStored` with the sequence of each stored message. */
  constructor(
    engine: Engine,
    { isConnected, onStored }: { isConnected: () => boolean; onStored: (seq: number) => void },
  ) {
    this.#engine = engine;
    this.#isConnected = isConnected;
    this.#onStored = onStored;
  }

  /** Whether the last message could not be stored. */
  get failed(): boolean {
    return this.#failed;
  }

  /** Throws `LogWriteError` if too much is waiting. */
  checkRoom(): void {
    if (this.#failed && !this.#isConnected()) throw unreachable("the connection is lost");
    if (this.#bytes < MOST_BYTES) return;
    throw unreachable(`${this.#bytes} bytes wait for it`);
  }

  /** Counts the waiting bytes of a message that is still open. */
  count(bytes: number): void {
    this.#bytes += bytes;
  }

  /** Queues a message; `take` closes it when its turn comes. */
  add(take: () => Outgoing): void {
    this.#queue.push(take);
    if (!this.#isRunning) this.#run();
  }

  /** The stream can be written again. */
  recover(): void {
    this.#failed = false;
  }

  /** Resolves once everything waiting has been tried once more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#isRunning) await this.#idle.promise;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    this.#idle = Promise.withResolvers();
    // Events captured in one turn share a message.
    await Promise.resolve();
    for (let take = this.#queue.shift(); take !== undefined; take = this.#queue.shift()) {
      const message = take();
      await this.#write(message);
      this.#bytes -= message.bytes;
    }
    this.#isRunning = false;
    this.#idle.resolve();
  }

  async #write(message: Outgoing): Promise<void> {
    const startMs = performance.now();
    const isHopeless = this.#failed && !this.#isConnected();
    const endMs = isHopeless ? startMs : message.sinceMs + APPEND_MS;
    for (;;) {
      try {
        await this.#attempt(message);
        this.#engine.link.answered();
        this.#failed = false;
        this.figures.messages++;
        this.figures.seconds += (performance.now() - startMs) / 1000;
        return;
      } catch (error) {
        this.#engine.link.unanswered();
        if (message.isDone) return;
        if (performance.now() < endMs && !this.#isClosed) {
          await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
          continue;
        }
        this.#failed = true;
        return message.fail(unreachable(reasonOf(error)));
      }
    }
  }

  async #attempt({ subject, id, prepare }: Outgoing): Promise<void> {
    // The client would queue it, and send it when no caller still waits for it.
    if (!this.#isConnected()) throw new Error("the connection is lost");
    const { payload, object } = await prepare();
    const added = headers();
    if (object !== undefined) added.set(OBJECT_HEADER, object);
    const { seq } = await this.#engine.client.publish(subject, payload, {
      msgID: id,
      timeout: ATTEMPT_MS,
      headers: added,
      retries: 1,
    });
    this.#onStored(seq);
  }
}

function unreachable(reason: string): LogWriteError {
  return new LogWriteError(`Cannot keep what was captured: NATS does not accept it (${reason})`);
}

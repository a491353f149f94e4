import type { ConsumerMessages, JsMsg } from "@nats-io/jetstream";
import { within } from "../net/within.ts";
import { type Engine, isStreamMissing } from "./engine.ts";
import type { StreamShape } from "./stream_shape.ts";

/** Lifetime of one request for messages, and time until a silent server is noticed, in milliseconds. */
const EXPIRES_MS = 2000;
const HEARTBEAT_MS = 500;
/** Maximum number of messages in flight. */
const MOST_MESSAGES = 100;
/** Pause before the next attempt to read, in milliseconds. */
const PAUSE_MS = 200;

/** Time limit for opening the stream, and for the arrival of an existing message, in milliseconds. */
const OPEN_MS = 3000;
const STALL_MS = 1500;

/** One attempt to read the stream. */
class Reading {
  messages: ConsumerMessages | undefined;
  handling: Promise<void> | undefined;
  isOver = false;
  readonly #onEnd: () => void;

  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
  }

  end(): void {
    this.isOver = true;
    this.messages?.stop();
    this.#onEnd();
  }
}

/** Callbacks of the reader. */
export interface TailHandlers {
  /** Handles the next message, in order. Must not reject. */
  handle(message: JsMsg): Promise<void> | undefined;
  /**
   * The stream was replaced: it is read from its start, or from after the returned sequence. It is called again if it
   * rejects.
   */
  rewind(): void | Promise<number>;
}

/** Reads a stream from its start, in order, and resumes after a lost connection. */
export class Tail {
  readonly #engine: Engine;
  readonly #stream: StreamShape;
  readonly #handlers: TailHandlers;
  readonly #waiting = new Set<{ readonly seq: number; resolve(): void }>();
  #position = 0;
  #pending = 0;
  #handledMs = performance.now();
  #heardMs = performance.now();
  /** Ends the current reading, for another attempt. */
  #interrupt: () => void = () => {};
  #watch: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;
  #mustRewind = false;
  #running: Promise<void> | undefined;

  constructor(
    { engine, stream }: { engine: Engine; stream: StreamShape },
    handlers: TailHandlers,
  ) {
    this.#engine = engine;
    this.#stream = stream;
    this.#handlers = handlers;
  }

  /** Sequence of the last handled message. */
  get position(): number {
    return this.#position;
  }

  /** Number of messages after the last handled one, at that time. */
  get pending(): number {
    return this.#pending;
  }

  /** Time since the last handled message, in milliseconds. */
  get silentMs(): number {
    return performance.now() - this.#handledMs;
  }

  /** Time since the server last sent anything of the stream, in milliseconds; it does so twice a second. */
  get unheardMs(): number {
    return performance.now() - this.#heardMs;
  }

  /** Reads the messages after a sequence. */
  start(position = 0): void {
    this.#position = position;
    this.#running = this.#run();
  }

  /** Resolves once everything up to a sequence has been handled. */
  reached(seq: number): Promise<void> | undefined {
    if (this.#position >= seq) return undefined;
    return new Promise((resolve) => this.#waiting.add({ seq, resolve }));
  }

  /** Requests messages again, from the last position. */
  restart(): void {
    this.#interrupt();
  }

  /** Expects an existing message soon; otherwise the request is repeated. */
  expect(seq: number): void {
    if (this.#watch !== undefined || this.#position >= seq) return;
    this.#watch = setTimeout(() => {
      this.#watch = undefined;
      if (this.#position < seq) this.restart();
    }, STALL_MS);
  }

  /** Reads the stream from its start: it was replaced, or too much time has passed. */
  rewind(): void {
    this.#mustRewind = true;
    this.restart();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#watch);
    this.#interrupt();
    for (const { resolve } of this.#waiting) resolve();
    this.#waiting.clear();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#isClosed) {
      try {
        if (this.#mustRewind) await this.#goBack();
        await this.#read();
      } catch (error) {
        this.#engine.link.unanswered();
        if (isStreamMissing(error)) await this.#engine.ensureStream(this.#stream).catch(() => {});
      }
      if (!this.#isClosed) {
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    }
  }

  async #goBack(): Promise<void> {
    this.#position = 0;
    this.#position = await this.#handlers.rewind() ?? 0;
    this.#mustRewind = false;
    this.#wake();
  }

  /** Ends when interrupted, even while the client library still waits. */
  async #read(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const reading = new Reading(resolve);
    this.#interrupt = () => reading.end();
    const done = this.#readInto(reading);
    done.catch(() => {});
    await Promise.race([done, promise]);
    reading.end();
    // One message at a time is handled.
    await reading.handling;
  }

  async #readInto(reading: Reading): Promise<void> {
    const { client } = this.#engine;
    const consumer = await within(
      client.consumers.get(this.#stream.name, {
        deliver_policy: "by_start_sequence",
        opt_start_seq: this.#position + 1,
      }),
      OPEN_MS,
      "the stream cannot be read",
    );
    const opening = consumer.consume({
      max_messages: MOST_MESSAGES,
      expires: EXPIRES_MS,
      idle_heartbeat: HEARTBEAT_MS,
    });
    const messages = await within(opening, OPEN_MS, "the stream cannot be read");
    reading.messages = messages;
    this.#heardMs = performance.now();
    if (reading.isOver) return messages.stop();
    this.#endOnSilence(reading, messages);
    for await (const message of messages) {
      this.#heardMs = performance.now();
      if (reading.isOver) break;
      if (message.seq <= this.#position) continue;
      const handled = this.#handlers.handle(message);
      if (handled !== undefined) await (reading.handling = handled);
      if (reading.isOver && this.#mustRewind) break;
      this.#advance(message);
    }
  }

  async #endOnSilence(reading: Reading, messages: ConsumerMessages): Promise<void> {
    for await (const { type } of messages.status()) {
      if (type === "heartbeats_missed") return reading.end();
      if (type === "heartbeat") this.#heardMs = performance.now();
      if (reading.isOver) return;
    }
  }

  #advance(message: JsMsg): void {
    this.#position = message.seq;
    this.#pending = message.info.pending;
    this.#handledMs = performance.now();
    this.#engine.link.answered();
    this.#wake();
  }

  #wake(): void {
    for (const waiter of this.#waiting) {
      if (waiter.seq > this.#position) continue;
      this.#waiting.delete(waiter);
      waiter.resolve();
    }
  }
}

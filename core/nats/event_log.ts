import type { JsMsg } from "@nats-io/jetstream";
import type { MemoryBlobStore } from "../blobs/memory.ts";
import { ConfigError, reasonOf } from "../errors.ts";
import type { CapturedEvent } from "../events/event.ts";
import type { EngineState, EventLog, LogFollower, LogRecord, Placeless } from "../events/log.ts";
import type { Logger } from "../log.ts";
import { Attachments } from "./attachments.ts";
import { Barrier } from "./barrier.ts";
import { type Engine, eventStream, patiently } from "./engine.ts";
import { DamagedError, decodeMessage } from "./message.ts";
import { Packer } from "./packer.ts";
import { type ChunksRef, readRef, toPlain } from "./chunks.ts";
import { Tail } from "./tail.ts";
import { REMOVALS_MS, Trimmer } from "./trimmer.ts";
import { ID_HEADER, OBJECT_HEADER, Writer } from "./writer.ts";

/** Interval of log lines about the progress of the start, in milliseconds. */
const PROGRESS_MS = 1000;
/** Time without a sign of the stream, in milliseconds, after which nothing can be acknowledged. */
const UNHEARD_MS = 3000;

/** Options of the log. */
export interface NatsLogOptions {
  /** Attachments of events: read from here to store them, and put here if other instances captured them. */
  readonly blobs: MemoryBlobStore;
  readonly log: Logger;
}

/**
 * Stores events in a stream of NATS JetStream shared by any number of instances. Events captured while the previous
 * message is in flight share a message. The view of each instance follows the stream, including its own events.
 */
export class NatsEventLog implements EventLog, AsyncDisposable {
  readonly shared = true;
  readonly #engine: Engine;
  readonly #log: Logger;
  readonly #attachments: Attachments;
  readonly #trimmer: Trimmer;
  readonly #writer: Writer;
  readonly #packer: Packer;
  readonly #tail: Tail;
  readonly #barrier: Barrier;
  #follower: LogFollower = () => {};
  #isStarted = false;
  #unreadable: Error | undefined;
  #probing: Promise<void> | undefined;

  constructor(engine: Engine, { blobs, log }: NatsLogOptions) {
    this.#engine = engine;
    this.#log = log;
    this.#attachments = new Attachments(engine, blobs);
    this.#trimmer = new Trimmer(engine, { log, isNeeded: (id) => this.#attachments.has(id) });
    this.#writer = new Writer(engine, {
      isConnected: () => engine.link.isConnected,
      onStored: (seq) => this.#tail.expect(seq),
    });
    this.#packer = new Packer({ engine, writer: this.#writer, attachments: this.#attachments });
    const { names } = engine;
    this.#tail = new Tail({ engine, stream: eventStream(names) }, {
      handle: (message) => this.#handle(message),
      rewind: () => this.#rewind(),
    });
    const { stream, mark } = names;
    const what = "which events there are";
    this.#barrier = new Barrier(engine, { stream, mark, tail: this.#tail, what });
    engine.link.onBack((lostMs) => {
      // Records of deletions during the interruption may have expired.
      if (lostMs > REMOVALS_MS / 2) this.#tail.rewind();
      else this.#tail.restart();
    });
  }

  get writable(): boolean {
    const { link } = this.#engine;
    if (!link.isConnected) return !link.isLost;
    if (this.#isStarted && this.#tail.unheardMs > UNHEARD_MS) return false;
    if (!this.#writer.failed) return true;
    this.#probing ??= this.#barrier.mark().then(() => this.#writer.recover(), () => {})
      .finally(() => this.#probing = undefined);
    return false;
  }

  get state(): Omit<EngineState, "shared" | "writers"> {
    const { connection } = this.#engine;
    const { messages, seconds } = this.#writer.figures;
    return {
      server: connection.getServer(),
      connected: this.#engine.link.isConnected,
      behind: this.#tail.pending,
      silentSeconds: this.#tail.unheardMs / 1000,
      messages,
      events: this.#packer.events,
      seconds,
    };
  }

  async follow(follower: LogFollower): Promise<void> {
    this.#follower = follower;
    const { manager, names } = this.#engine;
    try {
      const { state } = await patiently(() => manager.streams.info(names.stream));
      this.#tail.start();
      await this.#readUpTo(state.messages === 0 ? 0 : state.last_seq, state.messages);
    } catch (error) {
      throw new ConfigError(
        `Cannot read the events stored in NATS: ${reasonOf(error)}; choose another ` +
          `[storage.nats] prefix (--nats-prefix), or remove the stream "${names.stream}"`,
      );
    }
    this.#isStarted = true;
    this.#trimmer.start(() => this.#tail.position);
  }

  async #readUpTo(seq: number, messages: number): Promise<void> {
    const reached = this.#tail.reached(seq)?.then(() => true);
    if (reached === undefined) return;
    for (let position = -1;;) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<false>((resolve) => {
        timer = setTimeout(() => resolve(false), PROGRESS_MS);
      });
      const isThere = await Promise.race([reached, late]);
      clearTimeout(timer);
      if (this.#unreadable !== undefined) throw this.#unreadable;
      if (isThere) return;
      if (this.#tail.position === position && this.#tail.silentMs > 10 * PROGRESS_MS) {
        throw new Error("the server does not send them");
      }
      position = this.#tail.position;
      const left = this.#tail.pending;
      this.#log.info("Reading the stored events", { left, of: messages });
    }
  }

  append(record: LogRecord): Promise<void> {
    return this.#packer.append(record);
  }

  trim(event: CapturedEvent): void {
    this.#trimmer.drop(event);
    this.#attachments.forget(event.blobs);
  }

  last(): Promise<void> {
    return this.#barrier.pass(this.#packer.settled());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#writer.close();
    await this.#trimmer.close();
    await this.#tail.close();
    this.#packer.close();
  }

  #handle(message: JsMsg): Promise<void> | undefined {
    if (message.subject === this.#engine.names.mark) return undefined;
    const id = message.headers?.get(ID_HEADER) ?? "";
    const object = readRef(message.headers?.get(OBJECT_HEADER));
    const own = this.#packer.take(id);
    if (own === undefined) return this.#takeFromElsewhere(message, object);
    try {
      this.#takeOwn(message.seq, own.records, object);
      own.resolve();
    } catch (error) {
      own.reject(error);
    }
    return undefined;
  }

  #takeOwn(seq: number, records: readonly LogRecord[], object: ChunksRef | undefined): void {
    const events = records.flatMap(eventsOf);
    this.#note(seq, events, object);
    const [first] = records;
    if (first?.kind === "restored") this.#follower({ kind: "restored", events });
    else for (const record of records) this.#follower(record);
  }

  #note(seq: number, events: readonly Placeless[], object: ChunksRef | undefined): void {
    const [first] = events;
    if (first === undefined) this.#trimmer.addRemoval(seq);
    else {
      const objects = object === undefined ? [] : [object.name];
      this.#trimmer.add(seq, { plugin: first.plugin, events, objects });
    }
  }

  async #takeFromElsewhere(message: JsMsg, object: ChunksRef | undefined): Promise<void> {
    for (;;) {
      try {
        return await this.#take(message, object);
      } catch (error) {
        if (error instanceof RangeError) return this.#reportUnreadable(error);
        if (this.#tail.position >= message.seq) return;
        // The server is briefly unavailable: nothing may be skipped.
        await new Promise((resolve) => setTimeout(resolve, 200));
        if (this.#engine.connection.isClosed()) return;
      }
    }
  }

  #reportUnreadable(error: RangeError): void {
    // A newer version could read it, unlike a damaged message or a foreign one.
    if (!this.#isStarted && !(error instanceof DamagedError)) this.#unreadable = error;
    else this.#log.error("Cannot read a message of another instance: it is skipped", { error });
  }

  async #take(message: JsMsg, object: ChunksRef | undefined): Promise<void> {
    const payload = object === undefined
      ? toPlain(message.data)
      : await this.#engine.objects.read(object);
    // Another instance removed it with its events.
    if (payload === undefined) return;
    const read = decodeMessage(payload);
    if (!("events" in read)) {
      this.#note(message.seq, [], object);
      return this.#follower(read);
    }
    const events = read.events.map(({ event }) => event);
    const absent = await this.#attachments.takeAll(events.flatMap(({ blobs }) => blobs), read.refs);
    if (absent > 0) {
      const hint = "raise [storage] blob_limit or memory_limit, and start again";
      this.#log.warn("No room for stored attachments", { attachments: absent, hint });
    }
    this.#note(message.seq, events, object);
    if (read.kind === "restored") return this.#follower({ kind: "restored", events });
    for (const { event, ms } of read.events) {
      this.#follower({ kind: "captured", event: { ...event, seq: 0 }, ms, elsewhere: true });
    }
  }

  /** Empties the view and fills it from the start of the stream. */
  #rewind(): void {
    this.#log.warn("Reading all events again: NATS no longer has the messages after the last one");
    this.#trimmer.forget();
    this.#follower({ kind: "cleared" });
  }
}

function eventsOf(record: LogRecord): readonly Placeless[] {
  if (record.kind === "captured") return [record.event];
  return record.kind === "restored" ? record.events : [];
}

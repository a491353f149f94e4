import type { JsMsg } from "@nats-io/jetstream";
import { ConfigError, LogWriteError, reasonOf } from "../errors.ts";
import type { Logger } from "../log.ts";
import { within } from "../net/within.ts";
import type { SharedLog, SharedLogState, SharedPlan, SharedView } from "../shared_state.ts";
import { Barrier } from "./barrier.ts";
import { ChangeWriter } from "./change_writer.ts";
import { type Engine, patiently, type SharedNames } from "./engine.ts";
import type { StreamShape } from "./stream_shape.ts";
import { type ChunksRef, readRef } from "./chunks.ts";
import { decodeChanges } from "./shared_message.ts";
import { Snapshots } from "./snapshots.ts";
import { Tail } from "./tail.ts";
import { ID_HEADER, OBJECT_HEADER } from "./writer.ts";

/** Maximum wait for the next message at the start, in milliseconds. */
const SILENCE_MS = 10_000;
/** Pause before an object is requested again, in milliseconds. */
const PAUSE_MS = 200;
/** Header in which a message names the change before it; the server checks it, too. */
const BEFORE_HEADER = "Nats-Expected-Last-Subject-Sequence";

/** Options of the log. */
export interface NatsSharedLogOptions<C> {
  readonly plugin: string;
  readonly view: SharedView<C>;
  readonly log: Logger;
}

/**
 * The state of a plugin as changes in a stream. A message is only stored directly after the change
 * that its plan was made from; otherwise this instance reads the other changes first, and plans
 * again. So every instance applies the same changes, and the conditions that a plan checked still
 * hold then.
 */
export class NatsSharedLog<C> implements SharedLog<C>, AsyncDisposable {
  readonly #engine: Engine;
  readonly #names: SharedNames;
  readonly #view: SharedView<C>;
  readonly #log: Logger;
  readonly #tail: Tail;
  readonly #barrier: Barrier;
  readonly #writer: ChangeWriter<C>;
  readonly #snapshots: Snapshots<C>;
  #isStarted = false;
  /** Why the state can no longer follow the others. */
  #broken: Error | undefined;

  constructor(engine: Engine, { plugin, view, log }: NatsSharedLogOptions<C>) {
    const names = engine.names.shared(plugin);
    this.#engine = engine;
    this.#names = names;
    this.#view = view;
    this.#log = log;
    this.#tail = new Tail({ engine, stream: this.#shape }, {
      handle: (message) => this.#handle(message),
      rewind: () => this.#rewind(),
    });
    const { stream, mark } = names;
    this.#barrier = new Barrier(engine, {
      stream,
      mark,
      tail: this.#tail,
      what: `the state of ${view.what}`,
    });
    this.#snapshots = new Snapshots(engine, { names, view, log });
    this.#writer = new ChangeWriter(engine, {
      names,
      view,
      position: () => this.#snapshots.last,
      onStored: (seq) => this.#tail.expect(seq),
      onConflict: () => this.#tail.restart(),
    });
    engine.link.onBack(() => this.#tail.restart());
  }

  get #shape(): StreamShape {
    const { stream, changes, snapshots, mark } = this.#names;
    const description = `Changes of ${this.#view.what}, shared by instances of Standin`;
    return { name: stream, subjects: [changes, snapshots, mark], description };
  }

  get state(): SharedLogState {
    const silentSeconds = this.#tail.unheardMs / 1000;
    return { behind: this.#tail.pending, silentSeconds, ...this.#writer.figures };
  }

  /** Reads what is stored. Rejects with `ConfigError`. */
  async start(): Promise<void> {
    const { manager } = this.#engine;
    try {
      await this.#engine.ensureStream(this.#shape);
      this.#tail.start(await patiently(() => this.#snapshots.restore()));
      const { state } = await patiently(() => manager.streams.info(this.#names.stream));
      const reached = this.#tail.reached(state.messages === 0 ? 0 : state.last_seq);
      await this.#whileItMoves(reached);
    } catch (error) {
      throw new ConfigError(
        `Cannot read ${this.#view.what} stored in NATS: ${reasonOf(error)}; choose another ` +
          `[storage.nats] prefix (--nats-prefix), or remove the stream "${this.#names.stream}"`,
      );
    }
    this.#isStarted = true;
  }

  async #whileItMoves(reached: Promise<void> | undefined): Promise<void> {
    if (reached === undefined) return;
    for (let position = -1; position !== this.#tail.position;) {
      position = this.#tail.position;
      const isThere = await within(reached, SILENCE_MS, "").then(() => true, () => false);
      if (this.#broken !== undefined) throw this.#broken;
      if (isThere) return;
    }
    throw new Error("the server does not send them");
  }

  async change<T>(plan: () => SharedPlan<C, T>): Promise<T> {
    if (this.#broken !== undefined) throw this.#refusal(this.#broken);
    return await this.#writer.change(plan);
  }

  async current(): Promise<void> {
    await this.#barrier.pass();
    if (this.#broken !== undefined) throw this.#refusal(this.#broken);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#writer.close();
    await this.#snapshots.close();
    await this.#tail.close();
  }

  #refusal(error: Error): LogWriteError {
    return new LogWriteError(`Cannot use ${this.#view.what}: ${reasonOf(error)}`);
  }

  #handle(message: JsMsg): Promise<void> | undefined {
    const { subject, seq } = message;
    if (subject === this.#names.snapshots) return void this.#note(message);
    if (subject !== this.#names.changes) return undefined;
    const stated = message.headers?.get(BEFORE_HEADER);
    if (!stated) return this.#passOver(message);
    const before = Number(stated);
    // Changes in between were replaced by a snapshot.
    if (before !== this.#snapshots.last) return void this.#tail.rewind();
    const object = readRef(message.headers?.get(OBJECT_HEADER));
    const own = this.#writer.take(message.headers?.get(ID_HEADER) ?? "");
    if (own === undefined) return this.#takeFromElsewhere(message, object);
    this.#apply(own, { seq, object, own: true });
    return undefined;
  }

  /**
   * Instances always name the previous change: this message is foreign, and no instance applies it.
   */
  #passOver({ seq }: JsMsg): undefined {
    this.#log.error(
      `Cannot read a change of ${this.#view.what}: it names no instance and is skipped`,
    );
    this.#snapshots.count(seq, { object: undefined, own: false });
    this.#writer.move();
  }

  #note(message: JsMsg): void {
    try {
      this.#snapshots.note(message);
    } catch (error) {
      this.#break(error);
    }
  }

  #apply(
    changes: readonly C[],
    { seq, object, own }: { seq: number; object: ChunksRef | undefined; own: boolean },
  ): void {
    try {
      this.#view.apply(changes, { own });
    } catch (error) {
      this.#break(error);
    }
    this.#snapshots.count(seq, { object: object?.name, own });
    this.#writer.move();
  }

  async #takeFromElsewhere(message: JsMsg, object: ChunksRef | undefined): Promise<void> {
    for (;;) {
      try {
        const payload = object === undefined
          ? message.data
          : await this.#engine.objects.read(object);
        // It was replaced by a snapshot with its message.
        if (payload === undefined) return this.#tail.rewind();
        const { seq, headers } = message;
        // A message that was given up but stored: no other instance removes the bytes that it
        // frees.
        const own = this.#writer.isOwn(headers?.get(ID_HEADER) ?? "");
        return this.#apply(this.#decode(payload), { seq, object, own });
      } catch (error) {
        if (this.#engine.connection.isClosed() || this.#tail.position >= message.seq) return;
        this.#log.debug("Cannot read a change; it is requested again", { error });
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    }
  }

  #decode(payload: Uint8Array): readonly C[] {
    try {
      return decodeChanges(payload).map((value) => this.#view.decode(value));
    } catch (error) {
      this.#break(error);
      return [];
    }
  }

  /** Without one change, all later ones would be wrong. */
  #break(error: unknown): void {
    if (this.#broken !== undefined) return;
    this.#broken = error instanceof Error ? error : new Error(String(error));
    if (!this.#isStarted) return;
    const hint = "start again with the newest version of the program";
    this.#log.error(`Cannot follow the changes of ${this.#view.what}`, { error, hint });
  }

  async #rewind(): Promise<number> {
    this.#log.warn(
      `Reading ${this.#view.what} again: NATS no longer has the messages after the last one`,
    );
    this.#writer.rewind();
    return await this.#snapshots.restore();
  }
}

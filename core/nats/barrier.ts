import { headers } from "@nats-io/transport-node";
import { GroupSync } from "../blobs/sync.ts";
import { LogWriteError, reasonOf } from "../errors.ts";
import { within } from "../net/within.ts";
import { type Engine, isStreamMissing } from "./engine.ts";
import type { Tail } from "./tail.ts";

/** Maximum wait of a reader for writes of other instances, in milliseconds. */
const READ_MS = 4000;
/** Wait of a reader, in milliseconds, after which the stream is requested again. */
const STALL_MS = 1500;
/** Maximum wait for the response to a mark, in milliseconds. */
const MARK_MS = 2000;
/** Pause between two attempts, in milliseconds. */
const PAUSE_MS = 100;
const ROLLUP_HEADER = "Nats-Rollup";

/** What a barrier waits for. */
export interface BarrierOptions {
  /** Name of the stream. */
  readonly stream: string;
  /** Subject of its marks. */
  readonly mark: string;
  readonly tail: Tail;
  /** End of a message: `which events there are`. */
  readonly what: string;
}

/**
 * Readers wait here until this instance has read everything stored before; readers that arrive
 * meanwhile share a request.
 */
export class Barrier {
  readonly #engine: Engine;
  readonly #options: BarrierOptions;
  readonly #group = new GroupSync(() => within(this.#readAll(), READ_MS, "it does not answer"));

  constructor(engine: Engine, options: BarrierOptions) {
    this.#engine = engine;
    this.#options = options;
  }

  /** Resolves once everything stored before the call was read, and `more` has settled. Rejects with `LogWriteError`. */
  async pass(more?: Promise<unknown>): Promise<void> {
    try {
      const read = this.#engine.link.isLost
        ? Promise.reject(new Error("the connection is lost"))
        : this.#group.sync();
      await within(Promise.all([more, read]), READ_MS, "it does not answer");
      this.#engine.link.answered();
    } catch (error) {
      if (error instanceof LogWriteError) throw error;
      this.#engine.link.unanswered();
      const { what } = this.#options;
      throw new LogWriteError(`Cannot tell ${what}: NATS cannot be reached (${reasonOf(error)})`);
    }
  }

  /** Writes a mark, and returns its position. Rejects if the stream cannot be written. */
  async mark(): Promise<number> {
    const added = headers();
    added.set(ROLLUP_HEADER, "sub");
    const options = { timeout: MARK_MS, headers: added };
    return (await this.#engine.client.publish(this.#options.mark, "", options)).seq;
  }

  async #readAll(): Promise<void> {
    const { tail } = this.#options;
    const reached = tail.reached(await this.#lastSeqInTime());
    if (reached === undefined) return;
    const timer = setTimeout(() => tail.restart(), STALL_MS);
    await reached.finally(() => clearTimeout(timer));
  }

  /** Repeats the request as long as a reader waits: a cluster that elects a leader may refuse at once. */
  async #lastSeqInTime(): Promise<number> {
    const endMs = performance.now() + READ_MS - PAUSE_MS;
    for (;;) {
      try {
        return await this.#lastSeq();
      } catch (error) {
        const { isLost, isClosed } = this.#engine.link;
        if (isLost || isClosed || performance.now() >= endMs) throw error;
        this.#engine.link.unanswered();
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    }
  }

  /**
   * Returns the last sequence acknowledged to any instance. In a cluster, a server cut off from the others does not
   * know it, so a mark is written, which requires a majority.
   */
  async #lastSeq(): Promise<number> {
    const { manager, replicas } = this.#engine;
    const { stream, tail } = this.#options;
    const before = tail.position;
    if (replicas > 1) {
      const seq = await this.mark();
      // It is the last one, unless the stream was replaced.
      if (seq < before) tail.rewind();
      return seq;
    }
    try {
      const { state } = await manager.streams.info(stream);
      if (state.last_seq < before) tail.rewind();
      return state.messages === 0 ? 0 : state.last_seq;
    } catch (error) {
      if (isStreamMissing(error)) tail.rewind();
      throw error;
    }
  }
}

import type { CapturedEvent } from "./event.ts";

type Kept = Pick<CapturedEvent, "blobs">;

/** Events that the log writes together. */
interface Batch {
  readonly kept: Promise<void>;
  readonly events: Kept[];
}

/**
 * Events that the log does not have yet. They are listed by batch, because adding each to a weak map would cost a capture
 * on disk up to a microsecond.
 */
export class Unsettled {
  readonly #batches = new Set<Batch>();
  /** The newest of them. */
  #last: Batch | undefined;
  /** Promises of the events that the log has refused. */
  readonly #refused = new WeakMap<Kept, Promise<void>>();
  readonly #onRefused: (event: Kept) => void;

  constructor(onRefused: (event: Kept) => void) {
    this.#onRefused = onRefused;
  }

  /** Lists an event until `kept` settles; if it rejects, `get` keeps returning it. */
  add(event: Kept, kept: Promise<void>): void {
    if (this.#last?.kept === kept) {
      this.#last.events.push(event);
      return;
    }
    const batch: Batch = { kept, events: [event] };
    this.#last = batch;
    this.#batches.add(batch);
    const drop = (): void => {
      this.#batches.delete(batch);
      if (this.#last === batch) this.#last = undefined;
    };
    kept.then(drop, () => {
      drop();
      for (const event of batch.events) {
        this.#refused.set(event, kept);
        this.#onRefused(event);
      }
    });
  }

  /** Returns the promise of an event, unless the log has it. */
  get(event: Kept): Promise<void> | undefined {
    // Nearly always asked right after the capture.
    if (this.#last?.events.at(-1) === event) return this.#last.kept;
    for (const { kept, events } of this.#batches) if (events.includes(event)) return kept;
    return this.#refused.get(event);
  }
}

import type { WaitingSteps } from "./bytes/steps.ts";

/** Maximum uninterrupted work for one conversation, in milliseconds. */
const SLICE_MS = 10;

/** Pause after work that could not be sliced, as a fraction of its duration. */
const LONG_SHARE = 1 / 8;

/** Longest such pause, in milliseconds: everything that has yielded waits for it. */
const LONGEST_PAUSE_MS = 250;

/** Cuts long work into time slices, so that one large item does not block all other clients. */
export class TimeSlice {
  #beganMs = performance.now();

  /** Returns whether the slice is used up. */
  get over(): boolean {
    return performance.now() - this.#beganMs >= SLICE_MS;
  }

  /**
   * Excludes the time since `sinceMs`, which was spent waiting. After a long wait, a new slice begins, because everything
   * else has had its turn.
   */
  waited(sinceMs: number): void {
    const nowMs = performance.now();
    if (nowMs - sinceMs >= SLICE_MS) this.#beganMs = nowMs;
  }

  /** Yields to all other work. */
  async yieldToEventLoop(): Promise<void> {
    const tookMs = performance.now() - this.#beganMs;
    // Answering takes several turns of the event loop, so one is not enough after a long slice.
    const pauseMs = tookMs < 5 * SLICE_MS ? 0 : Math.min(tookMs * LONG_SHARE, LONGEST_PAUSE_MS);
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setTimeout(goOn, pauseMs);
    });
    this.#beganMs = performance.now();
  }
}

/** Long work that has yielded, first come first served. */
const waiting: (() => void)[] = [];

/**
 * One at a time: however much long work there is, a socket waits for one slice only. Resumed by a
 * timer, because the platform does not poll its sockets after an immediate.
 */
function goOn(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setTimeout(goOn, 0);
}

/** Does work in time slices; short work is done at once. */
export async function inSlices<T>(work: WaitingSteps<T>): Promise<T> {
  const slice = new TimeSlice();
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    if (step.value !== undefined) {
      const askedMs = performance.now();
      await step.value;
      slice.waited(askedMs);
    }
    if (slice.over) await slice.yieldToEventLoop();
  }
}

/**
 * Work that is short for each conversation but long for many of them: all together do one slice
 * of it between two turns of the event loop.
 */
export class SharedSlice {
  #workedMs = 0;

  /** Does work in its turn, and in time slices. */
  async run<T>(work: WaitingSteps<T>): Promise<T> {
    if (this.#workedMs >= SLICE_MS) {
      await new TimeSlice().yieldToEventLoop();
      this.#workedMs = 0;
    }
    return await inSlices(this.#counted(work));
  }

  *#counted<T>(work: WaitingSteps<T>): WaitingSteps<T> {
    for (;;) {
      const beganMs = performance.now();
      const step = work.next();
      this.#workedMs += performance.now() - beganMs;
      if (step.done) return step.value;
      yield step.value;
    }
  }
}

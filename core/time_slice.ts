import type { WaitingSteps } from "./bytes/steps.ts";

/** Longest work of one conversation at a stretch, in milliseconds. */
const SLICE_MS = 10;

/** Part of the time of work that could not be cut into slices for which others have their turn. */
const LONG_SHARE = 1 / 8;

/** Keeps long work in slices, so that one sender of much does not keep all others waiting. */
export class TimeSlice {
  #beganMs = performance.now();

  /** Whether it is the turn of others. */
  get over(): boolean {
    return performance.now() - this.#beganMs >= SLICE_MS;
  }

  /** Lets all others have their turn. */
  async yieldToEventLoop(): Promise<void> {
    const tookMs = performance.now() - this.#beganMs;
    // To be answered takes several turns of the event loop: after a long stretch one is not enough.
    const pauseMs = tookMs < 5 * SLICE_MS ? 0 : tookMs * LONG_SHARE;
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setTimeout(goOn, pauseMs);
    });
    this.#beganMs = performance.now();
  }
}

/** Long work that has given way, first come first served. */
const waiting: (() => void)[] = [];

/**
 * One at a time: however many work long, whoever is waited for by a socket waits for one slice. By a timer, because
 * after an immediate the platform does not look at its sockets.
 */
function goOn(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setTimeout(goOn, 0);
}

/** Does work in slices of time; what is short is done at once. */
export async function inSlices<T>(work: WaitingSteps<T>): Promise<T> {
  const slice = new TimeSlice();
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    if (step.value !== undefined) await step.value;
    if (slice.over) await slice.yieldToEventLoop();
  }
}

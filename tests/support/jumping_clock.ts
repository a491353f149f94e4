/** A clock that tests set forward, and timers that record their delay and do not wait. */

/** Restores the real clock and timers when disposed of. */
export interface JumpingClock extends Disposable {
  /** Delays of the timers that were set, in milliseconds. */
  readonly pausesMs: readonly number[];
  /** Sets the clock forward. */
  jump(ms: number): void;
}

/** Replaces `performance.now` and `setTimeout`. */
export function jumpingClock(): JumpingClock {
  const { now } = performance;
  const { setTimeout } = globalThis;
  const pausesMs: number[] = [];
  let aheadMs = 0;
  performance.now = () => now.call(performance) + aheadMs;
  globalThis.setTimeout = ((task: () => void, ms = 0) => {
    pausesMs.push(ms);
    return setTimeout(task, 0);
  }) as typeof setTimeout;
  return {
    pausesMs,
    jump(ms) {
      aheadMs += ms;
    },
    [Symbol.dispose]() {
      performance.now = now;
      globalThis.setTimeout = setTimeout;
    },
  };
}

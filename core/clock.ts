/** Source of time; tests pass their own. */
export interface Clock {
  /** Returns the current time. */
  now(): Date;
}

/** The machine's clock. */
export const systemClock: Clock = { now: () => new Date() };

/** Maximum delay of a timer, in milliseconds, nearly 25 days; a longer one would fire at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** Source of time; tests pass their own. */
export interface Clock {
  /** Returns the current time. */
  now(): Date;
}

/** The machine's clock. */
export const systemClock: Clock = { now: () => new Date() };

/** Where time comes from; a test passes its own. */
export interface Clock {
  /** The time it is. */
  now(): Date;
}

/** The machine's clock. */
export const systemClock: Clock = { now: () => new Date() };

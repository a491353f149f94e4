/** A connection that is served. */
export interface Served {
  /** Serves it to its end. Never rejects. */
  run(): Promise<void>;
  /** Closes it now. */
  abort(): void;
  /** It ends behind the answers that are owed. */
  finish(): void;
  /** Enforces the limits; called every now and then. */
  sweep(now: number): void;
}

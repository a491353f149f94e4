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

/** What a connection is while it speaks one protocol. */
export interface Stage {
  /** Serves it. What is in its input at the end of a tunnel's request is another protocol. Rejects when it breaks. */
  serve(): Promise<"ended" | "tunnel">;
  /** It ends behind the answers that are owed; one that owes none is to be closed now, which is `true`. */
  finish(): boolean;
  /** Enforces the limits; `true` if it is to be closed now. */
  sweep(now: number): boolean;
}

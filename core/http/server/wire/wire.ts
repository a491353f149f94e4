import type { ClientCertificate } from "../../../events/event.ts";
import type { NewRejected } from "../../../events/journal.ts";
import type { Disturbance } from "../../../faults/outcome.ts";
import type { ByteConn } from "../../../net/socket_conn.ts";
import type { Input } from "./input.ts";

/** Facts shared by all calls of one connection. */
export interface ConnectionFacts {
  /** `host:port` of the client. */
  readonly peer: string;
  /** `host:port` that the client reached. */
  readonly local: string;
  readonly tls: boolean;
  readonly clientCertificate: ClientCertificate | undefined;
  /** Aborts with the connection. */
  readonly gone: AbortSignal;
  /** Applies a network fault to the connection from now on. */
  disturb(what: Disturbance): void;
}

/** One client connection, and its unread input. */
export interface Wire {
  readonly conn: ByteConn;
  readonly input: Input;
  readonly facts: ConnectionFacts;
  /** Closes it now. */
  cut(): void;
  /** Something besides its reading has failed: closes it, and logs why unless its client just left. */
  fail(error: unknown): void;
  /** Notes what never reaches a handler; its raw bytes are copied. */
  note(record: Omit<NewRejected, "peer">): void;
}

/** A connection that is served. */
export interface Served {
  /** Serves it to its end. Never rejects. */
  run(): Promise<void>;
  /** Closes it now. */
  abort(): void;
  /** Ends it after the pending responses. */
  finish(): void;
  /** Enforces the limits; called at intervals. */
  sweep(now: number): void;
}

/** A connection while it speaks one protocol. */
export interface Stage {
  /** Serves it. What is in its input at the end of a tunnel's request is another protocol. Rejects when it breaks. */
  serve(): Promise<"ended" | "tunnel">;
  /** Ends it after the pending responses; returns `true` if there are none and it must be closed now. */
  finish(): boolean;
  /** Enforces the limits; returns `true` if it must be closed now. */
  sweep(now: number): boolean;
  /**
   * Bytes that the protocol sends before a fault closes or resets the connection; none if it
   * cannot.
   */
  farewell?(kind: "close" | "reset"): Uint8Array | undefined;
}

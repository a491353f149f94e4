import type { NewRejected } from "../../../events/journal.ts";
import type { ByteConn } from "../../../net/socket_conn.ts";
import type { ConnectionFacts } from "./facts.ts";
import type { Input } from "./input.ts";

/** One client connection, and what has come of it. */
export interface Wire {
  readonly conn: ByteConn;
  readonly input: Input;
  readonly facts: ConnectionFacts;
  /** Closes it now. */
  cut(): void;
  /** What is done beside its reading has failed: it is closed, and the log says so unless its client just left. */
  fail(error: unknown): void;
  /** Notes what never reaches a handler. Whoever keeps its raw bytes copies them. */
  note(record: Omit<NewRejected, "peer">): void;
}

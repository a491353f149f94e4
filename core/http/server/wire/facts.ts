import type { ClientCertificate } from "../../../events/event.ts";
import type { Disturbance } from "../../../faults/outcome.ts";

/** What all calls of one connection have in common. */
export interface ConnectionFacts {
  /** `host:port` of the client. */
  readonly peer: string;
  /** `host:port` that the client reached. */
  readonly local: string;
  readonly tls: boolean;
  readonly clientCertificate: ClientCertificate | undefined;
  /** Aborts with the connection. */
  readonly gone: AbortSignal;
  /** What a fault does to the connection, from now on. */
  disturb(what: Disturbance): void;
}

import type { ClientCertificate } from "../../../events/event.ts";

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
}

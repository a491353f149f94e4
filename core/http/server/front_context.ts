import type { ClientCertificate } from "../../events/event.ts";
import type { NewRejected } from "../../events/journal.ts";
import type { Logger } from "../../log.ts";
import type { FrontConnection } from "./front.ts";
import type { RequestHead } from "./http1/head.ts";
import type { FrontLimits } from "./wire/limits.ts";

/** What a connection needs of its server. */
export interface FrontContext {
  readonly limits: FrontLimits;
  readonly h2c: boolean;
  readonly maxHeadBytes: number;
  /** The longest body that a request may announce to be read at all. */
  maxBodyBytes(head: RequestHead): number;
  readonly log: Logger;
  onRefused(record: NewRejected): void;
  /** Opens a connection to the inner server, whose calls then come to `front`. */
  readonly connect: (front: FrontConnection) => Promise<Deno.TcpConn>;
  /** Opens a way to the TLS server, behind which `front`'s bytes come back as a connection of their own. */
  readonly connectTls?: (front: FrontConnection) => Promise<Deno.TcpConn>;
  /** Whether a tunnel to this `host:port` is answered here; nothing is ever dialled. */
  isTunnel(target: string): boolean;
  /** The connection is about to close: its calls end. */
  disconnect(inner: Deno.TcpConn): void;
}

/** Where a connection comes from. */
export interface FrontOrigin {
  /** Carries it inside TLS. */
  readonly outer?: TlsOuter;
  /** Has been read of it already: the beginning of a request. */
  readonly given?: Uint8Array;
}

/** The connection that carries another inside TLS. */
export interface TlsOuter {
  readonly front: FrontConnection;
  readonly certificate: ClientCertificate | undefined;
}

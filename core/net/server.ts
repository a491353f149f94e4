import type { ByteConn } from "./socket_conn.ts";
import type { Sockets } from "./transport.ts";

/** Occupancy of a listener. */
export interface Load {
  /** Open connections. */
  readonly connections: number;
  /** Maximum number of open connections. */
  readonly maxConnections: number;
  /** Connections turned away since the start because the listener was full. */
  readonly refused: number;
}

/** A connection that is turned away because all places are taken. */
export interface RefusedConnection extends Load {
  /** Remote address as `host:port`. */
  readonly peer: string;
}

/** Properties of a connection on the instance that passes it on. */
export interface ConnNames {
  /** Remote address as `host:port`. */
  readonly peer: string;
  /** Address that the client reached, as `host:port`. */
  readonly local: string;
  /** Sockets on that machine. */
  readonly sockets: Sockets;
}

/** Takes over connections that another instance has accepted. */
export interface Adopting {
  /** Serves one like its own, and resolves when it is over. */
  adopt(conn: ByteConn, names: ConnNames): Promise<void>;
}

/** A running listener. */
export interface Server {
  readonly hostname: string;
  readonly port: number;
  /** Absent if there are no connections to count. */
  load?(): Load;
  /** Lets faults reset connections that are accepted from now on. Absent if that is impossible. */
  makeResettable?(): Promise<void>;
  /** Absent where connections are not passed on. */
  readonly adopting?: Adopting;
  /** Ends every conversation that runs now, after `graceMs`. Absent without conversations. */
  cut?(options: { graceMs: number }): void;
  /** Stops accepting, lets conversations finish, and cuts the rest after `graceMs`. Never rejects. */
  stop(options: { graceMs: number }): Promise<void>;
}

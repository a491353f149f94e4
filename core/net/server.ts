/** Occupancy of a listener. */
export interface Load {
  /** Open connections. */
  readonly connections: number;
  /** Most open connections. */
  readonly maxConnections: number;
  /** Connections turned away since the start because all places were taken. */
  readonly refused: number;
}

/** A connection that is turned away because all places are taken. */
export interface TurnedAway extends Load {
  /** Remote address as `host:port`. */
  readonly peer: string;
}

/** A running listener. */
export interface Server {
  readonly hostname: string;
  readonly port: number;
  /** Absent if there are no connections to count. */
  load?(): Load;
  /** Lets faults reset connections that are accepted from now on. Absent if that is impossible. */
  makeResettable?(): Promise<void>;
  /** Stops accepting, lets conversations finish, and cuts the rest after `graceMs`. Never rejects. */
  stop(options: { graceMs: number }): Promise<void>;
}

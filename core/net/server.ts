/** How full a listener is. */
export interface Load {
  /** Connections that are held now. */
  readonly connections: number;
  /** Most connections that are held at a time. */
  readonly maxConnections: number;
  /** Connections turned away since the start because all places were taken. */
  readonly refused: number;
}

/** A connection that is turned away because all places are taken. */
export interface TurnedAway extends Load {
  /** Remote address as `host:port`. */
  readonly peer: string;
}

/** Something that listens until it is stopped. */
export interface Server {
  readonly hostname: string;
  readonly port: number;
  /** Absent where there are no connections to count. */
  load?(): Load;
  /** Stops accepting, lets conversations finish, and cuts those that have not after `graceMs`. Never rejects. */
  stop(options: { graceMs: number }): Promise<void>;
}

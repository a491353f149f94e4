/** Time limits of HTTP connections, in milliseconds. */
export interface FrontLimits {
  /** From the connection, or the first byte of a later request, to the end of the request head. */
  readonly headMs: number;
  /** Between two requests of one HTTP/1 connection. */
  readonly keepAliveMs: number;
  /** Without a byte either way on an HTTP/2 connection without pending requests; clients keep these for a long time. */
  readonly http2IdleMs: number;
  /** Without a byte either way on an HTTP/2 connection with pending requests: even streams of events send pings. */
  readonly http2StallMs: number;
  /**
   * Maximum silence while a request body is read. The whole body may take `BODY_PATIENCE` times as long, and longer for
   * the bytes that arrive (see `Pace`).
   */
  readonly bodyMs: number;
  /** Without the client taking a byte of a response. */
  readonly writeMs: number;
  /** Without a byte of a response to a client that has sent its end: it may have gone, or only closed its half. */
  readonly halfClosedMs: number;
  /** Without a byte of a client that does not close after our end; `LINGER_PATIENCE` times as long in all. */
  readonly lingerMs: number;
}

/**
 * How many times the idle limit a client may continue to send after our end: many send the whole
 * body before they read the response, which closing the connection too early would destroy.
 */
export const LINGER_PATIENCE = 15;

/** Defaults; tests use shorter ones. */
export const FRONT_LIMITS: FrontLimits = {
  headMs: 30_000,
  keepAliveMs: 120_000,
  http2IdleMs: 600_000,
  http2StallMs: 300_000,
  bodyMs: 60_000,
  writeMs: 120_000,
  halfClosedMs: 1000,
  lingerMs: 2000,
};

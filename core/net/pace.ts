import { IdleError } from "./transport.ts";

/**
 * Lowest bytes per second of a peer over a longer time: the default of mod_reqtimeout
 * (https://httpd.apache.org/docs/2.4/mod/mod_reqtimeout.html).
 */
export const MIN_BYTES_PER_SECOND = 500;

/** Maximum silence of a file or body in total, as a multiple of the limit: it may be generated while it is sent. */
export const BODY_PATIENCE = 5;

/** Limits of a slow peer. */
export interface PaceOptions {
  /** Maximum silence. */
  readonly idleMs: number;
  /** Time for the whole transfer before its bytes extend it; `idleMs` by default. */
  readonly graceMs?: number;
  /** Name of the received data in the message: "a message". */
  readonly what: string;
  /** Clock in milliseconds, for tests. */
  readonly now?: () => number;
}

/**
 * Limits the time of one transfer: it ends after a silence, but also if single bytes arrive so slowly that no silence is
 * long enough. There is a grace period, and another second for every `MIN_BYTES_PER_SECOND` received.
 */
export class Pace {
  readonly #options: PaceOptions;
  readonly #now: () => number;
  #endMs = Infinity;

  constructor(options: PaceOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /** Starts a transfer. */
  begin(): void {
    const { idleMs, graceMs = idleMs } = this.#options;
    this.#endMs = this.#now() + graceMs;
  }

  /** Ends the transfer; the next one starts when it is waited for. */
  end(): void {
    this.#endMs = Infinity;
  }

  /** Counts received bytes. */
  took(bytes: number): void {
    this.#endMs += bytes * 1000 / MIN_BYTES_PER_SECOND;
  }

  /** Excludes time that was not the peer's. */
  excuse(ms: number): void {
    this.#endMs += ms;
  }

  /** Returns whether the transfer takes too long. */
  get over(): boolean {
    return this.#now() > this.#endMs;
  }

  /**
   * Returns the result of `read`, which must wait no longer than its argument. Starts a transfer if there is none. Rejects
   * with `IdleError`.
   */
  async next<T extends Uint8Array | undefined>(
    read: (limits: { idleMs: number }) => Promise<T>,
  ): Promise<T> {
    if (this.#endMs === Infinity) this.begin();
    const leftMs = this.#endMs - this.#now();
    const { idleMs } = this.#options;
    if (leftMs <= 0) throw this.#tooSlow();
    try {
      const bytes = await read({ idleMs: Math.min(idleMs, leftMs) });
      if (bytes !== undefined) this.took(bytes.length);
      return bytes;
    } catch (error) {
      // A millisecond that has begun still counts as silence.
      throw error instanceof IdleError && leftMs < idleMs - 1 ? this.#tooSlow() : error;
    }
  }

  #tooSlow(): IdleError {
    const { idleMs, graceMs = idleMs, what } = this.#options;
    return new IdleError(
      `Cannot wait any longer for the rest of ${what}: after ${graceMs} ms at least ` +
        `${MIN_BYTES_PER_SECOND} bytes per second must arrive`,
    );
  }
}

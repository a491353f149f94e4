import { IdleError } from "./transport.ts";

/**
 * Bytes a second that a peer may not fall below for long: what mod_reqtimeout asks for unless it is told otherwise
 * (https://httpd.apache.org/docs/2.4/mod/mod_reqtimeout.html).
 */
export const MIN_BYTES_PER_SECOND = 500;

/** How often the longest silence a file or a body may last in all, however slowly it comes: it may be made meanwhile. */
export const BODY_PATIENCE = 5;

/** How slow a peer may be. */
export interface PaceOptions {
  /** Longest silence. */
  readonly idleMs: number;
  /** Time for the whole of one thing, before its bytes give it more; `idleMs` unless given. */
  readonly graceMs?: number;
  /** What is being received, for the message: "a message". */
  readonly what: string;
  /** Moments in milliseconds; a test passes its own. */
  readonly now?: () => number;
}

/**
 * Bounds the time that a peer may take over one thing: a silence ends it, and so does one byte now and then, by which
 * no silence is ever long enough. There is a grace, and another second for every `MIN_BYTES_PER_SECOND` that came.
 */
export class Pace {
  readonly #options: PaceOptions;
  readonly #now: () => number;
  #endMs = Infinity;

  constructor(options: PaceOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /** What is received begins now. */
  begin(): void {
    const { idleMs, graceMs = idleMs } = this.#options;
    this.#endMs = this.#now() + graceMs;
  }

  /** It has come; whatever comes next is another thing, and begins when it is waited for. */
  end(): void {
    this.#endMs = Infinity;
  }

  /** So many bytes of it came. */
  took(bytes: number): void {
    this.#endMs += bytes * 1000 / MIN_BYTES_PER_SECOND;
  }

  /** Time went by that was not the peer's. */
  excuse(ms: number): void {
    this.#endMs += ms;
  }

  /** Whether it takes too long. */
  get over(): boolean {
    return this.#now() > this.#endMs;
  }

  /**
   * What `read` gives, which is asked to wait no longer than may be. Begins if nothing has begun. Rejects with
   * `IdleError`.
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
      // What a millisecond has gone of is still a whole silence.
      throw error instanceof IdleError && leftMs < idleMs - 1 ? this.#tooSlow() : error;
    }
  }

  #tooSlow(): IdleError {
    const { idleMs, graceMs = idleMs, what } = this.#options;
    return new IdleError(
      `Cannot wait any longer for the rest of ${what}: after ${graceMs} ms at least ` +
        `${MIN_BYTES_PER_SECOND} bytes a second have to come`,
    );
  }
}

import type { Logger } from "../log.ts";
import { TimeSlice } from "../time_slice.ts";
import { closeQuietly, isGone } from "./socket.ts";

/** Pause after a failed accept, such as for lack of file descriptors; doubled up to the longest. */
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 1000;
/** Interval of log lines about failures of one kind. */
const SUMMARY_MS = 10_000;

/** A listener. */
interface Accepting<T> {
  accept(): Promise<T>;
}

/** Options of the accept loop. */
export interface AcceptOptions<T> {
  /** Ends the loop; the listener must be closed along with it. */
  readonly signal: AbortSignal;
  /** Reports failures: a line for the first, then one with their number at most every ten seconds. */
  readonly log: Logger;
  /** Port of the listener, for the log. */
  readonly port: number;
  /** Serves a connection; an error ends only this connection. */
  take(conn: T): void;
}

/**
 * Accepts until `signal` aborts. A connection that ended before it was accepted causes no pause, because a client that
 * opens and resets many would delay all others. Other failures are retried after a pause.
 */
export async function acceptLoop<T extends { close(): void }>(
  listener: Accepting<T>,
  { signal, log, port, take }: AcceptOptions<T>,
): Promise<void> {
  const lost = new Counted((about) =>
    log.info("Connections were lost before they were accepted", { port, ...about })
  );
  const failed = new Counted((about) =>
    log.warn("Cannot accept connections, trying again", { port, ...about })
  );
  const slice = new TimeSlice();
  let pauseMs = FIRST_PAUSE_MS;
  while (!signal.aborted) {
    let conn: T | undefined;
    const askedMs = performance.now();
    try {
      conn = await listener.accept();
      pauseMs = FIRST_PAUSE_MS;
      if (signal.aborted) closeQuietly(conn);
      else take(conn);
    } catch (error) {
      if (conn !== undefined) closeQuietly(conn);
      if (signal.aborted) break;
      if (isLost(error)) {
        lost.add(error);
        slice.waited(askedMs);
        // They arrive without a turn of the event loop between them.
        if (slice.over) await slice.yieldToEventLoop();
      } else {
        failed.add(error);
        await pause(pauseMs, signal);
        pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
      }
    }
    for (const counted of [lost, failed]) counted.sumUp();
  }
  for (const counted of [lost, failed]) counted.end();
}

/** Accepts the next live connection. Rejects if the listener fails for another reason. */
export async function acceptNext<T>(listener: Accepting<T>): Promise<T> {
  const slice = new TimeSlice();
  for (;;) {
    const askedMs = performance.now();
    try {
      return await listener.accept();
    } catch (error) {
      if (!isLost(error)) throw error;
      slice.waited(askedMs);
      if (slice.over) await slice.yieldToEventLoop();
    }
  }
}

/**
 * Errors of a single connection that accept(2) of Linux passes on, "to be treated like EAGAIN by retrying"; and EINVAL,
 * with which getpeername(2) of macOS reports that it is gone.
 */
const LOST_CODES: ReadonlySet<unknown> = new Set([
  "EHOSTDOWN",
  "EHOSTUNREACH",
  "EINVAL",
  "ENETDOWN",
  "ENETUNREACH",
  "ENONET",
  "ENOPROTOOPT",
  "EOPNOTSUPP",
  "EPROTO",
]);

/** Returns whether an accept failed for one connection only, whose address the platform reads first. */
function isLost(error: unknown): boolean {
  // These mean that the listener itself is closed.
  if (error instanceof Deno.errors.BadResource || error instanceof Deno.errors.Interrupted) {
    return false;
  }
  return isGone(error) || (error instanceof Error && "code" in error && LOST_CODES.has(error.code));
}

/** Failures of one kind: logs the first at once, and the number of further ones at intervals. */
class Counted {
  readonly #tell: (about: { error?: unknown; count?: number }) => void;
  #more = 0;
  #toldMs = -Infinity;

  constructor(tell: (about: { error?: unknown; count?: number }) => void) {
    this.#tell = tell;
  }

  add(error: unknown): void {
    if (this.#more > 0 || performance.now() - this.#toldMs < SUMMARY_MS) {
      this.#more++;
      return;
    }
    this.#toldMs = performance.now();
    this.#tell({ error });
  }

  /** Logs the count if the last line is old enough. */
  sumUp(): void {
    if (this.#more > 0 && performance.now() - this.#toldMs >= SUMMARY_MS) this.end();
  }

  /** Logs the count. */
  end(): void {
    if (this.#more === 0) return;
    this.#toldMs = performance.now();
    this.#tell({ count: this.#more });
    this.#more = 0;
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(done, ms);
  signal.addEventListener("abort", done, { once: true });
  function done(): void {
    clearTimeout(timer);
    signal.removeEventListener("abort", done);
    resolve();
  }
  return promise;
}

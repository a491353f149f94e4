/** Pause after an accept that failed, such as for want of file descriptors; doubled up to the longest. */
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 1000;

/** Accepts until `signal` aborts; the listener must be closed along with it. A failing accept does not end the loop. */
export async function acceptLoop<T extends Deno.Conn>(
  listener: { accept(): Promise<T> },
  options: { signal: AbortSignal; take(conn: T): void; onError?(error: unknown): void },
): Promise<void> {
  let pauseMs = FIRST_PAUSE_MS;
  while (!options.signal.aborted) {
    try {
      const conn = await listener.accept();
      pauseMs = FIRST_PAUSE_MS;
      if (options.signal.aborted) conn.close();
      else options.take(conn);
    } catch (error) {
      if (options.signal.aborted) return;
      options.onError?.(error);
      await pause(pauseMs, options.signal);
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    }
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

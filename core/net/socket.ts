/** Writes everything; resolves when the platform took it. `onPart` is told whenever it took only a part. */
export async function writeAll(
  conn: Pick<Deno.Conn, "write">,
  bytes: Uint8Array,
  onPart?: () => void,
): Promise<void> {
  let left = bytes;
  for (;;) {
    const count = await conn.write(left);
    if (count === left.length) return;
    left = left.subarray(count);
    onPart?.();
  }
}

/** Closes a connection that may be closed already. */
export function closeQuietly(conn: { close(): void }): void {
  try {
    conn.close();
  } catch {
    // The platform closes a connection itself after some failures.
  }
}

/** Whether an operation failed because either side went away, which is no fault of anybody. */
export function isGone(error: unknown): boolean {
  return error instanceof Deno.errors.ConnectionReset ||
    error instanceof Deno.errors.ConnectionAborted ||
    error instanceof Deno.errors.BrokenPipe ||
    error instanceof Deno.errors.NotConnected ||
    error instanceof Deno.errors.UnexpectedEof ||
    error instanceof Deno.errors.TimedOut ||
    error instanceof Deno.errors.Interrupted ||
    error instanceof Deno.errors.BadResource;
}

/** Writes everything; resolves when the platform accepted it. Calls `onPart` after each partial write. */
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

/** Returns whether an operation failed because either side disconnected, which is no fault. */
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

import type { ByteConn } from "./socket_conn.ts";
import { closeQuietly, writeAll } from "./socket.ts";

const BUFFER_BYTES = 65_536;
/** Silence after which a connection that has one end left is closed, in milliseconds. */
const HALF_IDLE_MS = 60_000;

/** A connection that is passed on. */
export type SplicedConn = Pick<ByteConn, "read" | "write" | "close" | "closeWrite">;

/**
 * Passes bytes on between two connections, both ways, until both have ended or one has failed; then both are closed. The
 * end of one side is passed on too, and the other side may still send. Never rejects.
 */
export async function splice(a: SplicedConn, b: SplicedConn): Promise<void> {
  let movedMs = performance.now();
  const close = (): void => {
    closeQuietly(a);
    closeQuietly(b);
  };
  const pass = async (from: SplicedConn, to: SplicedConn): Promise<void> => {
    const buffer = new Uint8Array(BUFFER_BYTES);
    try {
      for (;;) {
        const count = await from.read(buffer);
        if (count === null) break;
        movedMs = performance.now();
        await writeAll(to, buffer.subarray(0, count));
      }
      await to.closeWrite();
    } catch {
      close();
    }
  };
  const both = [pass(a, b), pass(b, a)];
  await Promise.race(both);
  // After one direction has ended, the other may never end by itself.
  const timer = setInterval(() => {
    if (performance.now() - movedMs > HALF_IDLE_MS) close();
  }, HALF_IDLE_MS / 4);
  await Promise.all(both);
  clearInterval(timer);
  close();
}

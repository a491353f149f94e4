import type { Disturbance } from "../faults/outcome.ts";
import { pause } from "../faults/pause.ts";

/** Writes of a slow or breaking connection. */
export interface DisturbedWriter {
  /** Resolves with the number of bytes taken, as `Deno.Conn.write` does. */
  write(bytes: Uint8Array): Promise<number>;
}

/** Seconds that one chunk of a slow answer takes, unless a single byte takes longer. */
const PIECE_SECONDS = 0.1;

/**
 * Replaces a connection's `write`; `cut` closes the connection where the answer breaks off, and `gone` aborts once it is
 * closed.
 */
export function disturbWrites(
  write: (bytes: Uint8Array) => Promise<number>,
  what: Extract<Disturbance, { kind: "slow" | "truncate" }>,
  { gone, cut }: { gone: AbortSignal; cut: () => void },
): DisturbedWriter {
  if (what.kind === "slow") {
    const most = Math.max(1, Math.floor(what.bytesPerSecond * PIECE_SECONDS));
    return {
      async write(bytes) {
        const count = await write(bytes.subarray(0, most));
        await pause(1000 * count / what.bytesPerSecond, gone);
        return count;
      },
    };
  }
  let left = what.bytes;
  return {
    async write(bytes) {
      for (let rest = bytes.subarray(0, left); rest.length > 0;) {
        const count = await write(rest);
        left -= count;
        rest = rest.subarray(count);
      }
      if (left === 0) cut();
      return bytes.length;
    },
  };
}

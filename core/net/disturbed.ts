import type { Disturbance } from "../faults/outcome.ts";
import { pause } from "../faults/pause.ts";
import { DisconnectedError, type Transport } from "./transport.ts";

/** Writes of a slow or breaking connection. */
export interface DisturbedWriter {
  /** Resolves with the number of bytes taken, as `Deno.Conn.write` does. */
  write(bytes: Uint8Array): Promise<number>;
}

/** Duration of one chunk of a slow response in seconds, unless a single byte takes longer. */
const CHUNK_SECONDS = 0.1;

/**
 * Wraps the `write` of a connection. `cut` closes the connection where the response breaks off; `gone` aborts once it is
 * closed.
 */
export function disturbWrites(
  write: (bytes: Uint8Array) => Promise<number>,
  what: Extract<Disturbance, { kind: "slow" | "truncate" }>,
  { gone, cut }: { gone: AbortSignal; cut: () => void },
): DisturbedWriter {
  if (what.kind === "slow") {
    const most = Math.max(1, Math.floor(what.bytesPerSecond * CHUNK_SECONDS));
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

/** Applies a fault to both directions of a connection, so that reads are slow or cut off, too. */
export function disturbReads(
  wire: Transport,
  what: Extract<Disturbance, { kind: "slow" | "truncate" }>,
): Transport {
  wire.disturb?.(what);
  const gone = new AbortController();
  let left = what.kind === "truncate" ? what.bytes : Infinity;
  const abort = (): void => {
    gone.abort();
    wire.abort?.();
  };
  return {
    peer: wire.peer,
    local: wire.local,
    async read(options) {
      const chunk = await wire.read(options);
      if (chunk === undefined) return undefined;
      left -= chunk.length;
      if (left < 0) {
        abort();
        throw new DisconnectedError(`The connection to ${wire.peer} was broken off`);
      }
      if (what.kind === "slow") {
        await pause(1000 * chunk.length / what.bytesPerSecond, gone.signal);
      }
      return chunk;
    },
    write: (bytes, options) => wire.write(bytes, options),
    abort,
    [Symbol.asyncDispose]: () => wire[Symbol.asyncDispose]() as Promise<void>,
  };
}

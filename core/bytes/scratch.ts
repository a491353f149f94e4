/**
 * Reuses large buffers for short-lived bytes, such as a response until it is sent. The platform fills a new buffer with
 * zeros and collects it later, which takes longer than a copy into a used one.
 *
 * @module
 */

/** A response with 256 KiB of data and its framing. */
const SCRATCH_BYTES = 288 * 1024;
/** Smaller buffers are cheap to create. */
const MIN_BYTES = 16 * 1024;
/** Buffers kept for reuse. */
const MAX_IDLE = 4;

const idle: Uint8Array<ArrayBuffer>[] = [];
const taken = new WeakSet<ArrayBufferLike>();

/** Returns a buffer of `bytes` bytes with arbitrary content. Returning it with `returnScratch` is optional. */
export function takeScratch(bytes: number): Uint8Array<ArrayBuffer> {
  if (bytes < MIN_BYTES || bytes > SCRATCH_BYTES) return new Uint8Array(bytes);
  const scratch = idle.pop() ?? new Uint8Array(SCRATCH_BYTES);
  taken.add(scratch.buffer);
  return scratch.subarray(0, bytes);
}

/** Makes a buffer of `takeScratch` available again; it must no longer be used. Ignores any other buffer. */
export function returnScratch({ buffer }: Uint8Array): void {
  if (!taken.delete(buffer) || idle.length === MAX_IDLE) return;
  idle.push(new Uint8Array(buffer as ArrayBuffer));
}

/**
 * Large buffers for bytes that are needed for a moment, such as an answer until it is sent. The platform fills a new
 * buffer with zeros and collects it later, which takes longer than a copy into one that was used before.
 *
 * @module
 */

/** An answer with 256 KiB of data and what frames it. */
const SCRATCH_BYTES = 288 * 1024;
/** Below this a new buffer costs little. */
const MIN_BYTES = 16 * 1024;
/** Buffers kept for the next one who needs one. */
const MAX_IDLE = 4;

const idle: Uint8Array<ArrayBuffer>[] = [];
const taken = new WeakSet<ArrayBufferLike>();

/** A buffer of `bytes` bytes, in which anything may stand: to be filled whole. Returned by `returnScratch` or not. */
export function takeScratch(bytes: number): Uint8Array<ArrayBuffer> {
  if (bytes < MIN_BYTES || bytes > SCRATCH_BYTES) return new Uint8Array(bytes);
  const scratch = idle.pop() ?? new Uint8Array(SCRATCH_BYTES);
  taken.add(scratch.buffer);
  return scratch.subarray(0, bytes);
}

/** Makes a buffer of `takeScratch` free for others: nobody may read or write it any more. Ignores any other buffer. */
export function returnScratch({ buffer }: Uint8Array): void {
  if (!taken.delete(buffer) || idle.length === MAX_IDLE) return;
  idle.push(new Uint8Array(buffer as ArrayBuffer));
}

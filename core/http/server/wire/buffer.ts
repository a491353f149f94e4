/** Bytes that a connection is read with at first. */
export const FIRST_BUFFER_BYTES = 16_384;
/** Large bodies then cost a quarter of the calls; only connections that fill one have it. */
const BUFFER_BYTES = 262_144;
const BUFFER_GROWTH = 4;

/** Larger after a read that filled it, small again after a short one. */
export function nextBuffer(buffer: Uint8Array, count: number): Uint8Array {
  if (count === buffer.length && count < BUFFER_BYTES) return new Uint8Array(count * BUFFER_GROWTH);
  const isShort = count < FIRST_BUFFER_BYTES && buffer.length > FIRST_BUFFER_BYTES;
  return isShort ? new Uint8Array(FIRST_BUFFER_BYTES) : buffer;
}

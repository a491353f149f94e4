/** Returns the size to which a buffer of `size` bytes grows to hold `needed`: ahead of need, but at most `maxBytes`. */
export function grownSize(size: number, needed: number, maxBytes = Infinity): number {
  return needed <= size ? size : Math.min(Math.max(2 * size, needed), maxBytes);
}

/** Returns the buffer if it holds `needed` bytes, else a larger one that begins with a copy of its bytes. */
export function grown<B extends ArrayBufferLike>(
  bytes: Uint8Array<B>,
  needed: number,
  maxBytes = Infinity,
): Uint8Array<B | ArrayBuffer> {
  const size = grownSize(bytes.length, needed, maxBytes);
  if (size === bytes.length) return bytes;
  const larger = new Uint8Array(size);
  larger.set(bytes);
  return larger;
}

/** Returns the first `size` bytes of a buffer that is no longer used; the platform moves them if it can. */
export function resized(bytes: Uint8Array<ArrayBuffer>, size: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes.buffer.transfer(size));
}

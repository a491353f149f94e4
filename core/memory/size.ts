/** Bytes of an object or a list besides its members, and of each member besides its value. */
const [OBJECT_BYTES, MEMBER_BYTES] = [48, 16];
/** Maximum bytes per character. */
const CHAR_BYTES = 2;

/**
 * Returns the approximate memory of a value in bytes: texts, numbers, dates, and lists and plain
 * objects of them.
 */
export function bytesOf(value: unknown): number {
  // Not recursive, because clients may send deeply nested JSON.
  const left: unknown[] = [value];
  let bytes = 0;
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next === "string") bytes += OBJECT_BYTES + next.length * CHAR_BYTES;
    else if (typeof next === "object" && next !== null) {
      bytes += OBJECT_BYTES;
      for (const [key, member] of Object.entries(next)) {
        bytes += MEMBER_BYTES + (Array.isArray(next) ? 0 : key.length * CHAR_BYTES);
        left.push(member);
      }
    }
  }
  return bytes;
}

/**
 * Memory for answering received data, as a multiple of its size: the data, its text, the parsed form, and the event.
 */
export const WORK_FACTOR = 4;

/** Data of at most this size, in bytes, is answered before the next arrives, so its work is not counted. */
export const SMALL_WORK = 65_536;

/** The part of memory for a single sender, whatever is stored. */
export const ALONE_SHARE = 1 / 2;

/** Returns the largest size, in bytes, that can be answered: more would never find room, and is refused for good. */
export function largestWork({ limitBytes }: { readonly limitBytes: number }): number {
  return Math.floor(limitBytes * ALONE_SHARE / WORK_FACTOR);
}

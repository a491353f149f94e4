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

/**
 * What is received takes while it is answered, as a multiple of its size: itself, its text, what was parsed of that, and
 * what an event keeps.
 */
export const WORK_FACTOR = 4;

/** What is no larger, in bytes, is answered before the next has come: what it takes meanwhile is not worth counting. */
export const SMALL_WORK = 65_536;

/** The part of memory that one who is alone gets, whatever is kept: nobody would ever make room for it. */
export const ALONE_SHARE = 1 / 2;

/** The largest, in bytes, that can ever be answered: more is refused for good, because it would never find room. */
export function largestWork({ limitBytes }: { readonly limitBytes: number }): number {
  return Math.floor(limitBytes * ALONE_SHARE / WORK_FACTOR);
}

/** The order of keys: by the bytes of their UTF-8 form, as S3 lists them. */

const FIRST_SURROGATE = 0xd800;
const LAST_SURROGATE = 0xdfff;

/** Returns a negative, zero or positive number if `a` sorts before, equal to or after `b`. */
export function compareKeys(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const [left, right] = [a.charCodeAt(at), b.charCodeAt(at)];
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

/** UTF-16 sorts characters beyond U+FFFF, written as surrogates, before U+E000 to U+FFFF; UTF-8 does not. */
function rank(unit: number): number {
  if (unit < FIRST_SURROGATE) return unit;
  return unit <= LAST_SURROGATE ? unit + 0x10000 : unit;
}

/** Returns the index of the first element of a sorted list for which `isPast` holds, or the length. */
export function lowerBound<T>(sorted: readonly T[], isPast: (item: T) => boolean): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isPast(sorted[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Returns the index of a key among sorted ones, or its insertion point. */
export function placeOf(sorted: readonly string[], key: string): number {
  return lowerBound(sorted, (other) => compareKeys(other, key) >= 0);
}

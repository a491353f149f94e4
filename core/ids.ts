/** Ids that sort by time of creation: 12 hex digits of milliseconds, 4 of a counter, 8 random. */
export type NextId = () => string;

/** Maximum number of ids per millisecond; beyond that, the clock part moves ahead. */
const PER_MILLISECOND = 0x10000;

/**
 * Creates ids that never repeat and never sort before an earlier one, even if the clock steps back.
 * `random` returns 32 random bits.
 */
export function createIds(
  options: { nowMs: () => number; random: () => number },
): NextId {
  let lastMs = 0;
  let clock = hex(lastMs, 12);
  let counter = 0;
  const moveTo = (ms: number) => {
    lastMs = ms;
    clock = hex(ms, 12);
    counter = 0;
  };
  return () => {
    const nowMs = options.nowMs();
    if (nowMs > lastMs) moveTo(nowMs);
    else if (++counter === PER_MILLISECOND) moveTo(lastMs + 1);
    return clock + hexOfWord(counter) + hexOfLong(options.random() >>> 0);
  };
}

/** Returns the time at which an id was created, in milliseconds since 1970. */
export function timeOfId(id: string): number {
  return parseInt(id.slice(0, 12), 16);
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, "0");
}

/**
 * Two digits per byte, from a table: faster than formatting numbers, and this runs for every event.
 */
const BYTES: readonly string[] = Array.from({ length: 256 }, (_, byte) => hex(byte, 2));

function hexOfWord(bits: number): string {
  return BYTES[bits >>> 8]! + BYTES[bits & 0xff]!;
}

function hexOfLong(bits: number): string {
  return hexOfWord(bits >>> 16) + hexOfWord(bits & 0xffff);
}

/**
 * Returns 32 random bits at a time, read from the platform in blocks because each call is
 * expensive.
 */
export function randomBits(): () => number {
  const block = new Uint32Array(256);
  let next = block.length;
  return () => {
    if (next === block.length) {
      crypto.getRandomValues(block);
      next = 0;
    }
    return block[next++]!;
  };
}

/** Ids that sort by the time they were made: 12 hex digits of milliseconds, 4 of a counter, 8 random. */
export type NextId = () => string;

/** Ids within one millisecond before the clock part is moved on. */
const PER_MILLISECOND = 0x10000;

/**
 * Makes ids that never repeat and never sort before an earlier one, even when the clock steps back.
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
    return clock + hex(counter, 4) + hex(options.random() >>> 0, 8);
  };
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, "0");
}

/** 32 random bits at a time, drawn from the platform in blocks because each draw has a cost. */
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

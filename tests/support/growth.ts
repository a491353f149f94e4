import { assertLess } from "@std/assert";

/** How many times larger the second input is. */
const FACTOR = 10;
/** Runs of which the fastest counts. */
const RUNS = 3;
/** The difference to ten times as long that garbage collections, for example, may make. */
const TOLERANCE = 6;
/** A shorter duration, in milliseconds, says little. */
const LEAST_MS = 1;

/**
 * Checks that ten times the input takes about ten times as long, and not a hundred times. Compares
 * two durations on the same machine, so that its speed does not matter.
 *
 * @param work Does the work for an input of this size. It should take a few milliseconds for `size`.
 * @throws {AssertionError} if it takes more than 60 times as long.
 */
export function assertLinear(work: (size: number) => void, size: number): void {
  const fastestMs = (inputSize: number): number =>
    Math.min(...Array.from({ length: RUNS }, () => {
      const beganMs = performance.now();
      work(inputSize);
      return performance.now() - beganMs;
    }));
  const [shortMs, longMs] = [fastestMs(size), fastestMs(size * FACTOR)];
  const times = `${longMs.toFixed(1)} ms, ${shortMs.toFixed(1)} ms for a tenth of the input`;
  assertLess(longMs, Math.max(shortMs, LEAST_MS) * FACTOR * TOLERANCE, times);
}

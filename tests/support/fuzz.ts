/** What fast-check's `assert` takes beside the property. */
export interface FuzzParameters {
  readonly numRuns: number;
  readonly seed?: number;
}

const RUNS = setting("FUZZ_RUNS");
const SEED = setting("FUZZ_SEED");

/**
 * Parameters of a property test: `runs` in the ordinary test run, more under `deno task fuzz`, which sets `FUZZ_RUNS`
 * and prints `FUZZ_SEED`. Works without permissions: unit tests have none, and then use their own `runs`.
 */
export function fuzzed(runs = 100): FuzzParameters {
  const numRuns = Math.max(runs, RUNS ?? 0);
  return SEED === undefined ? { numRuns } : { numRuns, seed: SEED };
}

function setting(variable: "FUZZ_RUNS" | "FUZZ_SEED"): number | undefined {
  if (Deno.permissions.querySync({ name: "env", variable }).state !== "granted") return undefined;
  const text = Deno.env.get(variable);
  if (text === undefined || text === "") return undefined;
  if (!/^-?\d{1,10}$/.test(text)) {
    throw new RangeError(`Cannot use ${variable}="${text}": expected a whole number`);
  }
  return Number(text);
}

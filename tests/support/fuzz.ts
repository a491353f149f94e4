import { WireError } from "../../core/bytes/decoder.ts";

/** Options of fast-check's `assert`. */
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

/** Numbers from 0 up to a limit, the same ones for the same seed (Marsaglia's xorshift of 32 bits). */
export function numbersFrom(seed: number): (below: number) => number {
  let state = (seed ^ 0x9e3779b9) || 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

/** Largest generated input. */
const MAX_BYTES = 4096;
/** Octets with a meaning in some format: terminators, separators, quotes, lengths. */
const TELLING = Uint8Array.from(
  [...'\0\r\n\t ".,:;<>()[]{}=?&%\\/|^~-+*#0_\x0b\x1c\x30\x7f\x80\xfe\xff'].map((char) =>
    char.charCodeAt(0)
  ),
);

/** One of the seeds, with one to eight changes. */
export function mutate(
  seeds: readonly Uint8Array[],
  random: (below: number) => number,
): Uint8Array {
  let bytes: Uint8Array = seeds[random(seeds.length)]!.slice();
  for (let left = 1 + random(8); left > 0; left--) {
    bytes = changed(bytes, seeds[random(seeds.length)]!, random);
  }
  return bytes.length > MAX_BYTES ? bytes.slice(0, MAX_BYTES) : bytes;
}

function changed(
  bytes: Uint8Array,
  other: Uint8Array,
  random: (below: number) => number,
): Uint8Array {
  const at = random(bytes.length + 1);
  const length = random(1 + Math.min(16, bytes.length - at));
  switch (random(8)) {
    case 0:
      if (at < bytes.length) bytes[at]! ^= 1 << random(8);
      return bytes;
    case 1:
      if (at < bytes.length) bytes[at] = TELLING[random(TELLING.length)]!;
      return bytes;
    case 2:
      return joined(
        bytes.subarray(0, at),
        TELLING.subarray(at % TELLING.length).subarray(0, 1),
        bytes.subarray(at),
      );
    case 3:
      return joined(bytes.subarray(0, at), bytes.subarray(at + length));
    case 4:
      return joined(bytes.subarray(0, at + length), bytes.subarray(at));
    case 5:
      return bytes.slice(0, at);
    case 6: {
      const from = random(other.length + 1);
      return joined(
        bytes.subarray(0, at),
        other.subarray(from, from + random(200)),
        bytes.subarray(at),
      );
    }
    default: {
      const chunk = bytes.subarray(at, at + length);
      return joined(bytes, ...Array<Uint8Array>(1 + random(20)).fill(chunk));
    }
  }
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Time limit for one input, in milliseconds; the largest one takes well below a tenth of it. */
const MAX_MS = 1000;

/**
 * Returns why a decoder failed on an input, or `undefined`: it may only throw `WireError`, and must
 * be fast.
 */
export function faultOf(run: (bytes: Uint8Array) => void, bytes: Uint8Array): string | undefined {
  const begunMs = performance.now();
  try {
    run(bytes);
  } catch (error) {
    if (!(error instanceof WireError)) {
      return error instanceof Error ? error.stack ?? error.message : String(error);
    }
  }
  const tookMs = performance.now() - begunMs;
  return tookMs > MAX_MS ? `It took ${Math.round(tookMs)} ms` : undefined;
}

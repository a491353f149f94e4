/**
 * `deno task fuzz`: real traffic and hand-made inputs, changed at random, through every decoder of
 * `tests/support/fuzz_targets.ts` for `FUZZ_SECONDS`, or until `FUZZ_INPUTS` were given to all
 * together; then the property tests, `FUZZ_RUNS` times each. `FUZZ_SEED` repeats a run; without it
 * each run takes a new one and prints it. Failing inputs are written to `tests/fixtures/fuzz`, and
 * repeated by every test run from then on.
 *
 * `deno task fuzz PATH...` runs the property tests below these paths only.
 *
 * @module
 */
import { faultOf, mutate, numbersFrom } from "../tests/support/fuzz.ts";
import { FUZZ_TARGETS, type FuzzTarget } from "../tests/support/fuzz_targets.ts";
import { numberFrom } from "../tests/support/settings.ts";
import { realTraffic } from "../tests/support/real_traffic.ts";

const DEFAULT_RUNS = 10_000;
const DEFAULT_SECONDS = 60;
const FIXTURES = "tests/fixtures/fuzz";
/** Maximum number of failures written for one decoder; further ones are usually the same. */
const MAX_FAILURES = 5;
/** Inputs between two checks of the clock. */
const ROUND = 500;

async function main(paths: readonly string[]): Promise<number> {
  const runs = Deno.env.get("FUZZ_RUNS") ?? String(DEFAULT_RUNS);
  const seconds = numberFrom("FUZZ_SECONDS", DEFAULT_SECONDS, { most: 86_400 });
  const inputs = Deno.env.get("FUZZ_INPUTS");
  const seed = Deno.env.get("FUZZ_SEED") ??
    String(crypto.getRandomValues(new Int32Array(1))[0]);
  const length = inputs === undefined ? `FUZZ_SECONDS=${seconds}` : `FUZZ_INPUTS=${inputs}`;
  const again = `FUZZ_RUNS=${runs} ${length} FUZZ_SEED=${seed} deno task fuzz`;
  console.log(again);
  const failures = paths.length > 0 ? 0 : await fuzzDecoders({
    seed: Number(seed),
    ...(inputs === undefined
      ? { seconds }
      : { inputs: numberFrom("FUZZ_INPUTS", 1, { most: 1e9 }) }),
  });
  const code = await runProperties(paths, { runs, seed });
  if (code === 0 && failures === 0) return 0;
  console.log(`\nRepeat with: ${again} ${paths.join(" ")}`.trimEnd());
  return 1;
}

/** Gives each decoder its share of the time or of the inputs. Returns how many inputs failed. */
async function fuzzDecoders(
  { seed, seconds = Infinity, inputs: most = Infinity }: {
    seed: number;
    seconds?: number;
    inputs?: number;
  },
): Promise<number> {
  const real = await realTraffic();
  let [inputs, failures] = [0, 0];
  for (const target of FUZZ_TARGETS) {
    const seeds = [...target.seeds, ...real.get(target.name) ?? []];
    const done = await fuzzOne({ ...target, seeds }, {
      seed,
      untilMs: performance.now() + seconds * 1000 / FUZZ_TARGETS.length,
      most: Math.ceil(most / FUZZ_TARGETS.length),
    });
    inputs += done.inputs;
    failures += done.failures;
    console.log(
      `${target.name.padEnd(14)} ${
        String(done.inputs).padStart(9)
      } inputs from ${seeds.length} seeds, ` +
        `${done.failures} failed`,
    );
  }
  console.log(`${inputs} inputs, ${failures} failed`);
  return failures;
}

async function fuzzOne(
  { name, seeds, run }: FuzzTarget,
  { seed, untilMs, most }: { seed: number; untilMs: number; most: number },
): Promise<{ readonly inputs: number; readonly failures: number }> {
  const random = numbersFrom(seed);
  let [inputs, failures] = [0, 0];
  do {
    for (let i = 0; i < ROUND && inputs < most && failures < MAX_FAILURES; i++, inputs++) {
      const bytes = mutate(seeds, random);
      const fault = faultOf(run, bytes);
      if (fault === undefined) continue;
      failures++;
      console.error(`${name}: ${await keep(name, bytes)}\n${fault}`);
    }
  } while (performance.now() < untilMs && inputs < most && failures < MAX_FAILURES);
  return { inputs, failures };
}

/** Writes an input to the fixtures, named by its contents. */
async function keep(name: string, bytes: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>);
  const file = `${FIXTURES}/${name}/${new Uint8Array(digest).toHex().slice(0, 16)}.bin`;
  await Deno.mkdir(`${FIXTURES}/${name}`, { recursive: true });
  await Deno.writeFile(file, bytes);
  return file;
}

async function runProperties(
  paths: readonly string[],
  { runs, seed }: { runs: string; seed: string },
): Promise<number> {
  const files: string[] = [];
  for (const path of paths.length > 0 ? paths : ["core", "plugins"]) {
    for await (const file of propertyTests(path)) files.push(file);
  }
  if (files.length === 0) {
    console.error(
      `Cannot fuzz: no test below ${paths.join(", ") || "core and plugins"} uses fuzzed()`,
    );
    return 1;
  }
  const { code } = await new Deno.Command(Deno.execPath(), {
    args: ["test", "--no-check", "--allow-env=FUZZ_RUNS,FUZZ_SEED", "--parallel", ...files],
    env: { FUZZ_RUNS: runs, FUZZ_SEED: seed },
    stdout: "inherit",
    stderr: "inherit",
  }).output();
  return code;
}

/** Test files that take their number of runs from `tests/support/fuzz.ts`. */
async function* propertyTests(path: string): AsyncGenerator<string> {
  if ((await Deno.stat(path)).isFile) {
    if (!path.endsWith("_test.ts")) return;
    if ((await Deno.readTextFile(path)).includes("support/fuzz.ts")) yield path;
    return;
  }
  for await (const entry of Deno.readDir(path)) {
    const inner = `${path}/${entry.name}`;
    if (entry.isDirectory || entry.name.endsWith("_test.ts")) yield* propertyTests(inner);
  }
}

if (import.meta.main) Deno.exit(await main(Deno.args));

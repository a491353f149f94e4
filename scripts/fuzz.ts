/**
 * `deno task fuzz [PATH...]`: the property tests of the codecs, many times over. `FUZZ_RUNS` and `FUZZ_SEED` repeat a
 * run; without a seed each run takes a new one and prints it.
 *
 * @module
 */

const DEFAULT_RUNS = 10_000;

async function main(paths: readonly string[]): Promise<number> {
  const runs = Deno.env.get("FUZZ_RUNS") ?? String(DEFAULT_RUNS);
  const seed = Deno.env.get("FUZZ_SEED") ??
    String(crypto.getRandomValues(new Int32Array(1))[0]);
  console.log(`FUZZ_RUNS=${runs} FUZZ_SEED=${seed}`);
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
  if (code !== 0) console.log(`\nRepeat with: FUZZ_RUNS=${runs} FUZZ_SEED=${seed} deno task fuzz`);
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

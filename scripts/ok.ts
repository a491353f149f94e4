/**
 * `deno task ok [--no-tests]`: the gate. Prints the name and time of each step; no step starts after a failure.
 *
 * @module
 */
import { withArguments } from "./arguments.ts";
import { compileCheck } from "./compile.ts";

interface Step {
  readonly name: string;
  /** Returns whether the step passed; prints what is wrong otherwise. */
  run(): Promise<boolean>;
}

function denoStep(name: string, ...args: readonly string[]): Step {
  return { name, run: () => runDeno(args) };
}

async function runDeno(args: readonly string[]): Promise<boolean> {
  const output = await new Deno.Command(Deno.execPath(), { args: [...args], stdin: "null" })
    .output();
  if (output.success) return true;
  await Deno.stdout.write(output.stdout);
  await Deno.stderr.write(output.stderr);
  return false;
}

/** Tests print their own progress, so they go straight to the terminal. */
async function runTests(): Promise<boolean> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-all", "scripts/tests.ts"],
  }).spawn();
  return (await child.status).success;
}

const STEPS: readonly Step[] = [
  denoStep("fmt", "fmt", "--check", "--quiet"),
  denoStep("check", "check", "--quiet", "--lock=tests/deno.lock", "."),
  denoStep("lint", "lint", "--quiet"),
  // Browser code is checked with the types of a browser, which the rest must not use.
  denoStep("check ui", "check", "--quiet", "--no-lock", "--config=ui/deno.json", "ui/static"),
  denoStep("package", "publish", "--quiet", "--dry-run", "--allow-dirty", "--no-check"),
  denoStep("doc lint", "doc", "--quiet", "--lint", "mod.ts", "core/plugin.ts", "plugins/client.ts"),
  denoStep("assets", "run", "--quiet", "--allow-read", "scripts/ui_assets.ts", "--check"),
  denoStep(
    "docs",
    "run",
    "--quiet",
    "--allow-read",
    "--allow-run",
    "--allow-env",
    "scripts/docs.ts",
    "--check",
  ),
  // A run without the lock file of the tests adds their packages to that of the program.
  denoStep(
    "lock",
    "test",
    "--quiet",
    "--no-check",
    "--allow-read",
    "--lock=tests/deno.lock",
    "tests/scripts/lock_test.ts",
  ),
  { name: "compile", run: compileCheck },
];

/** Runs a step and prints its outcome. */
async function runTimed(step: Step): Promise<boolean> {
  const startMs = performance.now();
  const passed = await step.run();
  const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
  console.log(`${passed ? "ok  " : "FAIL"} ${step.name} (${seconds} s)`);
  return passed;
}

/** Two at once: the type check uses one processor, and takes as long as all the others together. */
async function runSteps(): Promise<boolean> {
  const left = [...STEPS];
  let passed = true;
  const work = async () => {
    for (let step; passed && (step = left.shift()) !== undefined;) {
      if (!await runTimed(step)) passed = false;
    }
  };
  await Promise.all([work(), work()]);
  return passed;
}

async function main(args: readonly string[]): Promise<number> {
  if (!await runSteps()) return 1;
  if (args.includes("--no-tests")) return 0;
  return await runTimed({ name: "tests", run: runTests }) ? 0 : 1;
}

if (import.meta.main) Deno.exit(await withArguments(Deno.args, ["--no-tests"], main));

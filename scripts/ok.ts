/**
 * `deno task ok [--no-tests]`: the gate. Steps in order, each with its name and time; the first failure stops.
 *
 * @module
 */
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
  denoStep("lint", "lint", "--quiet"),
  denoStep("check", "check", "--quiet", "--lock=tests/deno.lock", "."),
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

async function main(args: readonly string[]): Promise<number> {
  const steps = args.includes("--no-tests") ? STEPS : [...STEPS, { name: "tests", run: runTests }];
  for (const step of steps) {
    const startMs = performance.now();
    const passed = await step.run();
    const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
    console.log(`${passed ? "ok  " : "FAIL"} ${step.name} (${seconds} s)`);
    if (!passed) return 1;
  }
  return 0;
}

if (import.meta.main) Deno.exit(await main(Deno.args));

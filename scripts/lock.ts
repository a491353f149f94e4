/**
 * `deno task lock`: rewrites both lock files. `deno.lock` is for the program; `tests/deno.lock` also holds what only tests
 * need, mainly vendor SDKs. `deno task` fetches everything in `deno.lock` and `deno.json` before it runs a command, so
 * nothing else goes there.
 *
 * @module
 */
import { withArguments } from "./arguments.ts";

async function install(lock: string, entries: readonly string[]): Promise<void> {
  const { success } = await new Deno.Command(Deno.execPath(), {
    args: ["install", "--quiet", `--lock=${lock}`, "--entrypoint", ...entries],
    stdout: "inherit",
    stderr: "inherit",
  }).output();
  if (!success) throw new Error(`Cannot write ${lock}`);
}

async function* testFiles(folder: string): AsyncGenerator<string> {
  for await (const entry of Deno.readDir(folder)) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory) yield* testFiles(path);
    else if (entry.name.endsWith("_test.ts")) yield path;
  }
}

async function main(): Promise<number> {
  for (const lock of ["deno.lock", "tests/deno.lock"]) {
    await Deno.remove(lock).catch((error) => {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    });
  }
  const program = ["main.ts", "mod.ts", "scripts/ok.ts", "scripts/new.ts"];
  await install("deno.lock", program);
  const tests = await Array.fromAsync(testFiles("tests"));
  await install("tests/deno.lock", [...program, ...tests]);
  return 0;
}

if (import.meta.main) Deno.exit(await withArguments(Deno.args, [], main));

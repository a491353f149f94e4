/**
 * The client packages as installed by a user: from their built files into empty projects, with the
 * program of this checkout.
 *
 * @module
 */
import { PROGRAM_PERMISSIONS } from "../../scripts/permissions.ts";
import { scratch } from "./files.ts";
import { type Program, startProgram } from "./program.ts";
import { numberFrom } from "./settings.ts";

/** Workers of every runner. */
export const WORKERS = 3;

/** Repetitions of the parallel tests: `PACKAGE_RUNS=50 deno task test FILE` for more. */
export const RUNS = numberFrom("PACKAGE_RUNS", 2);

/** A folder for a project, with the environment of its tests. */
export interface Project extends AsyncDisposable {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

/** An empty project whose tests start the program themselves. */
export async function emptyProject(): Promise<Project> {
  const folder = await scratch();
  const program = `${folder.path}/standin`;
  const args = ["run", "--quiet", "--no-check", ...PROGRAM_PERMISSIONS];
  const main = new URL("../../main.ts", import.meta.url).pathname;
  const words = [Deno.execPath(), ...args, main].map((word) => `'${word}'`).join(" ");
  await Deno.writeTextFile(program, `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 });
  return {
    folder: folder.path,
    env: { STANDIN_PROGRAM: program, STANDIN_URL: "", NO_COLOR: "1", NO_PROXY: "*", CI: "1" },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

/**
 * A program shared by tests of several workers, with the same namespace rules as one started by the
 * packages.
 */
export async function sharedProgram(): Promise<Program> {
  return await startProgram({
    args: ["serve", "--free-ports"],
    env: {
      SERVICE_NAMESPACE_RECIPIENTS: "*+{namespace}@*",
      SERVICE_NAMESPACE_CREDENTIALS: "*--{namespace}",
    },
  });
}

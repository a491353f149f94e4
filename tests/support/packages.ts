/**
 * The packages for tests, as somebody else has them: installed from their built files into empty projects, with the
 * program of this checkout.
 *
 * @module
 */
import { PROGRAM_PERMISSIONS } from "../../scripts/permissions.ts";
import { scratch } from "./files.ts";
import { type Program, startProgram } from "./program.ts";

/** Workers of every runner. */
export const WORKERS = 3;

/** How often the tests that run in parallel are repeated: `PACKAGE_RUNS=50 deno task test FILE` for more. */
export const RUNS = Number(Deno.env.get("PACKAGE_RUNS") ?? 2);

/** A folder for a project, with what its tests need in the environment. */
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

/** A program that tests of several workers share; it reads namespaces as one that the packages start. */
export async function sharedProgram(): Promise<Program> {
  return await startProgram({
    args: ["serve", "--free-ports"],
    env: {
      SERVICE_NAMESPACE_RECIPIENTS: "*+{namespace}@*",
      SERVICE_NAMESPACE_CREDENTIALS: "*--{namespace}",
    },
  });
}

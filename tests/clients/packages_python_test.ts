/** The Python package, installed from its built files, with pytest and three workers. */
import { assertEquals, assertMatch } from "@std/assert";
import { packPython } from "../../scripts/packages/python.ts";
import { requirePython, runOk, runProgram } from "../support/clients.ts";
import { emptyProject, type Project, RUNS, sharedProgram, WORKERS } from "../support/packages.ts";

const TESTS = new URL("../../scripts/packages/python/tests/", import.meta.url);

/** A project with the wheel and the tests of the package. */
async function install(python: string): Promise<Project> {
  const project = await emptyProject();
  const { folder } = project;
  const [wheel = ""] = await packPython(folder);
  const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
  await runOk(python, [...pip, "--no-index", "--no-deps", "--target", `${folder}/site`, wheel]);
  for (const name of ["conftest.py", "test_standin.py"]) {
    await Deno.copyFile(new URL(name, TESTS), `${folder}/${name}`);
  }
  const env = { ...project.env, PYTHONPATH: `${folder}/site` };
  return { ...project, env };
}

const pytest = (...more: readonly string[]): readonly string[] => [
  ...["-m", "pytest", "-q", "-p", "no:django", "-p", "no:cacheprovider"],
  ...more,
];

Deno.test("the package for Python passes its tests from its wheel, and starts a program for each worker", async (t) => {
  const python = await requirePython(t);
  if (python === undefined) return;
  await using project = await install(python);
  const { stdout } = await runOk(python, pytest("-n", String(WORKERS)), {
    ...{ cwd: project.folder, env: project.env, timeoutMs: 180_000 },
  });
  assertMatch(stdout, /\b30 passed\b/);
});

Deno.test("three pytest workers share one program, and none sees another's mail", async (t) => {
  const python = await requirePython(t);
  if (python === undefined) return;
  await using project = await install(python);
  await using program = await sharedProgram();
  const env = { ...project.env, STANDIN_URL: program.urls.ui! };
  for (let run = 0; run < RUNS; run++) {
    const { stdout } = await runOk(python, pytest("-n", String(WORKERS), "-k", "parallel"), {
      ...{ cwd: project.folder, env, timeoutMs: 180_000 },
    });
    assertMatch(stdout, /\b24 passed\b/);
  }
});

Deno.test("the fixture says how to get the program if there is none", async (t) => {
  const python = await requirePython(t);
  if (python === undefined) return;
  await using project = await install(python);
  const env = { ...project.env, STANDIN_PROGRAM: "", HOME: project.folder, PATH: "/nowhere" };
  const { code, stdout } = await runProgram(python, pytest("-k", "parallel and 13"), {
    ...{ cwd: project.folder, env },
  });
  assertEquals(code, 1);
  assertMatch(stdout, /StandinError: Cannot find the standin program: install it/);
});

Deno.test("the source distribution has the wheel's files, and the tests", async (t) => {
  const python = await requirePython(t);
  if (python === undefined) return;
  await using project = await emptyProject();
  const [wheel = "", source = ""] = await packPython(project.folder);
  const script = "import sys, tarfile, zipfile\n" +
    "for n in sorted(zipfile.ZipFile(sys.argv[1]).namelist()): print('wheel', n)\n" +
    "for m in sorted(tarfile.open(sys.argv[2]).getnames()): print('source', m)\n";
  const { stdout } = await runOk(python, ["-c", script, wheel, source]);
  const names = (kind: string, within: RegExp): string[] =>
    stdout.split("\n").flatMap((line) =>
      line.startsWith(`${kind} `) && within.test(line) ? [line.replace(/^.*standin\//, "")] : []
    );
  const modules = names("wheel", / standin\//);
  assertEquals(modules.includes("py.typed"), true);
  assertEquals(names("source", /\/src\/standin\//), modules);
  assertMatch(stdout, /source standin_client-[\d.]+\/tests\/test_standin\.py/);
  assertMatch(stdout, /source standin_client-[\d.]+\/PKG-INFO/);
});

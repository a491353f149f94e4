/**
 * The Go module, installed from its built files like from a module proxy, with `go test -parallel
 * 3`.
 */
import { assertEquals, assertMatch } from "@std/assert";
import config from "../../deno.json" with { type: "json" };
import { packGo } from "../../scripts/packages/go.ts";
import { requireClient, runOk } from "../support/clients.ts";
import { emptyProject, type Project, RUNS, sharedProgram, WORKERS } from "../support/packages.ts";

const TESTS = new URL("../../scripts/packages/go/standintest_test.go", import.meta.url);

/** Another module that requires the package. */
async function install(go: string, unzip: string): Promise<Project> {
  const project = await emptyProject();
  const { folder } = project;
  await runOk(unzip, ["-q", await packGo(folder), "-d", `${folder}/proxy`]);
  const env = {
    ...project.env,
    GOPROXY: `file://${folder}/proxy`,
    GONOSUMDB: "standin.test",
    GOFLAGS: "-mod=mod -modcacherw",
    GOMODCACHE: `${folder}/modules`,
  };
  const place = `${folder}/project`;
  await Deno.mkdir(place);
  await Deno.copyFile(TESTS, `${place}/standin_test.go`);
  await runOk(go, ["mod", "init", "shop.example/shop"], { cwd: place, env });
  await runOk(go, ["get", `standin.test/standintest@v${config.version}`], { cwd: place, env });
  return { ...project, folder: place, env };
}

const test = (...more: readonly string[]): readonly string[] => [
  ...["test", "-parallel", String(WORKERS), ...more, "."],
];

Deno.test("the module for Go passes its tests in another module, and starts the program", async (t) => {
  const [go, unzip] = [requireClient(t, "go"), requireClient(t, "unzip")];
  if (go === undefined || unzip === undefined) return;
  await using project = await install(go, unzip);
  const options = { cwd: project.folder, env: project.env, timeoutMs: 120_000 };
  const { stdout } = await runOk(go, test("-count=1", "-v"), options);
  assertMatch(stdout, /--- PASS: TestAProgramIsStartedAndStopped/);
  assertMatch(stdout, /--- PASS: TestParallel/);
});

Deno.test("parallel Go tests share one program, and none sees another's mail", async (t) => {
  const [go, unzip] = [requireClient(t, "go"), requireClient(t, "unzip")];
  if (go === undefined || unzip === undefined) return;
  await using project = await install(go, unzip);
  await using program = await sharedProgram();
  const env = { ...project.env, STANDIN_URL: program.urls.ui! };
  const { stdout } = await runOk(go, test(`-count=${RUNS}`, "-run=TestParallel", "-v"), {
    ...{ cwd: project.folder, env, timeoutMs: 120_000 },
  });
  assertEquals(stdout.match(/--- PASS: TestParallel\/\d/g)?.length, 24 * RUNS);
});

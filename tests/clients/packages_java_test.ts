/** The Java package, from its JAR, with JUnit and three threads. */
import { assertMatch } from "@std/assert";
import { packJava } from "../../scripts/packages/java.ts";
import { requireMaven, runOk } from "../support/clients.ts";
import { emptyProject, type Project, RUNS, sharedProgram, WORKERS } from "../support/packages.ts";

const TESTS = new URL("../../scripts/packages/java/src/test/java/standin/", import.meta.url);

const PARALLEL = [
  "enabled=true",
  "mode.default=concurrent",
  "config.strategy=fixed",
  `config.fixed.parallelism=${WORKERS}`,
].map((setting) => `--config=junit.jupiter.execution.parallel.${setting}`);

interface JavaProject extends Project {
  readonly java: string;
  /** Arguments of `java` that run tests. */
  readonly launch: readonly string[];
}

/** The tests of the package, compiled against the JAR. */
async function install(t: Deno.TestContext): Promise<JavaProject | undefined> {
  const found = await requireMaven(t, "junit");
  if (found === undefined) return undefined;
  const project = await emptyProject();
  const { folder } = project;
  const [jar = ""] = await packJava(folder, { classPath: found.classPath });
  const path = `${found.classPath}:${jar}:${folder}/tests`;
  const tests = ["JsonTest.java", "StandinTest.java"].map((name) => new URL(name, TESTS).pathname);
  const javac = (await Deno.realPath(found.java)).replace(/java$/, "javac");
  const flags = ["-encoding", "UTF-8", "-cp", path, "-d", `${folder}/tests`];
  await runOk(javac, [...flags, ...tests], { timeoutMs: 180_000 });
  const launch = [
    ...["-XX:TieredStopAtLevel=1", "-cp", path, "org.junit.platform.console.ConsoleLauncher"],
    ...["execute", `--class-path=${folder}/tests`, "--disable-banner", ...PARALLEL],
  ];
  return { ...project, java: found.java, launch };
}

Deno.test("the package for Java passes its tests from its JAR, and starts the program", async (t) => {
  await using project = await install(t) ?? null;
  if (project === null) return;
  const args = [...project.launch, "--details=summary", "--scan-classpath"];
  const { stdout } = await runOk(project.java, args, { env: project.env, timeoutMs: 180_000 });
  assertMatch(stdout, /\b31 tests successful/);
});

Deno.test("parallel JUnit tests share one program, and none sees another's mail", async (t) => {
  await using project = await install(t) ?? null;
  if (project === null) return;
  await using program = await sharedProgram();
  const env = { ...project.env, STANDIN_URL: program.urls.ui! };
  const chosen = ["--select-class=standin.StandinTest", "--include-methodname=.*#inParallel.*"];
  for (let run = 0; run < RUNS; run++) {
    const args = [...project.launch, "--details=summary", ...chosen];
    const { stdout } = await runOk(project.java, args, { env, timeoutMs: 180_000 });
    assertMatch(stdout, /\b24 tests successful/);
  }
});

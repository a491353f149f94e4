/**
 * The test runners of `docs/testing.md`, each with three workers.
 *
 * @module
 */
import config from "../../deno.json" with { type: "json" };
import { packGo } from "../../scripts/packages/go.ts";
import { packJava } from "../../scripts/packages/java.ts";
import { requireClient, requireMaven, requireNode, requirePython, runOk } from "./clients.ts";

/** Workers of each runner. */
const WORKERS = 3;

/** A test runner, and how to run it. */
export interface Runner {
  readonly title: string;
  /** Name of the example. */
  readonly file: string;
  /** The name and code of a copy. */
  readonly copy: (index: number, code: string) => readonly [name: string, code: string];
  /** The sending code, and its replacement in a run without sending. */
  readonly sends: readonly [string, string];
  /** Expected output for this many failed tests. */
  readonly failed: (count: number) => RegExp;
  /** Program and arguments; `undefined`, with a message, if it is not available. */
  readonly ready: (t: Deno.TestContext) => Promise<Ready | undefined>;
}

/** An available test runner. */
export interface Ready {
  readonly modules?: string;
  readonly prepare?: (folder: string, files: readonly string[]) => Promise<void>;
  readonly program: string;
  readonly args: (files: readonly string[]) => readonly string[];
}

/** `a/signup.test.ts` and 3 give `a/signup3.test.ts`. */
const numbered = (file: string) => (index: number, code: string): readonly [string, string] => [
  file.replace(/(?<=^|\/)[^./]+(?=[^/]*$)/, `$&${index}`),
  code,
];

function nodeRunner(
  title: string,
  file: string,
  args: (modules: string) => readonly string[],
  failed: (count: number) => RegExp,
): Runner {
  return {
    title,
    file,
    copy: numbered(file),
    sends: ["await signUp(", "await String("],
    failed,
    async ready(t) {
      const node = await requireNode(t);
      if (node === undefined) return undefined;
      const modules = `${node.folder}/node_modules`;
      return { modules, program: node.node, args: (files) => [...args(modules), ...files] };
    },
  };
}

function pythonRunner(title: string, file: string, more: readonly string[]): Runner {
  return {
    title,
    file,
    copy: numbered(file),
    sends: ["    sign_up(to)", "    str(to)"],
    failed: (count) => new RegExp(`\\b${count} failed`),
    async ready(t) {
      const python = await requirePython(t);
      if (python === undefined) return undefined;
      const xdist = ["-m", "pytest", "-q", "-n", String(WORKERS), ...more];
      return { program: python, prepare: writeSettings, args: (files) => [...xdist, ...files] };
    },
  };
}

/** Settings of a Django project that only sends mail. */
export async function writeSettings(folder: string): Promise<void> {
  await Deno.writeTextFile(`${folder}/shop.py`, 'SECRET_KEY = "any"\nUSE_TZ = True\n');
}

const JUNIT_PARALLEL = [
  "enabled=true",
  "mode.default=concurrent",
  "config.strategy=fixed",
  `config.fixed.parallelism=${WORKERS}`,
].map((setting) => `--config=junit.jupiter.execution.parallel.${setting}`);

const JAR = `standin-junit-${config.version}.jar`;

const JUNIT: Runner = {
  title: "JUnit",
  file: "SignUpTest.java",
  copy: (index, code) => [
    `SignUp${index}Test.java`,
    code.replace("class SignUpTest", `class SignUp${index}Test`),
  ],
  sends: ['signUp(standin.endpoint("mail3").url(), to);', "to.trim();"],
  failed: (count) => new RegExp(`\\b${count} tests failed`),
  async ready(t) {
    const project = await requireMaven(t, "junit");
    if (project === undefined) return undefined;
    const { java, classPath } = project;
    const javac = (await Deno.realPath(java)).replace(/java$/, "javac");
    return {
      program: java,
      async prepare(folder, files) {
        await packJava(folder, { classPath });
        const path = `${classPath}:${JAR}`;
        await runOk(javac, ["-cp", path, ...files], { cwd: folder, timeoutMs: 120_000 });
      },
      args: (files) => [
        ...[
          "-cp",
          `${classPath}:${JAR}:.`,
          "org.junit.platform.console.ConsoleLauncher",
          "execute",
        ],
        ...["--class-path=.", "--details=summary", ...JUNIT_PARALLEL],
        ...files.map((file) => `--select-class=${file.replace(".java", "")}`),
      ],
    };
  },
};

const GO: Runner = {
  title: "Go",
  file: "signup_test.go",
  copy: (index, code) => [
    `signup${index}_test.go`,
    code.replaceAll(/\bsignUp\b|\bTestANewUserIsSentACode\b/g, `$&${index}`),
  ],
  sends: ['signUp(standin.Endpoint("mail3").URL, to); err', "error(nil); err"],
  failed: (count) => new RegExp(`^(?:(?!--- FAIL)[^])*(?:--- FAIL(?:(?!--- FAIL)[^])*){${count}}$`),
  ready(t) {
    const [go, unzip] = [requireClient(t, "go"), requireClient(t, "unzip")];
    if (go === undefined || unzip === undefined) return Promise.resolve(undefined);
    return Promise.resolve({
      program: go,
      async prepare(folder) {
        // The example itself is not a copy, but is in the same package.
        await Deno.remove(`${folder}/signup_test.go`);
        await runOk(unzip, ["-q", await packGo(folder), "-d", `${folder}/proxy`]);
        const env = {
          GOPROXY: `file://${folder}/proxy`,
          GONOSUMDB: "standin.test",
          GOFLAGS: "-mod=mod -modcacherw",
          GOMODCACHE: `${folder}/modules`,
        };
        const options = { cwd: folder, env };
        await runOk(go, ["mod", "init", "shop.example/shop"], options);
        await runOk(go, ["get", `standin.test/standintest@v${config.version}`], options);
        // The tests run without these variables; the module has everything they need.
        await runOk(go, ["mod", "vendor"], options);
      },
      args: () => ["test", "-count=1", "-parallel", String(WORKERS), "."],
    });
  },
};

/** In page order. */
export const RUNNERS: readonly Runner[] = [
  nodeRunner(
    "node:test",
    "signup.test.mjs",
    () => ["--test", `--test-concurrency=${WORKERS}`],
    (count) => new RegExp(`^. fail ${count}$`, "m"),
  ),
  nodeRunner(
    "Vitest",
    "signup.test.ts",
    (modules) => [
      ...[`${modules}/vitest/vitest.mjs`, "run", "--pool=forks"],
      ...[`--minWorkers=${WORKERS}`, `--maxWorkers=${WORKERS}`],
    ],
    (count) => new RegExp(`Tests +${count} failed`),
  ),
  nodeRunner(
    "Jest",
    "signup.jest.mjs",
    (modules) => [
      ...["--experimental-vm-modules", `${modules}/jest/bin/jest.js`, "--rootDir=."],
      ...["--testMatch=**/*.jest.mjs", `--maxWorkers=${WORKERS}`, "--runTestsByPath"],
    ],
    (count) => new RegExp(`Tests: +${count} failed`),
  ),
  pythonRunner("pytest", "test_signup.py", ["-p", "no:django"]),
  pythonRunner("Django", "django/test_django_signup.py", ["--ds=shop"]),
  JUNIT,
  GO,
];

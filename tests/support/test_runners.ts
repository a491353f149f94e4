/**
 * The test runners of `docs/testing.md`, each with three workers.
 *
 * @module
 */
import { type Packages, requireMaven, requireNode, requirePython, runOk } from "./clients.ts";

/** What the examples for Node need. */
export const PACKAGES: Packages = {
  resend: "6.38.0",
  vitest: "3.2.4",
  jest: "30.5.2",
  typescript: "5.9.3",
};

/** Workers of each runner. */
const WORKERS = 3;

/** How one test runner is run. */
export interface Runner {
  readonly title: string;
  /** Name of the example. */
  readonly file: string;
  /** The name and code of a copy. */
  readonly copy: (index: number, code: string) => readonly [name: string, code: string];
  /** What sends, and what takes its place where nothing is sent. */
  readonly sends: readonly [string, string];
  /** What it says of so many tests that failed. */
  readonly failed: (count: number) => RegExp;
  /** Program and arguments; nothing, after saying so, where it cannot be had. */
  readonly ready: (t: Deno.TestContext) => Promise<Ready | undefined>;
}

/** A test runner that can be had. */
export interface Ready {
  readonly modules?: string;
  readonly prepare?: (folder: string, files: readonly string[]) => Promise<void>;
  readonly program: string;
  readonly args: (files: readonly string[]) => readonly string[];
}

/** `a/signup.test.ts` and 3 are `a/signup3.test.ts`. */
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
      const node = await requireNode(t, PACKAGES);
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

/** The settings of a Django project that does nothing but send mail. */
export async function writeSettings(folder: string): Promise<void> {
  await Deno.writeTextFile(`${folder}/shop.py`, 'SECRET_KEY = "any"\nUSE_TZ = True\n');
}

const JUNIT_PARALLEL = [
  "enabled=true",
  "mode.default=concurrent",
  "config.strategy=fixed",
  `config.fixed.parallelism=${WORKERS}`,
].map((setting) => `--config=junit.jupiter.execution.parallel.${setting}`);

const JUNIT: Runner = {
  title: "JUnit",
  file: "SignUpTest.java",
  copy: (index, code) => [
    `SignUp${index}Test.java`,
    code.replace("class SignUpTest", `class SignUp${index}Test`),
  ],
  sends: ["        signUp(to);", "        to.trim();"],
  failed: (count) => new RegExp(`\\b${count} tests failed`),
  async ready(t) {
    const project = await requireMaven(t, "junit");
    if (project === undefined) return undefined;
    const { java, classPath } = project;
    const javac = (await Deno.realPath(java)).replace(/java$/, "javac");
    return {
      program: java,
      async prepare(folder, files) {
        await runOk(javac, ["-cp", classPath, ...files], { cwd: folder, timeoutMs: 120_000 });
      },
      args: (files) => [
        ...["-cp", `${classPath}:.`, "org.junit.platform.console.ConsoleLauncher", "execute"],
        ...["--class-path=.", "--details=summary", ...JUNIT_PARALLEL],
        ...files.map((file) => `--select-class=${file.replace(".java", "")}`),
      ],
    };
  },
};

/** In the order of the page. */
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
];

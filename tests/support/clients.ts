/**
 * Real programs, interpreters and vendor SDKs for tests. A missing one skips its test with a message:
 * `SKIP client: swaks is not installed`. `deno task test` lists them, and on CI fails on the ones that
 * `tests/expected_skips.txt` does not name.
 *
 * @module
 */

import type { SkipNote } from "../../scripts/test_report.ts";

const CHROMIUM = [
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "chrome",
];

/** Names of a program on other systems. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  chromium: CHROMIUM,
  // The same engine without the parts of a desktop program, at half the time.
  "chromium-headless-shell": ["chromium-headless-shell", "chrome-headless-shell", ...CHROMIUM],
  python3: ["python3", "python"],
};

/** Debian folders that are not on every PATH. */
const MORE_FOLDERS = ["/usr/sbin", "/usr/local/sbin", "/sbin"];

/** Arguments that make a program print its version, if `--version` does not. */
const VERSION_WORDS: Readonly<Record<string, string>> = { go: "version", openssl: "version" };

/** Names and oldest supported versions, from the list that CI installs. */
const OLDEST = new Map(
  Deno.readTextFileSync(new URL("../../.ci/clients.txt", import.meta.url)).split("\n")
    .map((line) => line.trim().split(/\s+/))
    .flatMap(([name = "", oldest = "-"]): [string, string][] =>
      oldest === "-" ? [] : [[name, oldest]]
    ),
);

const found = new Map<string, string | undefined>();

/**
 * Full path of an installed program, or `undefined`. If `.ci/clients.txt` names an oldest version, programs that are
 * older, or do not print a version, are skipped.
 */
export function findProgram(name: string): string | undefined {
  if (!found.has(name)) found.set(name, findIn(Deno.env.get("PATH") ?? "", name));
  return found.get(name);
}

/** The same in the folders of a `PATH`. */
export function findIn(path: string, name: string): string | undefined {
  const folders = path.split(Deno.build.os === "windows" ? ";" : ":");
  return candidates(folders, name).find((program) => serves(program, name));
}

function candidates(folders: readonly string[], name: string): readonly string[] {
  return (ALIASES[name] ?? [name])
    .flatMap((alias) =>
      [...folders, ...MORE_FOLDERS].filter(Boolean).map((one) => `${one}/${alias}`)
    )
    .filter(isFile);
}

function serves(path: string, name: string): boolean {
  const oldest = OLDEST.get(name);
  if (oldest === undefined) return true;
  const { stdout, stderr } = new Deno.Command(path, { args: [VERSION_WORDS[name] ?? "--version"] })
    .outputSync();
  const said = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  return isAtLeast(/\d+(\.\d+)+/.exec(said)?.[0] ?? "0", oldest);
}

/** Whether a dotted version is equal to another one or newer. */
export function isAtLeast(version: string, oldest: string): boolean {
  const [own, wanted] = [version, oldest].map((text) => text.split(".").map(Number));
  for (const [i, number] of wanted!.entries()) {
    const difference = (own![i] ?? 0) - number;
    if (difference !== 0) return difference > 0;
  }
  return true;
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

/** Programs by name, as a test requested them. */
export type Programs<N extends string> = { readonly [K in N]: string };

/**
 * A test that needs real programs: `clientTest("swaks sends a mail", ["swaks"], async ({ swaks }) => ...)`.
 * Ignored, with a message, when one of them is not installed.
 */
export function clientTest<const N extends string>(
  title: string,
  needs: readonly N[],
  run: (programs: Programs<N>, t: Deno.TestContext) => Promise<void>,
): void {
  const found = needs.map((name) => [name, findProgram(name)] as const);
  const missing = found.filter(([, path]) => path === undefined).map(([name]) => name);
  for (const name of missing) saySkip(name, "is not installed", "ignores", title);
  Deno.test({
    name: title,
    ignore: missing.length > 0,
    fn: (t) => run(Object.fromEntries(found) as Programs<N>, t),
  });
}

/**
 * Returns the path of a program, for a test that determines its needs at run time: `const curl =
 * requireClient(t, "curl"); if (curl === undefined) return;`
 */
export function requireClient(t: Deno.TestContext, name: string): string | undefined {
  const path = findProgram(name);
  if (path === undefined) skipTest(t, name, "is not installed");
  return path;
}

/** Reports that a test ends early because a client is missing. */
export function skipTest(t: Deno.TestContext, client: string, reason: string): void {
  saySkip(client, reason, t.parent === undefined ? "ends" : "ends a step of", t.name);
}

/**
 * Reports it to the user, and to `deno task test` through a file, because parallel tests have no
 * separate output.
 */
function saySkip(client: string, reason: string, effect: SkipNote["effect"], test: string): void {
  console.log(`SKIP client: ${client} ${reason} (${effect} "${test}")`);
  const file = Deno.env.get("STANDIN_SKIPS");
  if (file === undefined) return;
  const note: SkipNote = { client, reason, effect, test, file: Deno.mainModule };
  Deno.writeTextFileSync(file, `${JSON.stringify(note)}\n`, { append: true });
}

/** Result of a program. */
export interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Milliseconds for a program by default. It only ends one that hangs: on a busy machine, importing a large SDK for
 * Python alone takes 15 seconds.
 */
const PROGRAM_MS = 90_000;

/** Options for running a program. */
export interface RunOptions {
  readonly stdin?: string | Uint8Array;
  /** Added to the environment of the test. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Milliseconds until it is killed and the test fails; 90 000 by default. */
  readonly timeoutMs?: number;
}

/** Runs a program to its end. Rejects, with its output, when that takes too long. */
export async function runProgram(
  program: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<Finished> {
  const timeoutMs = options.timeoutMs ?? PROGRAM_MS;
  const child = new Deno.Command(program, {
    args: [...args],
    stdin: options.stdin === undefined ? "null" : "piped",
    stdout: "piped",
    stderr: "piped",
    ...(options.env === undefined ? {} : { env: { ...options.env } }),
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  }).spawn();
  let late = false;
  const held = Promise.withResolvers<never>();
  const timers = [setTimeout(() => {
    late = true;
    end(child);
    const why = `its output is still open ${timeoutMs + PIPE_GRACE_MS} ms after its start`;
    timers.push(
      setTimeout(() => held.reject(new Error(`Waited for ${program}: ${why}`)), PIPE_GRACE_MS),
    );
  }, timeoutMs)];
  try {
    const ended = Promise.all([child.output(), feed(child, options.stdin)]);
    const [output] = await Promise.race([ended, held.promise]);
    const finished = {
      code: output.code,
      stdout: new TextDecoder().decode(output.stdout),
      stderr: new TextDecoder().decode(output.stderr),
    };
    if (late) {
      throw new Error(
        `Waited for ${program} to end: still running after ${timeoutMs} ms\n${describe(finished)}`,
      );
    }
    return finished;
  } finally {
    for (const timer of timers) clearTimeout(timer);
  }
}

/**
 * Time for the pipes of an ended program to close, in milliseconds, because its children may hold
 * them.
 */
const PIPE_GRACE_MS = 2000;

function end(child: Deno.ChildProcess): void {
  try {
    child.kill("SIGKILL");
  } catch {
    // The program has ended, but its output is still open.
  }
}

/** `runProgram` that rejects, with the program's output, unless it exits with status 0. */
export async function runOk(
  program: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<Finished> {
  const finished = await runProgram(program, args, options);
  if (finished.code !== 0) {
    throw new Error(`Ran ${program}: it ended with status ${finished.code}\n${describe(finished)}`);
  }
  return finished;
}

function describe({ stdout, stderr }: Finished): string {
  return `stdout:\n${stdout}\nstderr:\n${stderr}`;
}

/** A program may close its input early. */
async function feed(child: Deno.ChildProcess, input: RunOptions["stdin"]): Promise<void> {
  if (input === undefined) return;
  const bytes = typeof input === "string" ? new TextEncoder().encode(input) : input;
  const writer = child.stdin.getWriter();
  try {
    await writer.write(bytes);
    await writer.close();
  } catch (error) {
    const closed = error instanceof Deno.errors.BrokenPipe || error instanceof TypeError;
    if (!closed) throw error;
  }
}

/** The folder in which fetched clients are kept between runs. */
export function clientCache(): string {
  const base = Deno.env.get("XDG_CACHE_HOME") ?? `${Deno.env.get("HOME") ?? "/tmp"}/.cache`;
  return Deno.env.get("STANDIN_CLIENT_CACHE") ?? `${base}/standin-clients`;
}

const PYTHON = new URL("../clients/python/", import.meta.url).pathname;

/**
 * Returns a Python with everything in `tests/clients/python/requirements.txt`, and with what that needs as pinned in
 * `constraints.txt` there, created once and cached. `undefined`, with a message, if Python, its `venv` module or the
 * packages are not available.
 */
export async function requirePython(t: Deno.TestContext): Promise<string | undefined> {
  const python = findProgram("python3");
  if (python === undefined) return skip(t, "python3", "is not installed");
  const [requirements, constraints] = [`${PYTHON}requirements.txt`, `${PYTHON}constraints.txt`];
  const texts = [await Deno.readTextFile(requirements), await Deno.readTextFile(constraints)];
  return await once(t, "python3-venv", await digest(python + texts.join("\0")), async (folder) => {
    await runOk(python, ["-m", "venv", folder], { timeoutMs: 120_000 });
    // Tests import a small part of the packages; Python compiles that on its own.
    const options = ["--quiet", "--disable-pip-version-check", "--no-compile"];
    const pip = ["-m", "pip", "install", ...options];
    await runOk(`${folder}/bin/python`, [...pip, "-r", requirements, "-c", constraints], {
      timeoutMs: 300_000,
    });
  }, "bin/python");
}

/** Node and the folder whose `node_modules` has the packages. */
export interface NodeProject {
  readonly node: string;
  readonly folder: string;
}

/** Packages of npm by exact version, such as `{ nodemailer: "10.6.0" }`. */
export type Packages = Readonly<Record<string, string>>;

const NPM = new URL("../clients/npm/", import.meta.url);

/**
 * Returns Node with everything in `tests/clients/npm/package.json`, locked and cached: for SDKs that must run on the
 * platform supported by their vendor. If it lacks one of the `wanted` packages, such as that of a new provider, they are
 * added, and nothing is locked. `undefined`, with a message, if Node or the packages are not available.
 */
export async function requireNode(
  t: Deno.TestContext,
  wanted: Packages = {},
): Promise<NodeProject | undefined> {
  const [node, npm] = [findProgram("node"), findProgram("npm")];
  if (node === undefined || npm === undefined) return skip(t, "node", "is not installed");
  const manifest = await Deno.readTextFile(new URL("package.json", NPM));
  const { dependencies } = JSON.parse(manifest) as { readonly dependencies: Packages };
  const isLocked = Object.entries(wanted).every(([name, version]) =>
    dependencies[name] === version
  );
  const files: Readonly<Record<string, string>> = isLocked
    ? {
      "package.json": manifest,
      "package-lock.json": await Deno.readTextFile(new URL("package-lock.json", NPM)),
    }
    : {
      "package.json": JSON.stringify({
        private: true,
        type: "module",
        dependencies: { ...dependencies, ...wanted },
      }),
    };
  const key = await digest(Object.values(files).join("\0"));
  const folder = await once(t, "node-packages", key, async (folder) => {
    await Deno.mkdir(folder, { recursive: true });
    for (const [name, text] of Object.entries(files)) {
      await Deno.writeTextFile(`${folder}/${name}`, text);
    }
    const flags = ["--silent", "--no-audit", "--no-fund", "--ignore-scripts"];
    const args = [isLocked ? "ci" : "install", ...flags];
    await runOk(npm, args, { cwd: folder, timeoutMs: 300_000 });
  });
  return folder === undefined ? undefined : { node, folder };
}

/**
 * Returns the program of a Go folder under `tests/clients/go/`, built with the modules locked by
 * its `go.sum`, and cached. `undefined`, with a message, if Go or the modules are not available.
 */
export async function requireGo(t: Deno.TestContext, name: string): Promise<string | undefined> {
  const go = findProgram("go") ?? findProgramAt("/usr/local/go/bin/go");
  if (go === undefined) return skip(t, "go", "is not installed");
  const source = new URL(`../clients/go/${name}/`, import.meta.url);
  const files = await Promise.all(
    ["main.go", "go.mod", "go.sum"].map((file) => Deno.readTextFile(new URL(file, source))),
  );
  return await once(t, `go-${name}`, await digest(files.join("\0")), async (folder) => {
    // Without symbols for a debugger, a build takes four fifths of the time.
    const flags = ["-mod=readonly", "-gcflags=all=-dwarf=false", "-ldflags=-s -w"];
    const args = ["build", ...flags, "-o", `${folder}/program`, "."];
    await runOk(go, args, { cwd: source.pathname, timeoutMs: 480_000 });
  }, "program");
}

function findProgramAt(path: string): string | undefined {
  return isFile(path) ? path : undefined;
}

/**
 * Returns a Java that can run a single source file, such as JDK 11 and newer. `undefined`, with a
 * message, without one.
 */
export async function requireJava(t: Deno.TestContext): Promise<string | undefined> {
  const java = findProgram("java");
  if (java === undefined) return skip(t, "java", "is not installed");
  const { stdout } = await runProgram(java, ["--list-modules"]);
  return stdout.includes("jdk.compiler") ? java : skip(t, "java", "has no compiler");
}

/** With its version, which otherwise depends on that of Maven. */
const COPY_DEPENDENCIES =
  "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies";

/** Java, and the class path of a source file in `tests/clients/java/<name>/`. */
export interface JavaProject {
  readonly java: string;
  readonly classPath: string;
  /** Folder of the sources. */
  readonly folder: string;
}

/**
 * Returns Java with the packages in `tests/clients/java/<name>/pom.xml`, fetched by Maven and
 * cached. `undefined`, with a message, if they are not available.
 */
export async function requireMaven(
  t: Deno.TestContext,
  name: string,
): Promise<JavaProject | undefined> {
  const java = await requireJava(t);
  if (java === undefined) return undefined;
  const maven = findProgram("mvn");
  if (maven === undefined) return skip(t, "mvn", "is not installed");
  const source = new URL(`../clients/java/${name}/`, import.meta.url).pathname;
  const pom = `${source}pom.xml`;
  const key = await digest(await Deno.readTextFile(pom));
  const packages = await once(t, `java-${name}`, key, async (folder) => {
    // Concurrent runs of Maven would write to the same local repository.
    using turn = await Deno.open(`${clientCache()}/maven.lock`, { create: true, write: true });
    await turn.lock(true);
    const args = ["-q", "-B", "-f", pom, `-DoutputDirectory=${folder}`];
    await runOk(maven, [...args, COPY_DEPENDENCIES], { timeoutMs: 300_000 });
  });
  if (packages === undefined) return undefined;
  return { java, classPath: `${packages}/*`, folder: source };
}

function skip(t: Deno.TestContext, client: string, reason: string): undefined {
  skipTest(t, client, reason);
  return undefined;
}

/**
 * Fills `<cache>/<client>-<digest>` unless an earlier run did, under a lock, because test files run side by side.
 * Returns the folder, or `result` inside it.
 */
async function once(
  t: Deno.TestContext,
  client: string,
  key: string,
  fill: (folder: string) => Promise<void>,
  result = "",
): Promise<string | undefined> {
  const folder = `${clientCache()}/${client}-${key}`;
  await Deno.mkdir(clientCache(), { recursive: true });
  using lock = await Deno.open(`${folder}.lock`, { create: true, write: true });
  await lock.lock(true);
  if (!isFile(`${folder}/.ready`)) {
    const attempt = async (): Promise<void> => {
      await Deno.remove(folder, { recursive: true }).catch(() => {});
      await fill(folder);
      await Deno.writeTextFile(`${folder}/.ready`, "");
    };
    try {
      // A registry may fail once, and so may Maven if another run fetches the same file.
      await attempt().catch(attempt);
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      return skip(
        t,
        client,
        `cannot be had: ${detail.trim().replaceAll(/\s+/g, " ").slice(0, 200)}`,
      );
    }
  }
  return result === "" ? folder : `${folder}/${result}`;
}

async function digest(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return new Uint8Array(bytes).slice(0, 8).toHex();
}

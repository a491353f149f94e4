/**
 * The Node package, installed by npm from its tarball, in Vitest, Jest and Playwright with three
 * workers.
 */
import { assertEquals, assertMatch } from "@std/assert";
import { dirname } from "node:path";
import { packClient } from "../../scripts/packages/node.ts";
import {
  type NodeProject,
  requireClient,
  requireNode,
  runOk,
  runProgram,
} from "../support/clients.ts";
import { emptyProject, type Project, RUNS, sharedProgram, WORKERS } from "../support/packages.ts";

const SOURCES = new URL("node/", import.meta.url);

/** Packed once for all tests. */
let packed: Promise<string> | undefined;

Deno.test.afterAll(async () => {
  if (packed !== undefined) await Deno.remove(dirname(await packed), { recursive: true });
});

interface Installed extends Project {
  readonly node: string;
  readonly modules: string;
}

/** A project with the package and one file of tests. */
async function install(
  t: Deno.TestContext,
  files: readonly string[],
): Promise<Installed | undefined> {
  const found = await requireNode(t);
  const npm = requireClient(t, "npm");
  if (found === undefined || npm === undefined) return undefined;
  const project = await emptyProject();
  const { folder } = project;
  await Deno.writeTextFile(`${folder}/package.json`, '{"type":"module","private":true}');
  packed ??= packClient(await Deno.makeTempDir());
  const tarball = await packed;
  const flags = ["--offline", "--no-audit", "--no-fund", "--silent", "--ignore-scripts"];
  await runOk(npm, ["install", ...flags, tarball], { cwd: folder, timeoutMs: 180_000 });
  await link(found, folder);
  for (const file of files) await Deno.copyFile(new URL(file, SOURCES), `${folder}/${file}`);
  return { ...project, node: found.node, modules: `${folder}/node_modules` };
}

/** Links to packages fetched once. */
async function link(from: NodeProject, folder: string): Promise<void> {
  for await (const { name } of Deno.readDir(`${from.folder}/node_modules`)) {
    if (name.startsWith(".")) continue;
    await Deno.symlink(`${from.folder}/node_modules/${name}`, `${folder}/node_modules/${name}`);
  }
}

const vitest = (modules: string, include: string): readonly string[] => [
  ...[`${modules}/vitest/vitest.mjs`, "run", "--pool=forks", "--dir=.", include],
  ...[`--minWorkers=${WORKERS}`, `--maxWorkers=${WORKERS}`, "--config=./vitest.config.mjs"],
];

/** Generous, for busy machines. */
const CONFIG = 'export default { test: { include: ["**/*.vitest*.mjs"], testTimeout: 30_000 } };\n';

Deno.test("Vitest starts the program from the package, and its matcher shows the closest event", async (t) => {
  const files = ["send.mjs", "start.vitest.mjs"];
  await using project = await install(t, files) ?? null;
  if (project === null) return;
  const { folder, env, node, modules } = project;
  await Deno.writeTextFile(`${folder}/vitest.config.mjs`, CONFIG);
  const { stdout } = await runOk(node, vitest(modules, "start"), {
    ...{ cwd: folder, env, timeoutMs: 180_000 },
  });
  assertMatch(stdout, /Tests +5 passed/);
});

Deno.test("three Vitest workers share one program, and none sees another's mail", async (t) => {
  await using project = await install(t, ["send.mjs"]) ?? null;
  if (project === null) return;
  const { folder, env, node, modules } = project;
  await Deno.writeTextFile(`${folder}/vitest.config.mjs`, CONFIG);
  for (let copy = 0; copy < WORKERS; copy++) {
    const source = new URL("parallel.vitest.mjs", SOURCES);
    await Deno.copyFile(source, `${folder}/parallel.vitest${copy}.mjs`);
  }
  await using program = await sharedProgram();
  const shared = { ...env, STANDIN_URL: program.urls.ui! };
  for (let run = 0; run < RUNS; run++) {
    const { stdout } = await runOk(node, vitest(modules, "parallel"), {
      ...{ cwd: folder, env: shared, timeoutMs: 180_000 },
    });
    assertMatch(stdout, /Tests +24 passed/);
  }
});

Deno.test("Jest accepts the matcher", async (t) => {
  const files = ["send.mjs", "parallel.jest.mjs"];
  await using project = await install(t, files) ?? null;
  if (project === null) return;
  const { folder, env, node, modules } = project;
  await using program = await sharedProgram();
  const args = ["--experimental-vm-modules", `${modules}/jest/bin/jest.js`, "--rootDir=."];
  const { stderr } = await runOk(node, [
    ...args,
    "--testMatch=**/*.jest.mjs",
    "--testTimeout=30000",
  ], {
    cwd: folder,
    env: { ...env, STANDIN_URL: program.urls.ui! },
    timeoutMs: 180_000,
  });
  assertMatch(stderr, /Tests: +8 passed/);
});

Deno.test("the Playwright fixtures start a program for each worker, and attach the events of a failed test", async (t) => {
  const files = ["send.mjs", "fixture.playwright.mjs"];
  await using project = await install(t, files) ?? null;
  if (project === null) return;
  const { folder, env, node, modules } = project;
  await Deno.writeTextFile(
    `${folder}/playwright.config.mjs`,
    `export default { testMatch: "**/*.playwright.mjs", workers: ${WORKERS}, fullyParallel: true };\n`,
  );
  const args = [`${modules}/@playwright/test/cli.js`, "test", "--reporter=json"];
  const { stdout } = await runProgram(node, args, {
    ...{ cwd: folder, env: { ...env, FAIL: "1" }, timeoutMs: 180_000 },
  });
  const { stats, suites } = JSON.parse(stdout);
  assertEquals([stats.expected, stats.unexpected], [8, 1], stdout);
  const { specs } = suites[0];
  const [result] = specs.find(({ ok }: { ok: boolean }) => !ok).tests[0].results;
  const attached = result.attachments.find(({ name }: { name: string }) => name === "standin.json");
  assertMatch(atob(attached.body), /"subject": "Attached"/);
});

/** Correct except for its last three lines. */
const TYPES = `import { connect } from "@standin/client";
import { start } from "@standin/client/node";
import { type StandinFixtures, standinFixtures, type StandinWorkerFixtures } from "@standin/client/playwright";
import "@standin/client/RUNNER";
import { expect } from "FROM";
import { test as base } from "@playwright/test";
const test = base.extend<StandinFixtures, StandinWorkerFixtures>(standinFixtures);
test("x", async ({ standin }) => {
  const mail = await standin.waitFor("mail.message", { to: standin.address("a@example.org") });
  const subject: string = mail.payload.subject ?? "";
  await expect(standin).toHaveReceived({ type: "mail.message", match: { subject } });
  await expect(standin).not.toHaveReceived({ type: "mail.message" });
});
const started = await start({ args: [] });
export const pid: number = started.namespace("t1").name.length + started.pid;
await start({ programm: "x" });
await expect(connect()).toHaveReceived("mail.message");
export const wrong: number = started.ingress;
`;

Deno.test("the Node package's types check in a strict project", async (t) => {
  await using project = await install(t, []) ?? null;
  if (project === null) return;
  const { folder, node, modules } = project;
  const options = { strict: true, noEmit: true, module: "nodenext", target: "es2022", types: [] };
  for (const [runner, from] of [["vitest", "vitest"], ["jest", "@jest/globals"]] as const) {
    await Deno.writeTextFile(
      `${folder}/tsconfig.json`,
      JSON.stringify({
        compilerOptions: { ...options, skipLibCheck: true },
        files: ["types.ts"],
      }),
    );
    await Deno.writeTextFile(
      `${folder}/types.ts`,
      TYPES.replace("RUNNER", runner).replace("FROM", from),
    );
    const args = [`${modules}/typescript/bin/tsc`, "--pretty", "false"];
    const { stdout } = await runProgram(node, args, { cwd: folder, timeoutMs: 180_000 });
    assertMatch(
      stdout,
      /^types\.ts\(16,\d+\): error [^\n]*'programm'[^\n]*\n(?: [^\n]*\n)*types\.ts\(17,\d+\): error [^\n]*\n(?: [^\n]*\n)*types\.ts\(18,\d+\): error TS2322[^\n]*\n(?: [^\n]*\n)*$/,
      runner,
    );
  }
});

/** The examples of `docs/testing.md`, each run by the test runner it is for. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { dirname } from "node:path";
import { packClient } from "../../scripts/client_package.ts";
import {
  type Packages,
  requireMaven,
  requireNode,
  requirePython,
  runOk,
  runProgram,
} from "../support/clients.ts";
import { startService, type TestService } from "../support/service.ts";

const PACKAGES: Packages = {
  resend: "6.38.0",
  vitest: "3.2.4",
  jest: "30.5.2",
  typescript: "5.9.3",
};
const BUN: Packages = { resend: "6.38.0", "@oven/bun-linux-x64": "1.3.3" };

/** Code blocks of the page that are named, by name. */
async function readExamples(): Promise<ReadonlyMap<string, string>> {
  const page = await Deno.readTextFile(new URL("../../docs/testing.md", import.meta.url));
  const blocks = page.matchAll(/^```\w+ (\S+)\n([\s\S]*?)^```$/gm);
  return new Map([...blocks].map(([, name = "", code = ""]) => [name, code]));
}

const EXAMPLES = await readExamples();

/** Right but for its last two lines. */
const TYPED = `import { connect } from "@standin/client";
const [mail] = await connect().list("mail.message");
const [trap] = await connect().list("snmp.trap");
export const subject: string | undefined = mail?.payload.subject;
export const oid: string | undefined = trap?.payload.varbinds[0]?.oid;
await connect().expect("mail.message", { to: "ada", match: { subject: "x" }, none: true });
await connect().clear({ plugin: "mail", subject: "x" });
await connect().waitFor("fax.page", { pages: 2 });
export const wrong = mail?.payload.sbject;
await connect().waitFor("mail.message", { to: "ada", subjct: "x" });
`;

/** Packed once for all examples. */
let packed: Promise<string> | undefined;

Deno.test.afterAll(async () => {
  if (packed !== undefined) await Deno.remove(dirname(await packed), { recursive: true });
});

interface Project {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The examples in a folder, with the client installed from its package, as a user has them. */
async function withProject(
  modules: string | undefined,
  run: (project: Project, service: TestService) => Promise<void>,
): Promise<void> {
  await using service = await startService();
  const folder = await Deno.makeTempDir();
  try {
    for (const [name, code] of EXAMPLES) await Deno.writeTextFile(`${folder}/${name}`, code);
    await Deno.writeTextFile(`${folder}/package.json`, '{"type":"module","private":true}');
    if (modules !== undefined) await install(folder, modules);
    const env = {
      STANDIN_URL: service.api.url,
      MAIL_URL: service.ingress.url,
      CI: "1",
      NO_COLOR: "1",
      NO_PROXY: "*",
    };
    await run({ folder, env }, service);
    const [mail] = service.events.list({ plugin: "mail" });
    assertEquals(mail?.summary_parts.to, ["ada@example.org"]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Links to the packages that were fetched once, and the client out of its tarball. */
async function install(folder: string, modules: string): Promise<void> {
  const target = `${folder}/node_modules`;
  await Deno.mkdir(`${target}/@standin`, { recursive: true });
  for await (const { name } of Deno.readDir(modules)) {
    if (!name.startsWith(".")) await Deno.symlink(`${modules}/${name}`, `${target}/${name}`);
  }
  packed ??= packClient(await Deno.makeTempDir());
  await runOk("tar", ["xzf", await packed, "-C", folder]);
  await Deno.rename(`${folder}/package`, `${target}/@standin/client`);
}

/** An assertion that does not hold has to fail the example: otherwise nothing has been shown. */
async function spoil(file: string): Promise<void> {
  const code = await Deno.readTextFile(file);
  await Deno.writeTextFile(file, code.replace(/493201|Your code/, "000000"));
}

const RUNNERS: readonly (readonly [
  title: string,
  file: string,
  args: (modules: string) => readonly string[],
])[] = [
  ["node:test", "signup.test.mjs", () => ["--test"]],
  ["Vitest", "signup.test.ts", (modules) => [`${modules}/vitest/vitest.mjs`, "run"]],
  ["Jest", "signup.jest.mjs", (modules) => [
    ...["--experimental-vm-modules", `${modules}/jest/bin/jest.js`, "--rootDir=."],
    ...["--testMatch=**/*.jest.mjs", "--runTestsByPath"],
  ]],
];
for (const [title, file, args] of RUNNERS) {
  Deno.test(`the example for ${title} passes with the package of the client`, async (t) => {
    const node = await requireNode(t, PACKAGES);
    if (node === undefined) return;
    const modules = `${node.folder}/node_modules`;
    await withProject(modules, async ({ folder, env }) => {
      await runOk(node.node, [...args(modules), file], { cwd: folder, env, timeoutMs: 60_000 });
      await spoil(`${folder}/${file}`);
      const spoilt = await runProgram(node.node, [...args(modules), file], {
        cwd: folder,
        env,
        timeoutMs: 60_000,
      });
      assertStringIncludes(spoilt.stdout + spoilt.stderr, "000000");
      assertEquals(spoilt.code === 0, false);
    });
  });
}

Deno.test("the types of the client's package hold in a strict project", async (t) => {
  const node = await requireNode(t, PACKAGES);
  if (node === undefined) return;
  const modules = `${node.folder}/node_modules`;
  await withProject(modules, async ({ folder, env }) => {
    await runOk(node.node, ["--test", "signup.test.mjs"], { cwd: folder, env });
    const options = { strict: true, noEmit: true, module: "nodenext", target: "es2023", types: [] };
    await Deno.writeTextFile(
      `${folder}/tsconfig.json`,
      JSON.stringify({ compilerOptions: options, files: ["types.ts"] }),
    );
    await Deno.writeTextFile(`${folder}/types.ts`, TYPED);
    const args = [`${modules}/typescript/bin/tsc`, "--pretty", "false"];
    const { stdout } = await runProgram(node.node, args, { cwd: folder, timeoutMs: 60_000 });
    assertMatch(
      stdout,
      /^types\.ts\(9,\d+\): error TS\d+: Property 'sbject'.*\ntypes\.ts\(10,\d+\): error TS\d+: .*'subjct' does not exist.*\n$/,
    );
  });
});

Deno.test("the client's package works in Bun", async (t) => {
  const node = await requireNode(t, BUN);
  if (node === undefined) return;
  const modules = `${node.folder}/node_modules`;
  await withProject(modules, async ({ folder, env }) => {
    const bun = `${modules}/@oven/bun-linux-x64/bin/bun`;
    await runOk(bun, ["test", "./signup.test.mjs"], { cwd: folder, env, timeoutMs: 60_000 });
  });
});

Deno.test("the example for pytest passes", async (t) => {
  const python = await requirePython(t);
  if (python === undefined) return;
  await withProject(undefined, async ({ folder, env }) => {
    await runOk(python, ["-m", "pytest", "-q", "test_signup.py"], { cwd: folder, env });
  });
});

Deno.test("the example for JUnit passes", async (t) => {
  const project = await requireMaven(t, "junit");
  if (project === undefined) return;
  await withProject(undefined, async ({ folder, env }) => {
    const javac = (await Deno.realPath(project.java)).replace(/java$/, "javac");
    const { classPath } = project;
    await runOk(javac, ["-cp", classPath, "SignUpTest.java"], { cwd: folder, timeoutMs: 60_000 });
    const launcher = "org.junit.platform.console.ConsoleLauncher";
    const args = ["execute", "--select-class=SignUpTest", "--class-path=."];
    const { stdout } = await runOk(project.java, ["-cp", `${classPath}:.`, launcher, ...args], {
      cwd: folder,
      env,
      timeoutMs: 60_000,
    });
    assertStringIncludes(stdout, "1 tests successful");
  });
});

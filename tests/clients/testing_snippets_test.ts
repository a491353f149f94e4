/**
 * Runs the examples of `docs/testing.md` verbatim, each with its test runner: many copies, with
 * three workers that share one service.
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { dirname } from "node:path";
import { parse } from "smol-toml";
import { parse as parseYaml } from "npm:yaml@2.9.1";
import { packClient } from "../../scripts/packages/node.ts";
import { packPython } from "../../scripts/packages/python.ts";
import {
  type Finished,
  requireGo,
  requireNode,
  requirePython,
  runOk,
  runProgram,
} from "../support/clients.ts";
import { emptyProject } from "../support/packages.ts";
import { startService, type TestService } from "../support/service.ts";
import { type Ready, type Runner, RUNNERS, writeSettings } from "../support/test_runners.ts";

/** Copies of an example, distributed among the workers. */
const COPIES = 12;

/** Named code blocks of the page. */
async function readExamples(): Promise<ReadonlyMap<string, string>> {
  const page = await Deno.readTextFile(new URL("../../docs/testing.md", import.meta.url));
  const blocks = page.matchAll(/^```\w+ (\S+)\n([\s\S]*?)^```$/gm);
  return new Map([...blocks].map(([, name = "", code = ""]) => [name, code]));
}

const EXAMPLES = await readExamples();

function example(name: string): string {
  const code = EXAMPLES.get(name);
  assert(code !== undefined, `docs/testing.md has no ${name}`);
  return code;
}

/** Correct except for its last two lines. */
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

/**
 * The examples in a folder, with the client installed from its package, as for a user. The service
 * also holds events of another test, which must neither be matched nor cleared.
 */
async function withProject(
  modules: string | undefined,
  run: (project: Project, service: TestService) => Promise<void>,
  others = 1,
): Promise<void> {
  await using service = await startService({ config: parse(example("standin.toml")) });
  const folder = await Deno.makeTempDir();
  try {
    for (const [name, code] of EXAMPLES) {
      await Deno.mkdir(dirname(`${folder}/${name}`), { recursive: true });
      await Deno.writeTextFile(`${folder}/${name}`, code);
    }
    await Deno.writeTextFile(`${folder}/package.json`, '{"type":"module","private":true}');
    const [wheel = ""] = await packPython(folder);
    // A wheel is an archive of files for the path.
    await runOk("unzip", ["-q", wheel, "-d", `${folder}/site`]);
    if (modules !== undefined) await install(folder, modules);
    const env = {
      STANDIN_URL: service.api.url,
      MAIL_URL: service.ingress.url,
      PYTHONPATH: `${folder}/site`,
      CI: "1",
      NO_COLOR: "1",
      NO_PROXY: "*",
    };
    if (others > 0) await sendToAnother(service);
    await run({ folder, env }, service);
    assertEquals(service.events.list({ search: "eve@example.org" }).length, others);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function sendToAnother(service: TestService): Promise<void> {
  const answer = await fetch(`${service.ingress.url}/emails`, {
    method: "POST",
    headers: { authorization: "Bearer re_any", "content-type": "application/json" },
    body: JSON.stringify({
      from: "shop@example.com",
      to: "eve@example.org",
      subject: "Another code",
      text: "Your code is 111111.",
    }),
  });
  assertEquals(answer.status, 200, await answer.text());
}

/** Links to packages fetched once, and the client from its tarball. */
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

for (const runner of RUNNERS) {
  Deno.test(`the example for ${runner.title} passes with several workers that share the service`, async (t) => {
    const ready = await runner.ready(t);
    if (ready === undefined) return;
    await withProject(ready.modules, async (project, service) => {
      await runCopies(runner, ready, project, (code) => code);
      const mails = service.events.list({ plugin: "mail", search: "ada" });
      assert(mails.length > 0 && mails.every(({ summary_parts: { to } }) => to?.length === 1));
    });
  });

  Deno.test(`the example for ${runner.title} fails where it should, whatever the others send`, async (t) => {
    const ready = await runner.ready(t);
    if (ready === undefined) return;
    const [sends, nothing] = runner.sends;
    await withProject(ready.modules, async (project) => {
      const { code, stdout, stderr } = await runCopies(runner, ready, project, (code, index) => {
        if (index === 2) {
          return replaced(code, /493201(?![^]*493201)|(?<=subject: ")Your/, "000000");
        }
        return index === 5 || index === 8 ? replaced(code, sends, nothing) : code;
      }, runProgram);
      assertEquals(code === 0, false);
      assertMatch(stdout + stderr, runner.failed(3));
      assertMatch(stdout + stderr, /Timed out: |Cannot find what was expected/);
    });
  });
}

Deno.test("every example of the page is run", async () => {
  const page = await Deno.readTextFile(new URL("../../docs/testing.md", import.meta.url));
  // Shell commands have no name; other pages have them.
  const blocks = (page.split(/^```/m).length >> 1) - page.split(/^```sh$/m).length + 1;
  assertEquals(EXAMPLES.size, blocks, "One has no name, or one of another");
  const helpers = ["app.mjs", "standin.toml", "django/conftest.py"];
  const own = ["vitest.setup.ts", "playwright.config.mjs", ".github/workflows/test.yml"];
  const run = new Set([...helpers, ...own, ...RUNNERS.map(({ file }) => file)]);
  assertEquals([...EXAMPLES.keys()].filter((name) => !run.has(name)), []);
});

Deno.test("the set-up of Vitest starts one program for all workers", async (t) => {
  const node = await requireNode(t);
  if (node === undefined) return;
  await using started = await emptyProject();
  await withProject(`${node.folder}/node_modules`, async ({ folder, env }, service) => {
    await Deno.writeTextFile(
      `${folder}/vitest.config.mjs`,
      'export default { test: { globalSetup: "./vitest.setup.ts" } };',
    );
    const { STANDIN_PROGRAM = "" } = started.env;
    const args = [`${folder}/node_modules/vitest/vitest.mjs`, "run", "signup.test.ts"];
    const { stdout } = await runOk(node.node, args, {
      cwd: folder,
      env: { ...env, STANDIN_PROGRAM },
      timeoutMs: 60_000,
    });
    assertMatch(stdout, /Tests +1 passed/);
    assertEquals(service.events.list({ search: "ada" }).length, 0);
  });
});

Deno.test("the program accepts the flags in the Playwright configuration", async () => {
  await using project = await emptyProject();
  const file = `${project.folder}/playwright.config.mjs`;
  await Deno.writeTextFile(file, example("playwright.config.mjs"));
  const { default: config } = await import(`file://${file}`);
  const [{ command, url }] = config.webServer;
  const words = command.replace("npx standin", `'${project.env.STANDIN_PROGRAM}'`);
  const { stdout } = await runOk("sh", ["-c", `${words} --permissions`]);
  assertMatch(stdout, /--allow-net/);
  assertEquals(url, "http://localhost:8811/api/v1/ready");
});

Deno.test("the page's workflow passes a linter, and sets only inputs that its actions have", async (t) => {
  const actionlint = await requireGo(t, "actionlint");
  if (actionlint === undefined) return;
  await using project = await emptyProject();
  const file = `${project.folder}/test.yml`;
  await Deno.writeTextFile(file, example(".github/workflows/test.yml"));
  await runOk(actionlint, ["-no-color", file]);
  const { jobs } = parseYaml(await Deno.readTextFile(file));
  let used = 0;
  for (const { uses, with: given = {} } of jobs.test.steps) {
    const path = /^OWNER\/standin\/(.+)@v[\d.]+$/.exec(uses ?? "")?.[1];
    if (path === undefined) continue;
    const text = await Deno.readTextFile(new URL(`../../${path}/action.yml`, import.meta.url));
    const { inputs } = parseYaml(text);
    for (const name of Object.keys(given)) assert(name in inputs, `no input is ${name}`);
    used++;
  }
  assertEquals(used, 2);
});

Deno.test("a Django test without the recipe learns why nothing arrived", async (t) => {
  const python = await requirePython(t);
  if (python === undefined) return;
  await withProject(undefined, async ({ folder, env }) => {
    await writeSettings(folder);
    await Deno.remove(`${folder}/django/conftest.py`);
    const args = ["-m", "pytest", "-q", "--ds=shop", "django/test_django_signup.py"];
    const { stdout } = await runProgram(python, args, { cwd: folder, env });
    assertMatch(
      stdout,
      /WaitError: Timed out: .*; nothing at all was captured in namespace .*pytest-django/,
    );
  }, 0);
});

/** Writes the copies, each transformed by `change`, and runs all of them at once. */
async function runCopies(
  { file, copy }: Runner,
  ready: Ready,
  { folder, env }: Project,
  change: (code: string, index: number) => string,
  run = runOk,
): Promise<Finished> {
  const files: string[] = [];
  for (let index = 0; index < COPIES; index++) {
    const [name, code] = copy(index, change(example(file), index));
    await Deno.writeTextFile(`${folder}/${name}`, code);
    files.push(name);
  }
  await ready.prepare?.(folder, files);
  return await run(ready.program, ready.args(files), { cwd: folder, env, timeoutMs: 120_000 });
}

function replaced(code: string, what: string | RegExp, by: string): string {
  const changed = code.replace(what, by);
  assert(changed !== code, `${what} is not in the example`);
  return changed;
}

Deno.test("the client package's types check in a strict project", async (t) => {
  const node = await requireNode(t);
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

Deno.test("the client package works in Bun", async (t) => {
  const node = await requireNode(t);
  if (node === undefined) return;
  const modules = `${node.folder}/node_modules`;
  await withProject(modules, async ({ folder, env }) => {
    const bun = `${modules}/@oven/bun-linux-x64/bin/bun`;
    await runOk(bun, ["test", "./signup.test.mjs"], { cwd: folder, env, timeoutMs: 60_000 });
  });
});

/** The `basic-ftp` package of npm, on Node. */
import { assertEquals, assertMatch } from "@std/assert";
import { requireNode, runOk } from "../support/clients.ts";
import { content, noise, operations, paths, scratch, startFiles, until } from "../support/files.ts";
import { assertFifty, assertMoved, assertNothingKept, tooLarge } from "../support/real_client.ts";
import type { TestService } from "../support/service.ts";

interface Script {
  readonly service: TestService;
  readonly folder: string;
  /** Runs code with a logged-in `client`; returns its JSON output. */
  run(code: string): Promise<unknown>;
}

async function scripted(
  t: Deno.TestContext,
  work: (script: Script) => Promise<void>,
): Promise<void> {
  const project = await requireNode(t);
  if (project === undefined) return;
  await using service = await startFiles();
  await using folder = await scratch();
  const { port } = service.endpoint("ftp");
  const prelude = `import { readFileSync, writeFileSync } from "node:fs";
import { PassThrough, Readable } from "node:stream";
import { Client } from "basic-ftp";
const folder = ${JSON.stringify(folder.path)};
const access = { host: "127.0.0.1", port: ${port}, user: "ada", password: "s3cret" };
const failing = async (work) => {
  try { return await work(), "done"; } catch (error) { return error.code ?? error.message; }
};
const client = new Client(20_000);
await client.access(access);
`;
  await work({
    service,
    folder: folder.path,
    async run(code) {
      const args = ["--input-type=module", "--eval", `${prelude}${code}\nclient.close();`];
      const { stdout } = await runOk(project.node, args, { cwd: project.folder });
      return stdout === "" ? undefined : JSON.parse(stdout);
    },
  });
}

Deno.test("basic-ftp transfers files in both directions", (t) =>
  scripted(t, async ({ service, folder, run }) => {
    await assertMoved(service, {
      put: (local, path) => run(`await client.uploadFrom(${quote(local)}, ${quote(path)})`),
      get: (path, local) => run(`await client.downloadTo(${quote(local)}, ${quote(path)})`),
    }, { folder });
  }));

Deno.test("basic-ftp works on whole directories", (t) =>
  scripted(t, async ({ service, folder, run }) => {
    await Deno.mkdir(`${folder}/up/deep/er`, { recursive: true });
    await Deno.writeFile(`${folder}/up/deep/er/ü b.bin`, noise(3000));
    const answers = await run(`
await client.ensureDir("/a/b");
await client.uploadFromDir(folder + "/up");
await client.downloadToDir(folder + "/down", "/a/b");
await client.rename("/a/b/deep", "/moved");
const listed = (await client.list("/moved/er")).map(({ name, size, isFile }) => [name, size, isFile]);
const size = await client.size("/moved/er/ü b.bin");
const age = Date.now() - (await client.lastMod("/moved/er/ü b.bin")).getTime();
await client.cd("/moved");
const pwd = await client.pwd();
await client.removeDir("/a");
console.log(JSON.stringify({ listed, size, fresh: age < 60_000, pwd }));`);
    assertEquals(answers, {
      listed: [["ü b.bin", 3000, true]],
      size: 3000,
      fresh: true,
      pwd: "/moved",
    });
    assertEquals(await Deno.readFile(`${folder}/down/deep/er/ü b.bin`), noise(3000));
    assertEquals(await paths(service), ["/moved", "/moved/er", "/moved/er/ü b.bin"]);
    assertEquals(operations(service).slice(-3), [
      "rename /a/b/deep /moved",
      "delete /a/b",
      "delete /a",
    ]);
  }));

Deno.test("basic-ftp resumes uploads and downloads", (t) =>
  scripted(t, async ({ service, folder, run }) => {
    const bytes = noise(300_000);
    await Deno.writeFile(`${folder}/up`, bytes);
    await Deno.writeFile(`${folder}/down`, bytes.subarray(0, 70_000));
    await run(`
await client.uploadFrom(folder + "/up", "f", { localEndInclusive: 99_999 });
await client.appendFrom(folder + "/up", "f", { localStart: 100_000 });
await client.downloadTo(folder + "/down", "f", 70_000);`);
    assertEquals(await content(service, "/f"), bytes);
    assertEquals(await Deno.readFile(`${folder}/down`), bytes);
    assertEquals(operations(service), ["upload /f", "upload /f"]);
  }));

Deno.test("basic-ftp reports a file over the limit, and continues", (t) =>
  scripted(t, async ({ service, folder, run }) => {
    const path = await tooLarge(folder);
    const answers = await run(`
const code = await failing(() => client.uploadFrom(${quote(path)}, "big"));
if (client.closed) await client.access(access);
await client.uploadFrom(Readable.from([Buffer.from("small")]), "small");
console.log(JSON.stringify(code));`);
    // Some of its writes may break before it reads the reply.
    assertMatch(String(answers), /^(552|EPIPE|ECONNRESET)$/);
    assertMatch(service.rejected.list({})[0]?.reason ?? "", /at most 67108864/);
    assertEquals(operations(service), ["upload /small"]);
  }));

Deno.test("basic-ftp closed in the middle of an upload leaves nothing", (t) =>
  scripted(t, async ({ service, run }) => {
    await run(`
const source = new PassThrough();
const uploading = failing(() => client.uploadFrom(source, "half"));
client.trackProgress(({ bytes }) => { if (bytes >= 50_000) client.close(); });
source.write(Buffer.alloc(50_000));
await uploading;
source.destroy();`);
    await until(() => service.rejected.list({}).length > 0);
    assertMatch(service.rejected.list({})[0]!.reason, /^Ended a transfer early/);
    await assertNothingKept(service);
  }));

Deno.test("basic-ftp is refused hostile paths, and continues", (t) =>
  scripted(t, async ({ service, run }) => {
    const answers = await run(`
const put = (path) => failing(() => client.uploadFrom(Readable.from([Buffer.from("x")]), path));
const answers = [];
const long = ["n".repeat(256), "d/".repeat(33) + "f", "n".repeat(5000)];
for (const path of ["../../up", "a\\\\..\\\\..\\\\b", ...long]) answers.push(await put(path));
answers.push(await put("last"));
console.log(JSON.stringify(answers));`);
    assertEquals(answers, ["done", "done", 553, 553, 500, "done"]);
    assertEquals(await paths(service), ["/b", "/last", "/up"]);
  }));

Deno.test("fifty clients of basic-ftp upload at once", (t) =>
  scripted(t, async ({ service, folder, run }) => {
    for (let i = 0; i < 50; i++) await Deno.writeFile(`${folder}/${i}`, noise(20_000, i));
    await run(`
await Promise.all(Array.from({ length: 50 }, async (_, i) => {
  const one = new Client(20_000);
  await one.access(access);
  await one.uploadFrom(folder + "/" + i, "/all/" + i);
  one.close();
}));`);
    await assertFifty(service, { dir: "/all/", bytes: 20_000 });
  }));

function quote(text: string): string {
  return JSON.stringify(text);
}

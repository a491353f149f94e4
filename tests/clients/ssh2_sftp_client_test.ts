/** The `ssh2-sftp-client` package of npm, on Node. */
import { assertEquals, assertMatch } from "@std/assert";
import { requireNode, runOk } from "../support/clients.ts";
import { content, noise, operations, paths, scratch, startFiles } from "../support/files.ts";
import {
  assertBytes,
  assertFifty,
  assertMoved,
  assertNothingKept,
  tooLarge,
} from "../support/real_client.ts";
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
  const { port } = service.endpoint("sftp");
  const prelude = `import SftpClient from "ssh2-sftp-client";
const folder = ${JSON.stringify(folder.path)};
const login = { host: "127.0.0.1", port: ${port}, username: "ada", password: "s3cret" };
const failing = async (work) => {
  try { return await work(), "done"; } catch (error) { return error.code ?? error.message; }
};
const client = new SftpClient();
await client.connect(login);
`;
  await work({
    service,
    folder: folder.path,
    async run(code) {
      const args = ["--input-type=module", "--eval", `${prelude}${code}\nawait client.end();`];
      const { stdout } = await runOk(project.node, args, { cwd: project.folder });
      return stdout === "" ? undefined : JSON.parse(stdout);
    },
  });
}

Deno.test("ssh2-sftp-client transfers files in both directions", (t) =>
  scripted(t, async ({ service, folder, run }) => {
    await assertMoved(service, {
      put: (local, path) => run(`await client.put(${quote(local)}, ${quote(path)})`),
      get: (path, local) => run(`await client.get(${quote(path)}, ${quote(local)})`),
    }, { folder, sizes: [0, 5, 100_000] });
    // In concurrent chunks.
    await assertMoved(service, {
      put: (local, path) => run(`await client.fastPut(${quote(local)}, ${quote(path)})`),
      get: (path, local) => run(`await client.fastGet(${quote(path)}, ${quote(local)})`),
    }, { folder, sizes: [0, 1024 * 1024] });
  }));

Deno.test("ssh2-sftp-client works on whole directories", (t) =>
  scripted(t, async ({ service, folder, run }) => {
    await Deno.mkdir(`${folder}/up/deep/er`, { recursive: true });
    await Deno.writeFile(`${folder}/up/deep/er/ü b.bin`, noise(3000));
    const answers = await run(`
await client.mkdir("/a/b", true);
await client.uploadDir(folder + "/up", "/a/b");
await client.append(Buffer.from("end"), "/a/b/deep/er/ü b.bin");
await client.downloadDir("/a/b", folder + "/down");
await client.rename("/a/b/deep", "/moved");
const listed = (await client.list("/moved/er")).map(({ type, name, size }) => [type, name, size]);
const { size, isFile } = await client.stat("/moved/er/ü b.bin");
const kinds = [await client.exists("/moved"), await client.exists("/moved/er/ü b.bin"), await client.exists("/x")];
await client.rcopy("/moved/er/ü b.bin", "/copy");
await client.posixRename("/copy", "/moved/er/ü b.bin");
await client.rmdir("/a", true);
console.log(JSON.stringify({ listed, size, isFile, kinds, real: await client.realPath("../x/..") }));`);
    assertEquals(answers, {
      listed: [["-", "ü b.bin", 3003]],
      size: 3003,
      isFile: true,
      kinds: ["d", "-", false],
      real: "/",
    });
    const back = await Deno.readFile(`${folder}/down/deep/er/ü b.bin`);
    assertBytes(back.subarray(0, 3000), noise(3000), "The tree");
    assertEquals(await paths(service), ["/moved", "/moved/er", "/moved/er/ü b.bin"]);
  }));

Deno.test("ssh2-sftp-client resumes a download, and an upload at its end", (t) =>
  scripted(t, async ({ service, folder, run }) => {
    const bytes = noise(300_000);
    await Deno.writeFile(`${folder}/up`, bytes);
    await Deno.writeFile(`${folder}/down`, bytes.subarray(0, 70_000));
    await run(`
import { createReadStream, createWriteStream } from "node:fs";
await client.put(createReadStream(folder + "/up", { end: 99_999 }), "/f");
await client.append(createReadStream(folder + "/up", { start: 100_000 }), "/f");
await client.get("/f", createWriteStream(folder + "/down", { flags: "a" }), {
  readStreamOptions: { start: 70_000 },
});`);
    assertBytes(await content(service, "/f"), bytes, "The content");
    assertBytes(await Deno.readFile(`${folder}/down`), bytes, "The download");
    assertEquals(operations(service), ["upload /f", "upload /f"]);
  }));

Deno.test("ssh2-sftp-client reports a file over the limit, and continues", (t) =>
  scripted(t, async ({ service, folder, run }) => {
    const path = await tooLarge(folder);
    const answers = await run(`
const answers = [await failing(() => client.fastPut(${quote(path)}, "/big"))];
answers.push(await failing(() => client.put(Buffer.from("small"), "/small")));
console.log(JSON.stringify(answers));`) as string[];
    assertEquals(answers.map((answer) => answer === "done"), [false, true]);
    assertMatch(service.rejected.list({}).at(-1)?.reason ?? "", /at most 67108864/);
    assertEquals(operations(service), ["upload /small"]);
  }));

Deno.test("ssh2-sftp-client ended in the middle of an upload leaves nothing", (t) =>
  scripted(t, async ({ service, run }) => {
    await run(`
const stream = client.createWriteStream("/half");
await new Promise((resolve) => stream.write(Buffer.alloc(200_000), resolve));
client.client._sock.destroy();
process.exit(0);`);
    await assertNothingKept(service);
  }));

Deno.test("ssh2-sftp-client is refused hostile paths, and continues", (t) =>
  scripted(t, async ({ service, run }) => {
    const answers = await run(`
const answers = [];
const long = ["n".repeat(256), "d/".repeat(33) + "f", "n".repeat(5000)];
for (const path of ["nul\\0nul", "bell\\x07", ...long, "../../up", "a\\\\..\\\\..\\\\b", "/last"]) {
  answers.push(await failing(() => client.put(Buffer.from("x"), path)));
}
console.log(JSON.stringify(answers));`) as string[];
    assertEquals(answers.slice(0, 5).includes("done"), false);
    assertEquals(answers.slice(5), ["done", "done", "done"]);
    assertEquals(await paths(service), ["/b", "/last", "/up"]);
  }));

Deno.test("fifty clients of ssh2-sftp-client upload at once", (t) =>
  scripted(t, async ({ service, folder, run }) => {
    for (let i = 0; i < 50; i++) await Deno.writeFile(`${folder}/${i}`, noise(20_000, i));
    await run(`
await client.mkdir("/all");
await Promise.all(Array.from({ length: 50 }, async (_, i) => {
  const one = new SftpClient();
  await one.connect(login);
  await one.put(folder + "/" + i, "/all/" + i);
  await one.end();
}));`);
    await assertFifty(service, { dir: "/all/", bytes: 20_000 });
  }));

function quote(text: string): string {
  return JSON.stringify(text);
}

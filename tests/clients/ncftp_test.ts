import { assertEquals, assertMatch } from "@std/assert";
import { clientTest, runOk, runProgram } from "../support/clients.ts";
import { content, noise, paths, scratch, startFiles, until } from "../support/files.ts";
import { assertBytes, assertMoved, assertNothingKept, tooLarge } from "../support/real_client.ts";
import type { TestService } from "../support/service.ts";

function login(service: TestService): readonly string[] {
  const { port } = service.endpoint("ftp");
  return ["-u", "ada", "-p", "s3cret", "-P", String(port), "-V", "-r", "1", "-t", "10"];
}

const NCFTP = ["ncftpput", "ncftpget", "ncftpls"] as const;

clientTest("ncftp transfers files and trees in both directions", NCFTP, async (programs) => {
  await using service = await startFiles();
  await using folder = await scratch();
  const at = { cwd: folder.path, env: { HOME: folder.path } };
  await assertMoved(service, {
    put: (local, path) =>
      runOk(programs.ncftpput, [...login(service), "-C", "127.0.0.1", local, path], at),
    get: (path, local) =>
      runOk(programs.ncftpget, [...login(service), "-C", "127.0.0.1", path, local], at),
  }, { folder: folder.path });
  await Deno.mkdir(`${folder.path}/up/sub`, { recursive: true });
  await Deno.writeFile(`${folder.path}/up/sub/a b`, noise(70_000));
  await runOk(programs.ncftpput, [...login(service), "-R", "-m", "127.0.0.1", "/there", "up"], at);
  assertBytes(await content(service, "/there/up/sub/a b"), noise(70_000), "The tree");
  await Deno.mkdir(`${folder.path}/down`);
  await runOk(programs.ncftpget, [...login(service), "-R", "127.0.0.1", "down", "/there/up"], at);
  assertBytes(await Deno.readFile(`${folder.path}/down/up/sub/a b`), noise(70_000), "The tree");
  const { stdout } = await runOk(programs.ncftpls, [
    ...[...login(service).filter((arg) => arg !== "-V"), "-l"],
    `ftp://127.0.0.1/there/up/sub/`,
  ], at);
  assertMatch(stdout, /70000 .* a b/);
});

clientTest("ncftp resumes, appends and works actively", NCFTP, async (programs) => {
  await using service = await startFiles();
  await using folder = await scratch();
  const at = { cwd: folder.path, env: { HOME: folder.path } };
  const bytes = noise(300_000);
  await Deno.mkdir(`${folder.path}/part`);
  await Deno.writeFile(`${folder.path}/part/f`, bytes.subarray(0, 100_000));
  await Deno.writeFile(`${folder.path}/f`, bytes);
  const put = (...args: string[]) => runOk(programs.ncftpput, [...login(service), ...args], at);
  await put("127.0.0.1", "/", "part/f");
  // With sendfile() it would restart the file from its beginning.
  await put("-s", "-z", "127.0.0.1", "/", "f");
  assertBytes(await content(service, "/f"), bytes, "What was resumed");
  await Deno.mkdir(`${folder.path}/down`);
  await Deno.writeFile(`${folder.path}/down/f`, bytes.subarray(0, 50_000));
  await runOk(programs.ncftpget, [...login(service), "-z", "127.0.0.1", "down", "/f"], at);
  assertBytes(await Deno.readFile(`${folder.path}/down/f`), bytes, "What was resumed");
  await Deno.writeFile(`${folder.path}/end`, noise(5));
  await put("-E", "-A", "127.0.0.1", "/", "end");
  await put("-E", "-A", "127.0.0.1", "/", "end");
  assertEquals((await content(service, "/end")).length, 10);
  assertEquals(await paths(service), ["/end", "/f"]);
});

clientTest("ncftpput reports a file over the limit", NCFTP, async (programs) => {
  await using service = await startFiles();
  await using folder = await scratch();
  const args = [...login(service), "127.0.0.1", "/", await tooLarge(folder.path)];
  const { code } = await runProgram(programs.ncftpput, args, { env: { HOME: folder.path } });
  assertEquals(code !== 0, true);
  assertMatch(service.rejected.list({}).at(-1)?.reason ?? "", /at most 67108864/);
  await assertNothingKept(service);
});

clientTest("ncftpput killed in the middle of an upload leaves nothing", NCFTP, async (programs) => {
  await using service = await startFiles();
  await using folder = await scratch();
  const child = new Deno.Command(programs.ncftpput, {
    args: [...login(service), "-d", "stderr", "-c", "127.0.0.1", "/half"],
    env: { HOME: folder.path },
    stdin: "piped",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(noise(200_000));
  let said = "";
  for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) {
    said += text;
    if (/^150: /m.test(said)) child.kill("SIGKILL");
  }
  await child.status;
  await writer.abort().catch(() => {});
  await until(() => service.rejected.list({}).length > 0);
  await assertNothingKept(service);
});

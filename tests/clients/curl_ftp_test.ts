import { assert, assertEquals, assertMatch } from "@std/assert";
import { clientTest, runOk, runProgram } from "../support/clients.ts";
import {
  content,
  fileEvents,
  noise,
  operations,
  paths,
  scratch,
  startFiles,
  until,
} from "../support/files.ts";
import { assertBytes, assertNothingKept, tooLarge } from "../support/real_client.ts";

const QUIET = ["--silent", "--show-error", "--noproxy", "*", "--user", "ada:s3cret"];
const MIB = 1024 * 1024;

clientTest("curl uploads and downloads files of many sizes", ["curl"], async ({ curl }) => {
  await using service = await startFiles();
  await using folder = await scratch();
  const { url } = service.endpoint("ftp");
  for (const size of [0, 1, 1023, 65_536, 65_537, MIB, 64 * MIB]) {
    const bytes = noise(size, size + 1);
    await Deno.writeFile(`${folder.path}/up`, bytes);
    await runOk(curl, [
      ...QUIET,
      "-T",
      `${folder.path}/up`,
      `${url}/size/${size}.bin`,
      "--ftp-create-dirs",
    ]);
    assertBytes(await content(service, `/size/${size}.bin`), bytes, "The content");
    await runOk(curl, [...QUIET, "-o", `${folder.path}/down`, `${url}/size/${size}.bin`]);
    assertBytes(await Deno.readFile(`${folder.path}/down`), bytes, "The download");
  }
  const [mkdir, first] = fileEvents(service);
  assertEquals(mkdir?.payload.operation, "mkdir");
  assertEquals(mkdir?.payload.path, "/size");
  assertEquals(first?.summary, "uploaded /size/0.bin (0 B)");
  assertEquals(first?.raw.transport, "ftp");
  assertEquals(new TextDecoder().decode(first?.raw.body), "STOR /size/0.bin");
  assertEquals(first?.meta.auth, { user: "ada", password: "s3cret" });
  assertEquals(first?.payload.user, "ada");
});

clientTest(
  "curl reports a file over the limit, and nothing is kept",
  ["curl"],
  async ({ curl }) => {
    await using service = await startFiles();
    await using folder = await scratch();
    const { code } = await runProgram(curl, [
      ...[...QUIET, "-T", await tooLarge(folder.path), `${service.endpoint("ftp").url}/big`],
    ]);
    assert(code !== 0);
    await assertNothingKept(service);
    assertMatch(service.rejected.list({})[0]?.reason ?? "", /at most 67108864/);
  },
);

clientTest("curl resumes uploads and downloads, and reads ranges", ["curl"], async ({ curl }) => {
  await using service = await startFiles();
  await using folder = await scratch();
  const bytes = noise(300_000);
  const url = `${service.endpoint("ftp").url}/resumed.bin`;
  await Deno.writeFile(`${folder.path}/up`, bytes.subarray(0, 100_000));
  await runOk(curl, [...QUIET, "-T", `${folder.path}/up`, url]);
  await Deno.writeFile(`${folder.path}/up`, bytes);
  await runOk(curl, [...QUIET, "-C", "-", "-T", `${folder.path}/up`, url]);
  assertEquals(await content(service, "/resumed.bin"), bytes);
  await Deno.writeFile(`${folder.path}/down`, bytes.subarray(0, 123_456));
  await runOk(curl, [...QUIET, "-C", "-", "-o", `${folder.path}/down`, url]);
  assertEquals(await Deno.readFile(`${folder.path}/down`), bytes);
  await runOk(curl, [...QUIET, "-r", "1000-1999", "-o", `${folder.path}/part`, url]);
  assertEquals(await Deno.readFile(`${folder.path}/part`), bytes.slice(1000, 2000));
  assertEquals(operations(service), ["upload /resumed.bin", "upload /resumed.bin"]);
});

clientTest("curl lists, renames, deletes, active and passive", ["curl"], async ({ curl }) => {
  await using service = await startFiles();
  const { url } = service.endpoint("ftp");
  const put = (path: string, ...more: string[]) =>
    runOk(curl, [...QUIET, ...more, "-T", "-", `${url}${path}`], { stdin: "hello" });
  await put("/a.txt", "--disable-epsv");
  await put("/b.txt", "--ftp-port", "-");
  await put("/c.txt", "--ftp-port", "-", "--disable-eprt");
  await put("/d%20%C3%A9.txt", "--append");
  const list = await runOk(curl, [...QUIET, `${url}/`]);
  assertMatch(list.stdout, /^-rw-rw-rw- +1 owner group +5 \w{3} [ \d]\d \d\d:\d\d a\.txt\r?$/m);
  const names = (await runOk(curl, [...QUIET, "-l", `${url}/`])).stdout.split(/\r?\n/);
  assertEquals(names, ["a.txt", "b.txt", "c.txt", "d é.txt", ""]);
  const quote = (...commands: string[]) =>
    runOk(curl, [...QUIET, ...commands.flatMap((command) => ["-Q", command]), `${url}/`]);
  await quote("MKD sub", "RNFR a.txt", "RNTO sub/a.txt", "DELE b.txt");
  assertEquals(await paths(service), ["/c.txt", "/d é.txt", "/sub", "/sub/a.txt"]);
  assertEquals(operations(service).slice(4), [
    "mkdir /sub",
    "rename /a.txt /sub/a.txt",
    "delete /b.txt",
  ]);
});

clientTest("curl is refused with wrong pinned credentials", ["curl"], async ({ curl }) => {
  await using service = await startFiles({ ftp: { username: "ada", password: "other" } });
  const args = [...QUIET, "-T", "-", `${service.endpoint("ftp").url}/a`];
  // CURLE_LOGIN_DENIED
  assertEquals((await runProgram(curl, args, { stdin: "x" })).code, 67);
  assertMatch(service.rejected.list({})[0]?.reason ?? "", /password is wrong/);
});

clientTest("curl killed in the middle of an upload leaves nothing", ["curl"], async ({ curl }) => {
  await using service = await startFiles();
  const child = new Deno.Command(curl, {
    args: ["--verbose", ...QUIET, "-T", "-", `${service.endpoint("ftp").url}/killed`],
    stdin: "piped",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(noise(200_000));
  let said = "";
  for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) {
    said += text;
    if (/^< 150 /m.test(said)) child.kill("SIGKILL");
  }
  await child.status;
  await writer.abort().catch(() => {});
  await until(() => service.rejected.list({}).length > 0);
  assertMatch(
    service.rejected.list({})[0]!.reason,
    /^Ended a transfer early: The client disconnected/,
  );
  assertEquals(await paths(service), []);
  assertEquals(operations(service), []);
});

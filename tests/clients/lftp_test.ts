import { assertEquals, assertMatch } from "@std/assert";
import { clientTest, runOk, runProgram } from "../support/clients.ts";
import { content, noise, operations, paths, scratch, startFiles, until } from "../support/files.ts";
import { assertBytes, assertMoved, assertNothingKept, tooLarge } from "../support/real_client.ts";

clientTest("lftp mirrors a tree up and down, moves and empties it", ["lftp"], async ({ lftp }) => {
  await using service = await startFiles();
  await using folder = await scratch();
  const { hostname, port } = service.endpoint("ftp");
  const run = (script: string) =>
    runOk(lftp, ["-u", "ada,s3cret", "-p", String(port), hostname, "-e", `${script}; bye`], {
      cwd: folder.path,
    });
  await Deno.mkdir(`${folder.path}/up/sub/deep`, { recursive: true });
  const bytes = noise(200_000);
  await Deno.writeFile(`${folder.path}/up/a.bin`, bytes);
  await Deno.writeTextFile(`${folder.path}/up/sub/deep/ü b.txt`, "line\r\nline\n");
  await run("mirror -R up there");
  assertEquals(await paths(service), [
    "/there",
    "/there/a.bin",
    "/there/sub",
    "/there/sub/deep",
    "/there/sub/deep/ü b.txt",
  ]);
  assertEquals(await content(service, "/there/a.bin"), bytes);
  await run("mirror there down");
  assertEquals(await Deno.readFile(`${folder.path}/down/a.bin`), bytes);
  assertEquals(await Deno.readTextFile(`${folder.path}/down/sub/deep/ü b.txt`), "line\r\nline\n");
  const { stdout } = await run("cls there; mv there/a.bin moved.bin; ls");
  assertMatch(stdout, /there\/a\.bin/);
  assertMatch(stdout, /200000 .* moved\.bin/);
  await run("rm -r there");
  assertEquals(await paths(service), ["/moved.bin"]);
  const done = operations(service);
  assertEquals(done.filter((one) => one.startsWith("upload")).length, 2);
  assertEquals(done.includes("rename /there/a.bin /moved.bin"), true);
  assertEquals(done.at(-1), "delete /there");
});

clientTest("lftp in active mode, with many connections at once", ["lftp"], async ({ lftp }) => {
  await using service = await startFiles();
  await using folder = await scratch();
  const { hostname, port } = service.endpoint("ftp");
  await Deno.mkdir(`${folder.path}/up`);
  for (let i = 0; i < 50; i++) await Deno.writeFile(`${folder.path}/up/${i}`, noise(1024, i));
  const script = "set ftp:passive-mode off; mirror --parallel=10 -R up all; bye";
  await runOk(lftp, ["-u", "ada,s3cret", "-p", String(port), hostname, "-e", script], {
    cwd: folder.path,
  });
  assertEquals((await paths(service)).length, 51);
  for (let i = 0; i < 50; i++) assertEquals(await content(service, `/all/${i}`), noise(1024, i));
});

clientTest(
  "lftp transfers files over FTP and SFTP, and resumes",
  ["lftp", "ssh"],
  async ({ lftp }) => {
    await using service = await startFiles();
    await using folder = await scratch();
    const bytes = noise(300_000);
    for (const scheme of ["ftp", "sftp"] as const) {
      const { port } = service.endpoint(scheme);
      const connect =
        "ssh -a -x -F none -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null " +
        "-o LogLevel=ERROR";
      const run = (script: string) =>
        runOk(lftp, [
          ...["-u", "ada,s3cret", "-p", String(port), `${scheme}://127.0.0.1`, "-e"],
          `set sftp:connect-program "${connect}"; set net:max-retries 1; ${script}; bye`,
        ], { cwd: folder.path });
      const dir = `/${scheme}/`;
      await run(`mkdir ${dir}`);
      await assertMoved(service, {
        put: (local, path) => run(`put ${local} -o ${path}`),
        get: (path, local) => run(`get ${path} -o ${local}`),
      }, { folder: folder.path, dir });
      await Deno.writeFile(`${folder.path}/f`, bytes.subarray(0, 100_000));
      await run(`put f -o ${dir}f`);
      await Deno.writeFile(`${folder.path}/f`, bytes);
      await Deno.writeFile(`${folder.path}/down`, bytes.subarray(0, 70_000));
      await run(`reput f -o ${dir}f; reget ${dir}f -o down`);
      assertBytes(await content(service, `${dir}f`), bytes, "The content");
      assertBytes(await Deno.readFile(`${folder.path}/down`), bytes, "The download");
    }
  },
);

clientTest("lftp reports a file over the limit, and continues", ["lftp"], async ({ lftp }) => {
  await using service = await startFiles();
  await using folder = await scratch();
  await Deno.writeFile(`${folder.path}/small`, noise(5));
  const { hostname, port } = service.endpoint("ftp");
  const script = `put ${await tooLarge(folder.path)}; put small; bye`;
  const { stderr } = await runProgram(lftp, [
    ...["-u", "ada,s3cret", "-p", String(port), hostname, "-e"],
    `set net:max-retries 1; ${script}`,
  ], { cwd: folder.path });
  assertMatch(stderr, /552 .*at most 67108864/);
  assertEquals(operations(service), ["upload /small"]);
});

clientTest("lftp killed in the middle of an upload leaves nothing", ["lftp"], async ({ lftp }) => {
  await using service = await startFiles();
  await using folder = await scratch();
  const { hostname, port } = service.endpoint("ftp");
  await Deno.writeFile(`${folder.path}/slow`, noise(10_000_000));
  const child = new Deno.Command(lftp, {
    args: [
      ...["-d", "-u", "ada,s3cret", "-p", String(port), hostname, "-e"],
      "set net:limit-rate 100000; put slow; bye",
    ],
    cwd: folder.path,
    stdout: "null",
    stderr: "piped",
  }).spawn();
  let said = "";
  for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) {
    said += text;
    if (/<--- 150 /.test(said)) break;
  }
  child.kill("SIGKILL");
  await child.status;
  await until(() => service.rejected.list({}).length > 0);
  assertMatch(
    service.rejected.list({})[0]!.reason,
    /^Ended a transfer early: The client disconnected/,
  );
  await assertNothingKept(service);
});

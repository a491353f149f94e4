import { assertEquals, assertMatch } from "@std/assert";
import { clientTest, runOk } from "../support/clients.ts";
import { content, noise, operations, paths, scratch, startFiles } from "../support/files.ts";

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

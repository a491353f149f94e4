import { assertEquals, assertRejects } from "@std/assert";
import { clientTest, runOk, runProgram, skipTest } from "../support/clients.ts";
import { content, noise, operations, paths, scratch, startFiles } from "../support/files.ts";

const OPTIONS = [
  ...["-F", "/dev/null", "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null"],
  ...["-o", "LogLevel=ERROR", "-o", "idmap=user"],
];

clientTest("sshfs mounts the tree", ["sshfs", "fusermount3"], async (programs, t) => {
  await using service = await startFiles();
  await using folder = await scratch();
  const mount = `${folder.path}/mount`;
  await Deno.mkdir(mount);
  const { hostname, port } = service.endpoint("sftp");
  const mounted = await runProgram(programs.sshfs, [
    ...["-p", String(port), ...OPTIONS],
    `ada@${hostname}:/`,
    mount,
  ]);
  if (mounted.code !== 0) return skipTest(t, "sshfs", "cannot mount here");
  try {
    await Deno.mkdir(`${mount}/dir`);
    await Deno.writeFile(`${mount}/dir/a.bin`, noise(200_000));
    assertEquals(await Deno.readFile(`${mount}/dir/a.bin`), noise(200_000));
    await Deno.rename(`${mount}/dir/a.bin`, `${mount}/dir/b.bin`);
    await Deno.writeTextFile(`${mount}/dir/text`, "one\n");
    await Deno.writeTextFile(`${mount}/dir/text`, "two\n", { append: true });
    assertEquals(await Deno.readTextFile(`${mount}/dir/text`), "one\ntwo\n");
    const names = (await Array.fromAsync(Deno.readDir(`${mount}/dir`))).map(({ name }) => name);
    assertEquals(names.sort(), ["b.bin", "text"]);
    await Deno.truncate(`${mount}/dir/text`, 3);
    assertEquals(await Deno.readTextFile(`${mount}/dir/text`), "one");
    await assertRejects(() => Deno.truncate(`${mount}/dir/text`, 64 * 1024 * 1024 + 1));
    for (const name of ["bell\x07", "d/".repeat(33), "n".repeat(256)]) {
      await assertRejects(() => Deno.writeTextFile(`${mount}/${name}`, "x"));
    }
    await assertRejects(() => Deno.symlink("dir", `${mount}/link`));
    await assertRejects(() => Deno.link(`${mount}/dir/text`, `${mount}/link`));
    assertEquals(await Deno.readTextFile(`${mount}/dir/text`), "one");
    await Deno.remove(`${mount}/dir/text`);
  } finally {
    await runOk(programs.fusermount3, ["-u", mount]);
  }
  assertEquals(await paths(service), ["/dir", "/dir/b.bin"]);
  assertEquals(await content(service, "/dir/b.bin"), noise(200_000));
  assertEquals(operations(service), [
    "mkdir /dir",
    "upload /dir/a.bin",
    "rename /dir/a.bin /dir/b.bin",
    "upload /dir/text",
    "upload /dir/text",
    "upload /dir/text",
    "delete /dir/text",
  ]);
});

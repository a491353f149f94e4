import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { ConfigError } from "../../core/errors.ts";
import { content, noise, paths, scratch, startFiles } from "../support/files.ts";
import { FtpClient } from "../support/ftp.ts";
import { FREE_PORTS, startProgram } from "../support/program.ts";
import type { TestService } from "../support/service.ts";
import { blobsIn, change, COMMON_DAMAGES, type Keeper, testDamages, testSweep } from "./damage.ts";

function start(folder: string): Promise<TestService> {
  return startFiles({}, { storage: { backend: "filesystem", path: folder } });
}

/** Leaves a folder with `/dir/a` of 1000 bytes and `/empty` in it. */
async function fill(folder: string): Promise<void> {
  await using service = await start(folder);
  await using ftp = await FtpClient.open(service);
  assertMatch(await ftp.put("STOR dir/a", noise(1000)), /^226 /);
  await ftp.play("MKD empty", /^257 /);
}

Deno.test("the tree survives a restart; the events do not", async () => {
  await using folder = await scratch();
  await fill(folder.path);
  {
    await using service = await start(folder.path);
    await using ftp = await FtpClient.open(service);
    await ftp.put("STOR dir/b", noise(200_000, 2));
    await ftp.put("STOR dir/a", noise(5, 3));
    await ftp.play("RNFR dir", /^350 /, "RNTO moved", /^250 /, "RMD empty", /^250 /);
    await ftp.play("MFMT 20200102030405 moved/b", /^213 /);
  }
  await using service = await start(folder.path);
  assertEquals(await paths(service), ["/moved", "/moved/a", "/moved/b"]);
  assertEquals(await content(service, "/moved/a"), noise(5, 3));
  assertEquals(await content(service, "/moved/b"), noise(200_000, 2));
  const part = await fetch(`${service.api.url}/api/v1/files/content/moved/b`, {
    headers: { range: "bytes=100000-100099" },
  });
  assertEquals(await part.bytes(), noise(200_000, 2).slice(100_000, 100_100));
  const stat = await service.getJson<Record<string, unknown>>("/files/stat/moved/b");
  assertEquals([stat.mod_time, stat.provider], ["2020-01-02T03:04:05.000Z", "ftp"]);
  assertEquals(service.events.list({}), []);
  assertEquals(blobsIn(`${folder.path}/files`).length, 2);
  await using ftp = await FtpClient.open(service);
  await ftp.put("STOR c", noise(7));
  const [event] = service.events.list({ type: "files.upload" });
  const { blob } = event!.payload as { blob: { id: string } };
  const byId = await fetch(`${service.api.url}/api/v1/blobs/${blob.id}`);
  assertEquals(await byId.bytes(), noise(7));
});

Deno.test("emptying the tree empties the folder", async () => {
  await using folder = await scratch();
  await fill(folder.path);
  await using service = await start(folder.path);
  await service.reset();
  assertEquals(await paths(service), []);
  assertEquals(blobsIn(`${folder.path}/files`), []);
});

const TREE: Keeper = { name: "the tree", folder: "files", fill, start };

testSweep(TREE);

testDamages(TREE, [
  ...COMMON_DAMAGES,
  ["a foreign database", "version 0", (folder) => {
    change(folder, "DROP TABLE node; CREATE TABLE other (x); PRAGMA user_version = 0");
  }],
  ["a catalog with a damaged page", "catalog.db", (folder) => {
    using file = Deno.openSync(`${folder}/catalog.db`, { write: true });
    file.seekSync(4096 + 8, Deno.SeekMode.Start);
    file.writeSync(noise(2000));
  }],
  ["no catalog, but bytes", "there are bytes", (folder) => {
    Deno.removeSync(`${folder}/catalog.db`);
  }],
  ["an empty catalog beside bytes", "there are bytes", (folder) => {
    Deno.truncateSync(`${folder}/catalog.db`);
  }],
  ["a name that the resolver refuses", "..", (folder) => {
    change(folder, "UPDATE node SET name = '..' WHERE name = 'a'");
  }],
  ["a name with a slash", "a/b", (folder) => {
    change(folder, "UPDATE node SET name = 'a/b' WHERE name = 'a'");
  }],
  ["an entry without a directory", "in no directory", (folder) => {
    change(folder, "UPDATE node SET parent = 4711 WHERE name = 'a'");
  }],
  ["a name used twice", "twice", (folder) => {
    change(folder, "UPDATE node SET name = 'dir' WHERE name = 'empty'");
  }],
]);

Deno.test("a second service on the same folder is refused, and the first one continues", async () => {
  await using folder = await scratch();
  await using service = await start(folder.path);
  const error = await assertRejects(() => start(folder.path), ConfigError);
  assertMatch(error.message, /another process uses it/);
  const args = ["serve", ...FREE_PORTS, "--persist", folder.path];
  const program = await assertRejects(() => startProgram({ args }), Error);
  assertMatch(program.message, /ended with status 1[^]*another process uses it/);
  await using ftp = await FtpClient.open(service);
  assertMatch(await ftp.put("STOR a", noise(10)), /^226 /);
});

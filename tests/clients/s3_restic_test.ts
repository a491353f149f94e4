/** A backup program, whose library frames every upload. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { S3Operation } from "../../plugins/s3/model.ts";
import { clientTest, runOk } from "../support/clients.ts";
import { noise, scratch } from "../support/files.ts";
import { pick, startStore, type Store } from "../support/s3.ts";

const MIB = 1024 * 1024;

/** Sorted keys of the repository according to the events, relative to its folder. */
function kept({ service }: Store): string[] {
  const keys = new Set<string>();
  for (const { payload, meta } of service.events.list({ plugin: "s3" }).reverse()) {
    assertStringIncludes(String(meta.user_agent), "minio-go");
    const { operation, key = "home/" } = payload as S3Operation;
    if (operation === "object.delete") keys.delete(key);
    else if (operation === "object.put") keys.add(key);
  }
  return [...keys].map((key) => key.slice("home/".length)).sort();
}

/** Names of folders, once for each file in them, except for data, whose number varies. */
function folders(keys: readonly string[]): string[] {
  return keys.map((key) => key.split("/")[0]!).filter((name) => name !== "data");
}

clientTest("restic backs up, checks, restores and prunes", ["restic"], async ({ restic }) => {
  await using store = await startStore({ buckets: [], aws_chunked: true });
  await using folder = await scratch();
  const env = {
    AWS_ACCESS_KEY_ID: "any",
    AWS_SECRET_ACCESS_KEY: "any",
    NO_PROXY: "*",
    RESTIC_REPOSITORY: `s3:${store.service.endpoint("http").url}/backups/home`,
    RESTIC_PASSWORD: "secret",
    RESTIC_CACHE_DIR: `${folder.path}/cache`,
  };
  const run = async (...args: string[]): Promise<string> =>
    (await runOk(restic, args, { env, cwd: folder.path })).stdout;
  const snapshots = async (): Promise<readonly { id: string; tags: string[] }[]> =>
    JSON.parse(await run("snapshots", "--json"));
  const source = `${folder.path}/source`;
  await Deno.mkdir(source);
  await Deno.writeTextFile(`${source}/☃ +ü.txt`, "Hello");
  await Deno.writeFile(`${source}/large`, noise(20 * MIB));

  await run("init");
  await run("backup", "source", "--tag", "first");
  const first = kept(store);
  assertEquals(folders(first), ["config", "index", "keys", "snapshots"]);
  await Deno.remove(`${source}/large`);
  await run("backup", "source", "--tag", "second");
  const [old, recent] = await snapshots();
  assertEquals([old?.tags, recent?.tags], [["first"], ["second"]]);
  assertMatch(await run("check", "--read-data"), /no errors were found/);
  await run("restore", "latest", "--tag", "first", "--target", "back");
  assertEquals(await Deno.readFile(`${folder.path}/back/source/large`), noise(20 * MIB));
  assertEquals(await Deno.readTextFile(`${folder.path}/back/source/☃ +ü.txt`), "Hello");
  await run("forget", old!.id, "--prune");
  assertEquals((await snapshots()).map(({ id }) => id), [recent!.id]);
  const last = kept(store);
  assertEquals(folders(last), ["config", "index", "keys", "snapshots"]);
  const page = await store.text("GET", "/backups?prefix=home/", 200);
  assertEquals(pick(page, "Key").map((key) => key.slice("home/".length)).sort(), last);
  assertEquals(pick(page, "Size").some((size) => Number(size) > MIB), false);
});

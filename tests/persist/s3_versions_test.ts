/** Versions survive a restart; a folder from before versions is migrated. */
import { assertEquals } from "@std/assert";
import { copyFolder, noise, scratch } from "../support/files.ts";
import { pick, startStore, type Store } from "../support/s3.ts";
import { blobsIn, change, type Keeper, testDamages } from "./damage.ts";

function start(folder: string, options: Readonly<Record<string, unknown>> = {}): Promise<Store> {
  return startStore(options, { storage: { backend: "filesystem", path: folder } });
}

async function setVersioning(store: Store, status: string): Promise<void> {
  const body = `<VersioningConfiguration><Status>${status}</Status></VersioningConfiguration>`;
  await store.text("PUT", "/box?versioning", 200, { body });
}

/** Everything readable about the versions: the listing, and the bytes of each. */
async function look(store: Store): Promise<unknown> {
  const text = await store.text("GET", "/box?versions", 200);
  const found = [...text.matchAll(/<Version>(.*?)<\/Version>/gs)].map(([, inner]) => inner!);
  const bodies = await Promise.all(
    found.map((inner) =>
      store.text("GET", `/box/${pick(inner, "Key")}?versionId=${pick(inner, "VersionId")}`, 200)
    ),
  );
  const keys = pick(await store.text("GET", "/box?list-type=2", 200), "Key");
  const { stats } = await store.service.getJson<{ stats: unknown }>("/s3/buckets");
  return { list: text, bodies, keys, stats };
}

Deno.test("a folder from before versions opens, and accepts versions", async () => {
  await using folder = await scratch();
  const fixture = new URL("../fixtures/s3_catalog_2/", import.meta.url).pathname;
  await copyFolder(fixture, `${folder.path}/s3`);
  {
    await using store = await start(folder.path);
    assertEquals(pick(await store.text("GET", "/box?cors", 200), "AllowedOrigin"), ["*"]);
    assertEquals(pick(await store.text("GET", "/box?uploads", 200), "Key"), ["m"]);
    assertEquals(await store.text("GET", "/box/b", 200), "Other");
    await setVersioning(store, "Enabled");
    await store.text("PUT", "/box/a", 200, { body: "new" });
    await store.text("DELETE", "/box/b", 204);
  }
  await using store = await start(folder.path);
  assertEquals(await store.text("GET", "/box/a", 200), "new");
  assertEquals(await store.code("GET", "/box/b"), "404 NoSuchKey");
  const before = await store.send("GET", "/box/a?versionId=null");
  const { headers } = before;
  assertEquals([await before.text(), headers.get("x-amz-meta-colour")], ["Hello", "blue"]);
  assertEquals(headers.get("x-amz-tagging-count"), "1");
});

Deno.test("versions, delete markers and the versioning state survive a restart", async () => {
  await using folder = await scratch();
  await using store = await start(folder.path);
  const random = [...noise(3000, 7)].values();
  const next = (most: number) => random.next().value! % most;
  const ids: string[] = [];
  const run = async () => {
    const key = `k${next(4)}`;
    const action = next(10);
    if (action < 4) {
      const response = await store.send("PUT", `/box/${key}`, { body: `${key} ${ids.length}` });
      await response.body?.cancel();
      ids.push(`${key}?versionId=${response.headers.get("x-amz-version-id") ?? "null"}`);
    } else if (action < 6) await store.text("DELETE", `/box/${key}`, 204);
    else if (action < 9 && ids.length > 0) {
      await store.text("DELETE", `/box/${ids[next(ids.length)]}`, 204);
    } else await setVersioning(store, next(3) === 0 ? "Suspended" : "Enabled");
  };
  await store.text("PUT", "/box/k0", 200, { body: "before" });
  await setVersioning(store, "Enabled");
  for (let count = 0; count < 150; count++) await run();
  const before = await look(store);
  const { bodies } = before as { readonly bodies: readonly string[] };
  assertEquals(new Set(bodies).size, bodies.length);
  assertEquals(blobsIn(`${folder.path}/s3`).length, bodies.length);
  await store[Symbol.asyncDispose]();
  await using again = await start(folder.path);
  assertEquals(await look(again), before);
  // The next version is newer than all stored ones.
  await setVersioning(again, "Enabled");
  await again.text("PUT", "/box/k0", 200, { body: "last" });
  assertEquals(await again.text("GET", "/box/k0", 200), "last");
  // Emptying the store leaves nothing behind.
  const url = `${again.service.api.url}/api/v1/s3/buckets`;
  assertEquals((await fetch(url, { method: "DELETE" })).status, 204);
  assertEquals(blobsIn(`${folder.path}/s3`), []);
});

const STORE: Keeper = {
  name: "the store with versions",
  folder: "s3",
  start,
  async fill(folder) {
    await using store = await start(folder);
    await setVersioning(store, "Enabled");
    await store.text("PUT", "/box/a", 200, { body: "one" });
    await store.text("PUT", "/box/a", 200, { body: "two" });
    await store.text("DELETE", "/box/a", 204);
  },
};

testDamages(STORE, [
  ["a version in an unversioned bucket", "not in a bucket that has versions", (folder) => {
    change(folder, 'UPDATE bucket SET about = \'{"region":""}\'');
  }],
  ["an invalid versioning state", "versioning", (folder) => {
    change(folder, 'UPDATE bucket SET about = \'{"region":"","versioning":"Off"}\'');
  }],
  ["an id of another place", "version", (folder) => {
    change(folder, "UPDATE version SET id = '00000000000a' || substr(id, 13)");
  }],
  ["a duplicate version", "twice", (folder) => {
    change(folder, "UPDATE version SET id = 'null'");
  }],
  ["a version whose bytes are missing", "version of", (folder) => {
    change(folder, "UPDATE version SET blob = 'none' WHERE blob IS NOT NULL");
  }],
]);

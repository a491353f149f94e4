import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { DatabaseSync } from "node:sqlite";
import { PROGRAM_PERMISSIONS } from "../../scripts/permissions.ts";
import { ConfigError } from "../../core/errors.ts";
import { clientTest } from "../support/clients.ts";
import { noise, scratch } from "../support/files.ts";
import { FREE_PORTS, type Program, startProgram } from "../support/program.ts";
import {
  begin,
  callsTo,
  completion,
  listedCompletion,
  pick,
  sendPart,
  startStore,
  type Store,
  type StoreCalls,
} from "../support/s3.ts";
import { blobsIn, change, COMMON_DAMAGES, type Keeper, testDamages, testSweep } from "./damage.ts";
import { numberFrom } from "../support/settings.ts";

function start(folder: string, options: Readonly<Record<string, unknown>> = {}): Promise<Store> {
  return startStore({ min_part_bytes: 0, ...options }, {
    storage: { backend: "filesystem", path: folder },
  });
}

/** Leaves a folder with object `a` of 1000 bytes and an upload of `m` with one part of 10 in it. */
async function fill(folder: string): Promise<void> {
  await using store = await start(folder);
  await store.text("PUT", "/box/a", 200, { body: noise(1000) });
  const id = await begin(store, "/box/m");
  await sendPart(store, `/box/m?uploadId=${id}&partNumber=1`, noise(10));
}

async function bytesOf(store: StoreCalls, place: string): Promise<Uint8Array> {
  const response = await store.send("GET", place);
  const bytes = await response.bytes();
  assertEquals(response.status, 200, new TextDecoder().decode(bytes));
  return bytes;
}

/** Headers of a HEAD response, without those that differ every time. */
async function headOf(store: StoreCalls, place: string): Promise<Record<string, string>> {
  const response = await store.send("HEAD", place, {
    headers: { "x-amz-checksum-mode": "ENABLED" },
  });
  const { date: _, "x-amz-request-id": __, ...rest } = Object.fromEntries(response.headers);
  return rest;
}

Deno.test("buckets, objects and their metadata survive a restart", async () => {
  await using folder = await scratch();
  const keys = ["a/../b", "//", "ü ☃ 𝄞", "a\0b", "%2F", "k".repeat(1024)];
  const region = "<CreateBucketConfiguration><LocationConstraint>eu-west-1</LocationConstraint>" +
    "</CreateBucketConfiguration>";
  let before: unknown;
  const look = async (store: Store) => ({
    heads: await Promise.all(
      [...keys.map((key) => `/far/${encodeURIComponent(key)}`), "/far/copy", "/box/whole"].map(
        (place) => headOf(store, place),
      ),
    ),
    acls: await Promise.all(
      ["/far?acl", `/far/${encodeURIComponent(keys[0]!)}?acl`].map((place) =>
        store.text("GET", place, 200)
      ),
    ),
    list: await store.text("GET", "/far?list-type=2&encoding-type=url", 200),
    buckets: await store.text("GET", "/", 200),
    location: await store.text("GET", "/far?location", 200),
    api: await store.service.getJson("/s3/buckets/far/objects"),
    stats: await store.service.getJson("/s3/buckets"),
  });
  {
    await using store = await start(folder.path);
    const bucketAcl = { "x-amz-acl": "public-read" };
    await store.text("PUT", "/far", 200, { body: region, headers: bucketAcl });
    for (const [index, key] of keys.entries()) {
      await store.text("PUT", `/far/${encodeURIComponent(key)}`, 200, {
        body: noise(index * 100_000, index),
        headers: {
          "content-type": "text/plain",
          "content-language": "de",
          expires: "whenever",
          "x-amz-meta-name": "caf\u00c3\u00a9",
          "x-amz-meta-empty": "",
          "x-amz-acl": "authenticated-read",
        },
      });
    }
    const source = `far/${encodeURIComponent(keys[2]!)}`;
    await store.text("PUT", "/far/copy", 200, {
      headers: { "x-amz-copy-source": source, "x-amz-checksum-algorithm": "SHA256" },
    });
    await store.text("PUT", "/box/whole", 200, { body: "" });
    before = await look(store);
  }
  await using store = await start(folder.path);
  assertEquals(await look(store), before);
  assertEquals(store.service.events.list({}), []);
  for (const [index, key] of keys.entries()) {
    const bytes = await bytesOf(store, `/far/${encodeURIComponent(key)}`);
    assertEquals(bytes, noise(index * 100_000, index));
  }
  const part = await store.send("GET", "/far/copy", { headers: { range: "bytes=100000-100099" } });
  assertEquals(await part.bytes(), noise(200_000, 2).slice(100_000, 100_100));
});

Deno.test("an upload continues after a restart, and a repeated completion gets the same answer", async () => {
  await using folder = await scratch();
  let place: string;
  let one: string;
  {
    await using store = await start(folder.path);
    const headers = {
      "content-type": "text/plain",
      "x-amz-meta-colour": "blue",
      "x-amz-checksum-algorithm": "CRC32",
    };
    place = `/box/m?uploadId=${await begin(store, "/box/m", headers)}`;
    await sendPart(store, `${place}&partNumber=2`, "gone");
    one = await sendPart(store, `${place}&partNumber=2`, noise(70_000));
  }
  let done: string;
  let body: string;
  {
    await using store = await start(folder.path);
    assertEquals(pick(await store.text("GET", place, 200), "ETag"), [
      one.replaceAll('"', "&quot;"),
    ]);
    await sendPart(store, `${place}&partNumber=3`, noise(5, 3));
    body = await listedCompletion(store, place);
    done = await store.text("POST", place, 200, { body });
    assertEquals(pick(done, "ChecksumType"), ["COMPOSITE"]);
    assertEquals(blobsIn(`${folder.path}/s3`).length, 1);
  }
  await using store = await start(folder.path);
  assertEquals(
    (await store.text("POST", place, 200, { body })).replace(/<Location>.*<\/Location>/, ""),
    done.replace(/<Location>.*<\/Location>/, ""),
  );
  assertEquals(await bytesOf(store, "/box/m"), new Uint8Array([...noise(70_000), ...noise(5, 3)]));
  const second = await store.send("GET", "/box/m?partNumber=2");
  assertEquals([await second.bytes(), second.headers.get("x-amz-mp-parts-count")], [
    noise(5, 3),
    "2",
  ]);
  assertEquals(second.headers.get("x-amz-meta-colour"), "blue");
});

Deno.test("bytes are removed with the last object or part that refers to them", async () => {
  await using folder = await scratch();
  await fill(folder.path);
  {
    await using store = await start(folder.path);
    await store.text("PUT", "/box/copy", 200, { headers: { "x-amz-copy-source": "box/a" } });
    await store.text("DELETE", "/box/a", 204);
  }
  {
    await using store = await start(folder.path);
    assertEquals(await bytesOf(store, "/box/copy"), noise(1000));
    assertEquals(blobsIn(`${folder.path}/s3`).length, 2);
    await store.text("PUT", "/box/copy", 200, { body: "other" });
    assertEquals(blobsIn(`${folder.path}/s3`).length, 2);
    const [id] = pick(await store.text("GET", "/box?uploads", 200), "UploadId");
    await store.text("DELETE", `/box/m?uploadId=${id}`, 204);
    await store.text("DELETE", "/box/copy", 204);
    assertEquals(blobsIn(`${folder.path}/s3`), []);
  }
});

Deno.test("a key that is overwritten repeatedly always exists, whole", async () => {
  await using folder = await scratch();
  await using store = await start(folder.path);
  const put = (length: number) => store.text("PUT", "/box/a", 200, { body: noise(length, length) });
  await put(1);
  const reads: Promise<Uint8Array>[] = [];
  for (let length = 2; length < 100; length++) {
    for (let i = 0; i < 5; i++) reads.push(bytesOf(store, "/box/a"));
    await put(length * 1000);
  }
  for (const bytes of await Promise.all(reads)) {
    assertEquals(bytes, noise(bytes.length, bytes.length));
  }
  assertEquals(blobsIn(`${folder.path}/s3`).length, 1);
});

Deno.test("emptying the store empties the folder", async () => {
  await using folder = await scratch();
  await fill(folder.path);
  {
    await using store = await start(folder.path, { buckets: [] });
    const url = `${store.service.api.url}/api/v1/s3/buckets`;
    assertEquals((await fetch(url, { method: "DELETE" })).status, 204);
    assertEquals(blobsIn(`${folder.path}/s3`), []);
  }
  await using store = await start(folder.path, { buckets: [] });
  const { stats } = await store.service.getJson<{ stats: Record<string, number> }>("/s3/buckets");
  assertEquals(Object.values(stats).filter((count) => count !== 0), []);
});

Deno.test("a start recreates deleted configured buckets, and leaves existing ones alone", async () => {
  await using folder = await scratch();
  {
    await using store = await start(folder.path, { buckets: ["box", "other"] });
    await store.text("PUT", "/box/a", 200, { body: "Hello" });
    await store.text("DELETE", "/other", 204);
  }
  await using store = await start(folder.path, { buckets: ["box", "other"] });
  assertEquals(pick(await store.text("GET", "/", 200), "Name"), ["box", "other"]);
  assertEquals(await store.text("GET", "/box/a", 200), "Hello");
  assertEquals(store.service.events.list({}), []);
});

Deno.test("the plugin can store its state elsewhere, or not at all", async () => {
  await using folder = await scratch();
  const storage = {
    backend: "filesystem",
    path: `${folder.path}/all`,
    plugins: { s3: { path: `${folder.path}/own` } },
  };
  {
    await using store = await startStore({}, { storage });
    await store.text("PUT", "/box/a", 200, { body: "Hello" });
  }
  assertEquals(blobsIn(`${folder.path}/own/s3`).length, 1);
  {
    const plugins = { s3: { backend: "memory" } };
    await using store = await startStore({}, { storage: { ...storage, plugins } });
    assertEquals(await store.code("GET", "/box/a"), "404 NoSuchKey");
  }
  await using store = await startStore({}, { storage });
  assertEquals(await store.text("GET", "/box/a", 200), "Hello");
});

/** Changes the JSON of a table. */
function about(table: string, path: string, value: string): (folder: string) => void {
  return (folder) =>
    change(folder, `UPDATE ${table} SET about = json_set(about, '${path}', ${value})`);
}

const STORE: Keeper = { name: "the store", folder: "s3", fill, start };

testSweep(STORE);

testDamages(STORE, [
  ...COMMON_DAMAGES,
  ["a name that no bucket may have", "..", (folder) => {
    change(folder, "UPDATE bucket SET name = '../box'; UPDATE object SET bucket = '../box'");
  }],
  ["an object without a bucket", "in no bucket", (folder) => {
    change(folder, "DELETE FROM bucket");
  }],
  ["a part without an upload", "has no upload", (folder) => change(folder, "DELETE FROM upload")],
  ["a key that is not UTF-8", "not UTF-8", (folder) => {
    change(folder, "UPDATE object SET key = x'ff'");
  }],
  ["a row that is not JSON", "not JSON", (folder) => {
    change(folder, "UPDATE object SET about = '{'");
  }],
  ["an invalid time", "time", (folder) => {
    change(folder, "UPDATE object SET modified_ms = 9e99");
  }],
  ["an invalid entity tag", "etag", about("object", "$.etag", "'x'")],
  ["a checksum that is unknown", "algorithm", about("part", "$.checksums.crc5", "'x'")],
  ["invalid headers", "header field", about("object", "$.metadata.a", "'x\ny'")],
  ["an upload without a key", "key", about("upload", "$.key", "1")],
  ["a setting without a bucket", "has no bucket", (folder) => {
    change(folder, "INSERT INTO setting VALUES ('none', 'cors', '{}')");
  }],
  ["an invalid setting", "cannot be read", (folder) => {
    change(folder, "INSERT INTO setting VALUES ('box', 'cors', '{}')");
  }],
  ["an invalid ACL", "acl", about("object", "$.acl", "'public'")],
]);

Deno.test("a second store on the same folder is refused, and the first one continues", async () => {
  await using folder = await scratch();
  await using store = await start(folder.path);
  const error = await assertRejects(() => start(folder.path), ConfigError);
  assertMatch(error.message, /another process uses it/);
  await store.text("PUT", "/box/a", 200, { body: "x" });
});

/** Address of the object store. */
async function storeOf(program: Program): Promise<StoreCalls> {
  const response = await fetch(`${program.urls.ui}/api/v1/plugins`);
  const plugins: { name: string; providers: { url: string }[] }[] = await response.json();
  return callsTo(plugins.find(({ name }) => name === "s3")!.providers[0]!.url);
}

/** Rounds of the test below; more of them by hand. */
const ROUNDS = numberFrom("KILL_ROUNDS", 4);

/**
 * Acknowledged state of the clients of the test below, and state that may exist without a response.
 */
interface Told {
  /** Possible bodies of each place: two while an overwrite is unanswered. */
  readonly objects: Map<string, readonly Uint8Array[]>;
  /** Places with `uploadId`, and the ETags of the accepted parts. */
  readonly uploads: Map<string, Map<number, string>>;
}

Deno.test("acknowledged changes of the store survive kill -9", async () => {
  await using folder = await scratch();
  const config = `${folder.path}/standin.toml`;
  await Deno.writeTextFile(
    config,
    "[plugins.s3.providers.http]\nbuckets = ['box']\nmin_part_bytes = 0\n",
  );
  const args = ["serve", "-c", config, ...FREE_PORTS, "--persist", `${folder.path}/kept`];
  const told: Told = { objects: new Map(), uploads: new Map() };
  for (let round = 0; round <= ROUNDS; round++) {
    const program = await startProgram({ args });
    const store = await storeOf(program);
    await checkTold(store, told, `round ${round}`);
    if (round === ROUNDS) {
      await program.stop();
      break;
    }
    const load = [0, 1, 2, 3].map((client) => work(store, `/box/r${round}c${client}`, told));
    const killed = new Promise<void>((resolve) => setTimeout(resolve, 100 + Math.random() * 300))
      .then(() => program.stop("SIGKILL"));
    await Promise.all([killed, ...load]);
  }
  assertEquals(blobsIn(`${folder.path}/kept/s3`), namedIn(`${folder.path}/kept`));
  assert(told.objects.size > 0);
});

/** Ids of the blobs that the catalog names. */
function namedIn(folder: string): string[] {
  using database = new DatabaseSync(`${folder}/s3/catalog.db`);
  const rows = database.prepare("SELECT blob FROM object UNION SELECT blob FROM part").all();
  return rows.map(({ blob }) => String(blob)).sort();
}

async function checkTold(store: StoreCalls, told: Told, round: string): Promise<void> {
  for (const [place, bodies] of told.objects) {
    const bytes = await bytesOf(store, place);
    const same = bodies.find(({ length }) => length === bytes.length);
    assertEquals(bytes, same, `${place} in ${round}`);
    told.objects.set(place, [bytes]);
  }
  const keys = pick(await store.text("GET", "/box?list-type=2", 200), "Key");
  const unsure = keys.filter((key) => !told.objects.has(`/box/${key}`));
  // At most the last change of each of the four clients was not acknowledged.
  assert(unsure.length <= 4, `${unsure.length} objects that nobody was told of`);
  for (const key of unsure) await store.text("DELETE", `/box/${key}`, 204);
  for (const [place, parts] of told.uploads) {
    const [key = ""] = place.split("?");
    const response = await store.send("POST", place, { body: completion([...parts]) });
    const text = await response.text();
    // Or again, if the unanswered request had completed it.
    assertEquals(response.status, 200, `${place}: ${text}`);
    await store.text("DELETE", key, 204);
  }
  told.uploads.clear();
}

/**
 * Puts, copies, uploads in parts and deletes until the connection breaks; records acknowledged
 * changes.
 */
async function work(store: StoreCalls, prefix: string, told: Told): Promise<void> {
  try {
    await overwrite(store, { place: `${prefix}-same`, length: 100, told });
    for (let i = 0;; i++) {
      const place = `${prefix}-${i}`;
      const bytes = noise(1 + i * 997 % 50_000, i);
      await overwrite(store, { place: `${prefix}-same`, length: 101 + i, told });
      if (i % 4 === 1) {
        await uploadParts(store, { place, bytes, told });
        continue;
      }
      await store.text("PUT", place, 200, { body: bytes });
      told.objects.set(place, [bytes]);
      if (i % 4 === 2) {
        const headers = { "x-amz-copy-source": place };
        await store.text("PUT", `${place}.copy`, 200, { headers });
        told.objects.set(`${place}.copy`, [bytes]);
      } else if (i % 4 === 3) {
        told.objects.delete(place);
        await store.text("DELETE", place, 204);
      }
    }
  } catch (error) {
    // The program was killed; anything else is a fault.
    if (!(error instanceof TypeError)) throw error;
  }
}

async function overwrite(
  store: StoreCalls,
  { place, length, told }: { place: string; length: number; told: Told },
): Promise<void> {
  const bytes = noise(length, length);
  const old = told.objects.get(place);
  if (old !== undefined) told.objects.set(place, [...old, bytes]);
  await store.text("PUT", place, 200, { body: bytes });
  told.objects.set(place, [bytes]);
}

async function uploadParts(
  store: StoreCalls,
  { place, bytes, told }: { place: string; bytes: Uint8Array<ArrayBuffer>; told: Told },
): Promise<void> {
  const at = `${place}?uploadId=${await begin(store, place)}`;
  const parts = new Map<number, string>();
  const half = bytes.length >> 1;
  parts.set(1, await sendPart(store, `${at}&partNumber=1`, bytes.subarray(0, half)));
  told.uploads.set(at, parts);
  parts.set(2, await sendPart(store, `${at}&partNumber=2`, bytes.subarray(half)));
  await store.text("POST", at, 200, { body: completion([...parts]) });
  told.uploads.delete(at);
  told.objects.set(place, [bytes]);
}

/** Largest file that the program may write, in units of 512 bytes. */
const LIMIT_BLOCKS = 400;

clientTest(
  "a full disk loses nothing that the store acknowledged",
  ["sh"],
  async (
    { sh },
  ) => {
    await using folder = await scratch();
    const config = `${folder.path}/standin.toml`;
    await Deno.writeTextFile(config, "[plugins.s3.providers.http]\nbuckets = ['box']\n");
    const serve = ["serve", "-c", config, ...FREE_PORTS, "--persist", `${folder.path}/kept`];
    const main = new URL("../../main.ts", import.meta.url).pathname;
    const run = ["run", "--quiet", "--no-check", "--no-code-cache", ...PROGRAM_PERMISSIONS, main];
    const limited = `trap '' XFSZ; ulimit -f ${LIMIT_BLOCKS}; exec "$@"`;
    const kept: string[] = [];
    {
      await using program = await startProgram({
        compiled: sh,
        args: ["-c", limited, "sh", Deno.execPath(), ...run, ...serve],
      });
      const store = await storeOf(program);
      const body = noise(LIMIT_BLOCKS * 512 + 1);
      assertEquals(await store.code("PUT", "/box/long", { body }), "503 ServiceUnavailable");
      const at = `/box/m?uploadId=${await begin(store, "/box/m")}&partNumber=1`;
      assertEquals(await store.code("PUT", at, { body }), "503 ServiceUnavailable");
      // Until the catalog's log has reached the limit, too.
      for (let i = 0;; i++) {
        const code = await store.code("PUT", `/box/${i}`, { body: String(i) });
        if (code !== "200") {
          assertEquals(code, "503 ServiceUnavailable");
          break;
        }
        kept.push(String(i));
        assert(i < 10_000, "The limit never shows");
      }
      // Operations that free space still work: the log is checkpointed first.
      await store.text("DELETE", `/box/${kept.shift()}`, 204);
      for (const key of kept) assertEquals(await store.text("GET", `/box/${key}`, 200), key);
      await program.stop("SIGKILL");
    }
    await using program = await startProgram({ args: serve });
    const store = await storeOf(program);
    const listed = pick(await store.text("GET", "/box?max-keys=1000", 200), "Key");
    assertEquals(listed, kept.toSorted());
    for (const key of kept) assertEquals(await store.text("GET", `/box/${key}`, 200), key);
  },
);

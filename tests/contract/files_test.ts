/** One suite for every protocol of the files plugin: the same bytes, tree, events and refusals. */
import { assertEquals, assertRejects } from "@std/assert";
import { openCatalog } from "../../core/persist/catalog.ts";
import { MAX_FILE_BYTES } from "../../plugins/files/vfs/draft.ts";
import { TREE_SCHEMA } from "../../plugins/files/vfs/store.ts";
import { MAX_ENTRIES, MAX_NODES } from "../../plugins/files/vfs/tree_nodes.ts";
import {
  type Driver,
  type FileClient,
  type Reason,
  Refused,
  toBytes,
} from "../support/drivers/driver.ts";
import { DRIVERS } from "../support/drivers/mod.ts";
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
import type { TestService } from "../support/service.ts";

function start(driver: Driver, storage: Readonly<Record<string, unknown>> = {}) {
  return startFiles({ [driver.id]: driver.settings ?? {} }, { storage });
}

/** Returns the events once there are as many as expected: some protocols complete an upload after a quiet period. */
async function happened(service: TestService, expected: readonly string[]): Promise<void> {
  await until(() => operations(service).length >= expected.length).catch(() => {});
  assertEquals(operations(service), expected);
}

async function refused(driver: Driver, reason: Reason, work: Promise<unknown>): Promise<void> {
  const error = await assertRejects(() => work, Refused);
  assertEquals(error.code, driver.codes[reason], `${reason}: ${error.message}`);
}

for (const driver of DRIVERS) {
  Deno.test(`files (${driver.id}): an upload reads back through the protocol and the API`, async () => {
    await using service = await start(driver);
    await using client = await driver.open(service);
    const expected: string[] = [];
    for (const size of [0, 1, 511, 512, 513, 65_536, 1024 * 1024]) {
      const path = `/${size}.bin`;
      await client.put(path, noise(size, size + 1));
      expected.push(`upload ${path}`);
      await happened(service, expected);
      assertEquals(await content(service, path), noise(size, size + 1));
      assertEquals(await client.get(path), noise(size, size + 1));
      if (client.stat) assertEquals(await client.stat(path), { dir: false, size });
    }
    const { provider, payload } = fileEvents(service).at(-1)!;
    assertEquals([provider, payload.provider, payload.size], [driver.id, driver.id, 1024 * 1024]);
    const blob = await fetch(`${service.api.url}/api/v1/blobs/${payload.blob!.id}`);
    assertEquals(await blob.bytes(), noise(1024 * 1024, 1024 * 1024 + 1));
  });

  Deno.test(`files (${driver.id}): an overwrite replaces the whole file`, async () => {
    await using service = await start(driver);
    await using client = await driver.open(service);
    await client.put("/a", noise(100_000));
    await client.put("/a", noise(10, 2));
    await happened(service, ["upload /a", "upload /a"]);
    assertEquals(await content(service, "/a"), noise(10, 2));
    const { stats } = await service.getJson<{ stats: unknown }>("/files/tree");
    assertEquals(stats, { files: 1, dirs: 0, bytes: 10 });
  });

  Deno.test(`files (${driver.id}): directories above an upload`, async () => {
    await using service = await start(driver);
    await using client = await driver.open(service);
    const put = client.put("/a/b/c", noise(10));
    if (!driver.makesParents) {
      await refused(driver, "missing", put);
      return assertEquals(operations(service), []);
    }
    await put;
    await happened(service, ["mkdir /a/b", "upload /a/b/c"]);
    assertEquals(await paths(service), ["/a", "/a/b", "/a/b/c"]);
  });

  Deno.test(`files (${driver.id}): an abandoned upload leaves neither file nor event`, async () => {
    await using service = await start(driver);
    {
      await using client = await driver.open(service);
      await client.put("/old", noise(1000));
      await happened(service, ["upload /old"]);
    }
    for (const path of ["/old", "/new"]) {
      await using client = await driver.open(service);
      await client.abandon(path, noise(200_000, 2));
    }
    await using client = await driver.open(service);
    await client.put("/last", noise(10));
    await happened(service, ["upload /old", "upload /last"]);
    assertEquals(await paths(service), ["/last", "/old"]);
    assertEquals(await content(service, "/old"), noise(1000));
  });

  Deno.test(`files (${driver.id}): hostile paths stay inside the tree or are refused`, async () => {
    await using service = await start(driver);
    await using client = await driver.open(service);
    await client.put("../../up", noise(3));
    const expected = ["upload /up"];
    if (driver.backslashSeparates) {
      await client.put("..\\..\\etc\\passwd", noise(3));
      expected.push("mkdir /etc", "upload /etc/passwd");
    } else await refused(driver, "badPath", client.put("a\\b", noise(3)));
    const hostile = [
      ...["nul\0nul", "line\nline", "line\rline", "bell\x07", "del\x7f"].map(toBytes),
      toBytes("n".repeat(256)),
      toBytes("é".repeat(128)),
      // A client that creates every directory itself does not get that far.
      ...(driver.makesParents ? ["d/".repeat(32), `${"n".repeat(255)}/`.repeat(16)] : [])
        .map((dirs) => toBytes(`${dirs}f`)),
    ];
    for (const path of hostile.filter((path) => driver.canSend(path))) {
      await refused(driver, "badPath", client.put(path, noise(3)));
    }
    // Invalid text, or text longer than any path, may be refused before it is parsed as a path.
    const garbled = [
      Uint8Array.of(0x61, 0xfe, 0x62),
      // A surrogate, and an overlong slash.
      Uint8Array.of(0xed, 0xa0, 0x80),
      Uint8Array.of(0xc0, 0xaf),
      toBytes("n".repeat(5000)),
    ];
    for (const path of garbled) await assertRejects(() => client.put(path, noise(3)), Refused);
    await client.put("n".repeat(255), noise(3));
    expected.push(`upload /${"n".repeat(255)}`);
    await happened(service, expected);
    assertEquals((await paths(service)).length, expected.length);
  });

  Deno.test(`files (${driver.id}): missing files, directories and oversized files are refused`, async () => {
    await using service = await start(driver);
    await using client = await driver.open(service);
    await refused(driver, "missing", client.get("/nope"));
    await client.put("/f", noise(3));
    if (driver.makesParents) {
      await client.put("/d/f", noise(3));
      await refused(driver, "directory", client.get("/d"));
      await refused(driver, "directory", client.put("/d", noise(3)));
      const { code } = await assertRejects(() => client.put("/f/x", noise(3)), Refused);
      assertEquals([driver.codes.directory, driver.codes.missing].includes(code), true);
    }
    const before = operations(service);
    await refused(driver, "tooLarge", client.put("/big", new Uint8Array(MAX_FILE_BYTES + 1)));
    await refused(driver, "tooLarge", client.put("/f", new Uint8Array(MAX_FILE_BYTES + 1)));
    assertEquals(operations(service), before);
    assertEquals(await content(service, "/f"), noise(3));
    assertEquals((await paths(service)).includes("/big"), false);
  });

  Deno.test(`files (${driver.id}): a file of the maximum size is accepted`, async () => {
    await using service = await start(driver);
    await using client = await driver.open(service);
    const bytes = new Uint8Array(MAX_FILE_BYTES).fill(7);
    await client.put("/big", bytes);
    await happened(service, ["upload /big"]);
    assertEquals(same(await client.get("/big"), bytes), true);
  });

  Deno.test(`files (${driver.id}): fifty concurrent clients do not interfere`, async () => {
    await using service = await start(driver);
    const clients = await Promise.all(Array.from({ length: 50 }, () => driver.open(service)));
    try {
      await Promise.all(clients.map(async (client, i) => {
        await client.put(`/${i}`, noise(20_000 + i, i + 1));
        await client.put("/same", noise(1000, i + 1));
        assertEquals(same(await client.get(`/${i}`), noise(20_000 + i, i + 1)), true);
      }));
      for (let i = 0; i < clients.length; i++) {
        assertEquals(same(await content(service, `/${i}`), noise(20_000 + i, i + 1)), true);
      }
      // Whichever wins, it is one complete file.
      const last = await content(service, "/same");
      assertEquals(clients.some((_, i) => same(last, noise(1000, i + 1))), true);
      assertEquals((await paths(service)).length, 51);
    } finally {
      await Promise.all(clients.map((client) => client[Symbol.asyncDispose]()));
    }
  });

  Deno.test(`files (${driver.id}): the client learns of a full store, and everything else continues`, async () => {
    await using service = await start(driver, { blob_limit: 1000 });
    await using client = await driver.open(service);
    await client.put("/first", noise(600));
    await happened(service, ["upload /first"]);
    await refused(driver, "full", client.put("/second", noise(600)));
    await client.put("/third", noise(300));
    await happened(service, ["upload /first", "upload /third"]);
    assertEquals(await paths(service), ["/first", "/third"]);
  });

  Deno.test(`files (${driver.id}): a full directory and a full tree accept no more entries`, async () => {
    await using folder = await scratch();
    fillTree(folder.path);
    await using service = await start(driver, { backend: "filesystem", path: folder.path });
    await using client = await driver.open(service);
    await refused(driver, "full", client.put("/f0/x", noise(3)));
    await refused(driver, "full", client.put("/x", noise(3)));
    await fetch(`${service.api.url}/api/v1/files/content/f1/1`, { method: "DELETE" });
    await refused(driver, "full", client.put("/f0/x", noise(3)));
    await client.put("/f1/x", noise(3));
    await happened(service, ["delete /f1/1", "upload /f1/x"]);
    await refused(driver, "full", client.put("/f1/y", noise(3)));
  });

  tell(driver, "directories are created, listed and deleted", ["mkdir", "list", "stat", "rmdir"], {
    async play({ client, service }) {
      await client.mkdir!("/d");
      await client.mkdir!("/d/é ü");
      await refused(driver, "exists", client.mkdir!("/d"));
      await client.put("/d/f", noise(5));
      assertEquals(await client.list!("/"), ["d"]);
      assertEquals(await client.list!("/d"), ["f", "é ü"]);
      assertEquals(await client.list!("/d/é ü"), []);
      assertEquals((await client.stat!("/d")).dir, true);
      await refused(driver, "missing", client.list!("/nope"));
      await refused(driver, "missing", client.stat!("/nope"));
      await refused(driver, "notEmpty", client.rmdir!("/d"));
      await client.rmdir!("/d/é ü");
      await refused(driver, "missing", client.rmdir!("/d/é ü"));
      await happened(service, ["mkdir /d", "mkdir /d/é ü", "upload /d/f", "delete /d/é ü"]);
    },
  });

  tell(driver, "reads and uploads can resume at an offset", ["getFrom", "putFrom"], {
    async play({ client, service }) {
      const bytes = noise(300_000);
      await client.put("/a", bytes.subarray(0, 100_000));
      await client.putFrom!("/a", 100_000, bytes.subarray(100_000));
      assertEquals(await content(service, "/a"), bytes);
      assertEquals(await client.getFrom!("/a", 299_990), bytes.slice(299_990));
      assertEquals(await client.getFrom!("/a", 300_000), new Uint8Array());
      await happened(service, ["upload /a", "upload /a"]);
    },
  });

  tell(driver, "files and directories are renamed", ["mkdir", "rename", "list"], {
    async play({ client, service }) {
      await client.mkdir!("/d");
      await client.mkdir!("/d/sub");
      await client.put("/d/sub/f", noise(5));
      await client.put("/g", noise(6));
      await client.put("/h", noise(7));
      await happened(service, [
        ...["mkdir /d", "mkdir /d/sub"],
        ...["upload /d/sub/f", "upload /g", "upload /h"],
      ]);
      await client.rename!("/d", "/e");
      await client.rename!("/g", "/h");
      await refused(driver, "missing", client.rename!("/nope", "/x"));
      assertEquals(await paths(service), ["/e", "/e/sub", "/e/sub/f", "/h"]);
      assertEquals(await content(service, "/h"), noise(6));
      assertEquals(await client.get("/e/sub/f"), noise(5));
      await happened(service, [
        ...["mkdir /d", "mkdir /d/sub", "upload /d/sub/f", "upload /g", "upload /h"],
        ...["rename /d /e", "rename /g /h"],
      ]);
    },
  });

  tell(driver, "a tree is emptied entry by entry, or by the API at once", ["mkdir", "remove"], {
    async play({ client, service }) {
      for (const dir of ["/a", "/b"]) {
        await client.mkdir!(dir);
        await client.mkdir!(`${dir}/sub`);
        await client.put(`${dir}/sub/f`, noise(5));
      }
      const before = ["/a", "/b"].flatMap((dir) => [
        ...[`mkdir ${dir}`, `mkdir ${dir}/sub`],
        `upload ${dir}/sub/f`,
      ]);
      await happened(service, before);
      await client.remove!("/a/sub/f");
      await client.rmdir!("/a/sub");
      await client.rmdir!("/a");
      await refused(driver, "missing", client.remove!("/a/sub/f"));
      const url = `${service.api.url}/api/v1/files/content/b`;
      assertEquals((await remove(url)).status, 409);
      assertEquals((await remove(`${url}?recursive=1`)).status, 204);
      assertEquals(await paths(service), []);
      await refused(driver, "missing", client.get("/b/sub/f"));
      await happened(service, [
        ...before,
        ...["delete /a/sub/f", "delete /a/sub", "delete /a", "delete /b"],
      ]);
    },
  });
}

/** Adds a test for protocols that have these methods. */
function tell(
  driver: Driver,
  what: string,
  needs: readonly (keyof FileClient)[],
  { play }: { play(scene: { client: FileClient; service: TestService }): Promise<void> },
): void {
  if (!needs.every((need) => driver.methods.includes(need))) return;
  Deno.test(`files (${driver.id}): ${what}`, async () => {
    await using service = await start(driver);
    await using client = await driver.open(service);
    await play({ client, service });
  });
}

async function remove(url: string): Promise<Response> {
  const response = await fetch(url, { method: "DELETE" });
  await response.body?.cancel();
  return response;
}

/** Compares without the cost of a diff. */
function same(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

/** A tree with the maximum number of directories, and `/f0` with the maximum number of entries. */
function fillTree(folder: string): void {
  Deno.mkdirSync(`${folder}/files`);
  using catalog = openCatalog(`${folder}/files`, TREE_SCHEMA);
  const put =
    `INSERT INTO node (id, parent, name, dir, mtime_ms, provider, size, content_type, blob)
    VALUES (?, ?, ?, 1, 0, 'ftp', 0, '', '')`;
  catalog.transaction(() => {
    for (let made = 0, parent = 0, top = 0; made < MAX_NODES; made++) {
      const below = made % (MAX_ENTRIES + 1);
      if (below === 0) catalog.run(put, parent = made + 2, 1, `f${top++}`);
      else catalog.run(put, made + 2, parent, String(below));
    }
  });
}

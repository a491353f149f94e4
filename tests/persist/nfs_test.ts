import { DatabaseSync } from "node:sqlite";
import { assert, assertEquals, assertNotEquals, assertRejects } from "@std/assert";
import {
  content,
  fileEvents,
  isSame,
  noise,
  operations,
  scratch,
  startFiles,
  until,
} from "../support/files.ts";
import {
  happened,
  NfsClient,
  PATIENT,
  QUICK,
  refused,
  settings,
  UNSTABLE,
} from "../support/nfs.ts";
import { XdrWriter } from "../../plugins/files/nfs/codec/xdr.ts";
import { FREE_PORTS, listening, startProgram } from "../support/program.ts";
import type { TestService } from "../support/service.ts";

function start(folder: string, providers = PATIENT): Promise<TestService> {
  return startFiles(providers, { storage: { backend: "filesystem", path: folder } });
}

Deno.test("nfs: handles, modes and times survive a restart", async () => {
  await using folder = await scratch();
  let handles: { root: Uint8Array; dir: Uint8Array; file: Uint8Array; gone: Uint8Array };
  let verifier: string;
  {
    await using service = await start(folder.path);
    await using client = await NfsClient.open(service);
    const root = await client.mount();
    const dir = await client.mkdir(root, "d");
    const file = await client.create(dir, "a", { mode: 0o640 });
    await client.writeTo(file, noise(1000));
    const gone = await client.create(root, "gone");
    await client.remove(root, "gone");
    await client.rename([dir, "a"], [root, "b"]);
    const args = settings(new XdrWriter().opaque(file), { mtimeMs: 981_173_106_789 });
    await client.nfs("SETATTR", args.bool(false));
    verifier = await client.commit(file);
    handles = { root, dir, file, gone };
  }
  await using service = await start(folder.path);
  await using client = await NfsClient.open(service);
  const { root, dir, file, gone } = handles;
  assertEquals(await client.mount(), root);
  assertEquals(await client.lookup(root, "d"), dir);
  assertEquals(await client.lookup(root, "b"), file);
  assertEquals((await client.read(file, 0, 2000)).bytes, noise(1000));
  const { mode, mtimeMs } = await client.getattr(file);
  assertEquals([mode, mtimeMs], [0o640, 981_173_106_789]);
  await refused("STALE", client.getattr(gone));
  // Nothing created later is mistaken for a deleted object.
  await client.create(root, "new");
  await refused("STALE", client.getattr(gone));
  assertNotEquals(await client.commit(file), verifier);
});

Deno.test("nfs: another tree accepts none of the handles", async () => {
  await using one = await startFiles(PATIENT);
  await using two = await startFiles(PATIENT);
  await using client = await NfsClient.open(one);
  await using other = await NfsClient.open(two);
  await refused("STALE", other.getattr(await client.mount()));
});

Deno.test("nfs: committed bytes survive kill -9, and become an upload in the next process", async () => {
  await using folder = await scratch();
  const config = `${folder.path}/standin.toml`;
  await Deno.writeTextFile(config, "[plugins.files.providers.nfs]\nsettle_ms = 60000\n");
  const args = ["serve", ...FREE_PORTS, "--config", config, "--persist", `${folder.path}/kept`];
  const program = await startProgram({ args });
  const client = await NfsClient.open(await listening(program));
  const root = await client.mount();
  const committed = await client.create(root, "committed", { mode: 0o600 });
  await client.writeTo(committed, noise(300_000), { stable: UNSTABLE });
  const verifier = await client.commit(committed);
  const synced = await client.create(root, "synced");
  await client.writeTo(synced, noise(10, 2));
  const empty = await client.create(root, "empty");
  const lost = await client.create(root, "lost");
  await client.writeTo(lost, noise(1000, 3), { stable: UNSTABLE });
  const removed = await client.create(root, "removed");
  await client.writeTo(removed, noise(10));
  await client.remove(root, "removed");
  await program.stop("SIGKILL");
  await client.ended;
  client.abort();
  await using service = await start(`${folder.path}/kept`, PATIENT);
  {
    await using again = await NfsClient.open(service);
    assertEquals((await again.read(committed, 0, 400_000)).bytes, noise(300_000));
    assertEquals((await again.getattr(committed)).mode, 0o600);
    assertEquals((await again.read(synced, 0, 100)).bytes, noise(10, 2));
    assertEquals((await again.getattr(empty)).size, 0);
    await refused("STALE", again.getattr(removed));
    // Uncommitted bytes are lost; their file exists, so that the client can send them again.
    assertEquals((await again.getattr(lost)).size, 0);
    assertNotEquals(await again.commit(committed), verifier);
    await again.writeTo(lost, noise(1000, 3), { stable: UNSTABLE });
    await again.commit(lost);
  }
  assertEquals(operations(service), [
    ...["upload /committed", "upload /synced", "upload /empty", "upload /lost"],
  ]);
  await service.stop();
  await using third = await start(`${folder.path}/kept`);
  assertEquals(await content(third, "/committed"), noise(300_000));
  assertEquals(await content(third, "/lost"), noise(1000, 3));
  assertEquals(fileEvents(third), []);
});

/** Starts with events on disk, unless they are to be forgotten. */
function startKept(folder: string, events: "filesystem" | "memory" = "filesystem") {
  return startFiles(QUICK, { storage: { backend: "filesystem", path: folder, events } });
}

/** Changes the stored tree to what a kill at another moment leaves. */
function changeTree(folder: string, sql: string): void {
  const [path] = [...Deno.readDirSync(`${folder}/files`)].filter(({ name }) =>
    name === "catalog.db"
  );
  using database = new DatabaseSync(`${folder}/files/${path!.name}`);
  database.exec(sql);
}

const PROMISED_AGAIN = `INSERT INTO pending SELECT id, parent, name, 1, 0, mtime_ms, NULL, size,
  content_type, blob FROM node WHERE name = 'a'`;

Deno.test("nfs: an upload is captured once, at whatever moment the process is killed", async () => {
  await using folder = await scratch();
  {
    await using service = await startKept(folder.path);
    await using client = await NfsClient.open(service);
    const file = await client.create(await client.mount(), "a");
    await client.writeTo(file, noise(1000));
    await client.commit(file);
    await until(() => operations(service).length > 0);
  }
  const rows: readonly (readonly [killed: string, sql: string, events: "filesystem" | "memory"])[] =
    [
      ["after the event was captured", PROMISED_AGAIN, "filesystem"],
      [
        "after the event was captured, before the file was stored",
        `${PROMISED_AGAIN}; DELETE FROM node WHERE name = 'a'`,
        "filesystem",
      ],
      ["before the event was captured", PROMISED_AGAIN, "memory"],
    ];
  for (const [killed, sql, events] of rows) {
    changeTree(folder.path, sql);
    await using service = await startKept(folder.path, events);
    await until(async () => isSame(await content(service, "/a"), noise(1000)));
    assertEquals(operations(service), ["upload /a"], killed);
  }
  await using service = await startKept(folder.path, "memory");
  assertEquals(operations(service), []);
});

Deno.test("nfs: a file whose client does not return after kill -9 is dropped", async () => {
  await using folder = await scratch();
  const args = ["serve", ...FREE_PORTS, "--persist", folder.path];
  const program = await startProgram({ args });
  const client = await NfsClient.open(await listening(program));
  const root = await client.mount();
  const lost = await client.create(root, "lost");
  await client.writeTo(lost, noise(1000), { stable: UNSTABLE });
  await program.stop("SIGKILL");
  await client.ended;
  client.abort();
  const providers = { nfs: { settle_ms: 300, abandon_timeout: 1 } };
  await using service = await start(folder.path, providers);
  await using again = await NfsClient.open(service, { machine: "other" });
  const deadline = performance.now() + 5000;
  while (await again.getattr(lost).then(() => true, () => false)) {
    assert(performance.now() < deadline, "still there");
  }
  await again.writeTo(await again.create(root, "last"), noise(1));
  await happened(service, ["upload /last"]);
});

Deno.test("nfs: committed bytes that are missing stop the start", async () => {
  await using folder = await scratch();
  const args = ["serve", ...FREE_PORTS, "--persist", folder.path];
  const program = await startProgram({ args });
  const client = await NfsClient.open(await listening(program));
  await client.writeTo(await client.create(await client.mount(), "a"), noise(1000));
  await program.stop("SIGKILL");
  await client.ended;
  client.abort();
  for await (const { name } of Deno.readDir(`${folder.path}/files/blobs`)) {
    await Deno.remove(`${folder.path}/files/blobs/${name}`);
  }
  await assertRejects(() => start(folder.path, QUICK), Error, 'bytes of "a" are missing');
});

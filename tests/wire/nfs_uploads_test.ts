import { assertEquals, assertNotEquals } from "@std/assert";
import {
  content,
  fileEvents,
  isSame,
  noise,
  operations,
  paths,
  startFiles,
  until,
} from "../support/files.ts";
import { FtpClient } from "../support/ftp.ts";
import {
  dirOp,
  FILE_SYNC,
  happened,
  NFS,
  NfsClient,
  PATIENT,
  PROC,
  QUICK,
  refused,
  settings,
  UNSTABLE,
} from "../support/nfs.ts";

Deno.test("nfs: a file becomes one upload event, with its writer, once it has been quiet", async () => {
  await using service = await startFiles(QUICK);
  await using client = await NfsClient.open(service, { uid: 501, gid: 20 });
  const root = await client.mount();
  const file = await client.create(root, "a.txt");
  for (let at = 0; at < 30_000; at += 10_000) {
    await client.writeTo(file, noise(30_000).subarray(at, at + 10_000), { at });
  }
  await happened(service, ["upload /a.txt"]);
  assertEquals(await content(service, "/a.txt"), noise(30_000));
  const [event] = fileEvents(service);
  assertEquals(event?.meta, { auth: "unix", uid: 501, gid: 20, gids: [20] });
  assertEquals(event?.payload.user, "ada.example");
  assertEquals(event?.payload.command, "WRITE /a.txt");
  assertEquals([event?.raw.transport, event?.payload.transport], ["tcp", "tcp"]);
  // Reads and no-op changes record nothing.
  assertEquals((await client.read(file, 0, 100)).bytes, noise(30_000).slice(0, 100));
  await client.readdir(root);
  await happened(service, ["upload /a.txt"]);
});

Deno.test("nfs: only NFS clients see a file before it is uploaded", async () => {
  await using service = await startFiles(PATIENT);
  await using client = await NfsClient.open(service);
  await using other = await NfsClient.open(service, { machine: "bob.example" });
  const root = await client.mount();
  const file = await client.create(root, "a");
  await client.writeTo(file, noise(1000), { stable: UNSTABLE });
  const seen = await other.lookup(root, "a");
  assertEquals(seen, file);
  assertEquals((await other.read(seen, 0, 2000)).bytes, noise(1000));
  assertEquals((await other.getattr(seen)).size, 1000);
  const { entries } = await other.readdir(root);
  assertEquals(entries.map(({ name }) => name), [".", "..", "a"]);
  assertEquals(await paths(service), []);
  await using ftp = await FtpClient.open(service);
  await ftp.play("SIZE a", /^550 /);
});

Deno.test("nfs: a committed file becomes an upload as soon as its client leaves", async () => {
  await using service = await startFiles(PATIENT);
  {
    await using client = await NfsClient.open(service);
    const file = await client.create(await client.mount(), "a");
    await client.writeTo(file, noise(500_000), { stable: UNSTABLE });
    await client.commit(file);
    assertEquals(operations(service), []);
  }
  assertEquals(operations(service), ["upload /a"]);
  assertEquals(await content(service, "/a"), noise(500_000));
});

Deno.test("nfs: uncommitted bytes are dropped with their client, and the verifier changes", async () => {
  await using service = await startFiles({ nfs: { settle_ms: 300, abandon_timeout: 1 } });
  await using other = await NfsClient.open(service, { machine: "bob.example" });
  const root = await other.mount();
  const old = await other.create(root, "old");
  const { verifier } = await other.writeTo(old, noise(100));
  await happened(service, ["upload /old"]);
  const client = await NfsClient.open(service);
  const file = await client.create(root, "new");
  await client.writeTo(file, noise(1000), { stable: UNSTABLE });
  await client.writeTo(old, noise(1000, 2), { stable: UNSTABLE });
  assertEquals((await other.getattr(old)).size, 1000);
  client.abort();
  await client.ended;
  await until(async () => (await other.getattr(old)).size === 100);
  await refused("STALE", other.getattr(file));
  assertEquals(await content(service, "/old"), noise(100));
  await happened(service, ["upload /old"]);
  assertNotEquals(await other.commit(old), verifier);
});

Deno.test("nfs: a client that reconnects in time finds its bytes and the same verifier", async () => {
  await using service = await startFiles({ nfs: { settle_ms: 300, abandon_timeout: 3600 } });
  const client = await NfsClient.open(service);
  const file = await client.create(await client.mount(), "a");
  const { verifier } = await client.writeTo(file, noise(1000), { stable: UNSTABLE });
  client.abort();
  await client.ended;
  await using again = await NfsClient.open(service);
  assertEquals(await again.commit(file), verifier);
  await happened(service, ["upload /a"]);
  assertEquals(await content(service, "/a"), noise(1000));
});

Deno.test("nfs: removing a file that was never uploaded records nothing", async () => {
  await using service = await startFiles(PATIENT);
  await using client = await NfsClient.open(service);
  const root = await client.mount();
  const file = await client.create(root, "a");
  await client.writeTo(file, noise(10));
  await client.remove(root, "a");
  await refused("STALE", client.getattr(file));
  await refused("NOENT", client.remove(root, "a"));
  // Overwriting one does record an event.
  const [from, to] = [await client.create(root, "from"), await client.create(root, "to")];
  await client.writeTo(from, noise(20));
  await client.writeTo(to, noise(30));
  await client.rename([root, "from"], [root, "to"]);
  await refused("STALE", client.getattr(to));
  assertEquals(operations(service), ["upload /from", "rename /from /to"]);
  assertEquals(await content(service, "/to"), noise(20));
});

Deno.test("nfs: a retransmitted call gets its first answer, on any connection", async () => {
  await using service = await startFiles(PATIENT);
  const client = await NfsClient.open(service);
  const root = await client.mount();
  const create = () => settings(dirOp(root, "a").u32(1), {});
  const first = await client.raw(
    { program: NFS, procedure: PROC.CREATE, xid: 77 },
    create().take(),
  );
  assertEquals(
    await client.raw({ program: NFS, procedure: PROC.CREATE, xid: 77 }, create().take()),
    first,
  );
  await refused("EXIST", client.nfs("CREATE", create(), 78));
  await client.nfs("REMOVE", dirOp(root, "a"), 79);
  client.abort();
  await using again = await NfsClient.open(service);
  await again.nfs("REMOVE", dirOp(root, "a"), 79);
  await refused("NOENT", again.nfs("REMOVE", dirOp(root, "a"), 80));
});

Deno.test("nfs: a client that reuses one xid for every call is served, too", async () => {
  await using service = await startFiles(PATIENT);
  await using client = await NfsClient.open(service);
  const root = await client.mount();
  for (let i = 0; i < 3; i++) {
    await client.nfs("MKDIR", settings(dirOp(root, "d"), {}), 1000);
    await client.nfs("RMDIR", dirOp(root, "d"), 1000);
  }
  assertEquals(operations(service).length, 6);
});

Deno.test("nfs: other protocols and NFS work on the same files", async () => {
  await using service = await startFiles(QUICK);
  await using client = await NfsClient.open(service);
  await using ftp = await FtpClient.open(service);
  const root = await client.mount();
  await ftp.put("STOR a", noise(100));
  const file = await client.lookup(root, "a");
  const { mode, size } = await client.getattr(file);
  assertEquals([mode, size], [0o666, 100]);
  await client.writeTo(file, noise(50, 2), { at: 100 });
  await happened(service, ["upload /a", "upload /a"]);
  await ftp.put("STOR a", noise(7, 3));
  assertEquals((await client.read(file, 0, 100)).bytes, noise(7, 3));
  await ftp.play("DELE a", /^250 /);
  await refused("STALE", client.getattr(file));
  // Both create a file with one name: the last one to complete wins.
  const mine = await client.create(root, "b");
  await client.writeTo(mine, noise(9), { stable: UNSTABLE });
  await ftp.put("STOR b", noise(100));
  await client.commit(mine);
  await happened(service, [
    ...["upload /a", "upload /a", "upload /a", "delete /a"],
    ...["upload /b", "upload /b"],
  ]);
  assertEquals(await content(service, "/b"), noise(9));
  assertEquals((await client.read(mine, 0, 100)).bytes, noise(9));
});

Deno.test("nfs: emptying the tree also removes files being written", async () => {
  await using service = await startFiles(QUICK);
  await using client = await NfsClient.open(service);
  const root = await client.mount();
  const file = await client.create(root, "a");
  await client.writeTo(file, noise(10), { stable: UNSTABLE });
  await service.reset();
  await refused("STALE", client.commit(file));
  assertEquals((await client.readdir(root)).entries.length, 2);
  await client.writeTo(await client.create(root, "b"), noise(1));
  await happened(service, ["upload /b"]);
});

Deno.test("nfs: a stop uploads complete files and drops incomplete ones", async () => {
  const service = await startFiles(PATIENT);
  const client = await NfsClient.open(service);
  const root = await client.mount();
  await client.writeTo(await client.create(root, "whole"), noise(10));
  await client.writeTo(await client.create(root, "part"), noise(10), { stable: UNSTABLE });
  await service.stop();
  assertEquals(operations(service), ["upload /whole"]);
  await client.ended;
  client.abort();
});

Deno.test("nfs: with too many open files, the oldest become uploads at once", async () => {
  await using service = await startFiles({ nfs: { settle_ms: 60_000, handle_cache: 2 } });
  await using client = await NfsClient.open(service);
  const root = await client.mount();
  for (const name of ["a", "b", "c", "d"]) {
    await client.writeTo(await client.create(root, name), noise(10));
  }
  await happened(service, ["upload /a", "upload /b"]);
  const unsure = await client.create(root, "e");
  await client.writeTo(unsure, noise(10), { stable: UNSTABLE });
  await client.create(root, "f");
  await happened(service, ["upload /a", "upload /b", "upload /c", "upload /d"]);
});

Deno.test("nfs: concurrent writes all arrive, whatever happens to the file meanwhile", async () => {
  await using service = await startFiles({ nfs: { settle_ms: 1 } });
  await using client = await NfsClient.open(service);
  const root = await client.mount();
  const file = await client.create(root, "a");
  const bytes = noise(2_000_000);
  const pieces = Array.from({ length: 200 }, (_, i) => (i * 77) % 200);
  await Promise.all(pieces.map((piece, i) => {
    const at = piece * 10_000;
    const stable = i % 7 === 0 ? FILE_SYNC : UNSTABLE;
    return client.writeTo(file, bytes.subarray(at, at + 10_000), { at, stable });
  }));
  assertEquals(
    isSame((await client.read(file, 0, 1_000_000)).bytes, bytes.slice(0, 1_000_000)),
    true,
  );
  await client.commit(file);
  await until(async () => isSame(await content(service, "/a"), bytes));
});

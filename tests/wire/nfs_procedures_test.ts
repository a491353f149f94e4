import { assert, assertEquals } from "@std/assert";
import { XdrWriter } from "../../plugins/files/nfs/codec/xdr.ts";
import { content, noise, operations, startFiles } from "../support/files.ts";
import { FtpClient } from "../support/ftp.ts";
import {
  dirOp,
  FILE_SYNC,
  happened,
  NfsClient,
  PATIENT,
  QUICK,
  readPostOp,
  readWcc,
  refused,
  settings,
  UNSTABLE,
} from "../support/nfs.ts";

Deno.test("nfs: the answer to a write says what was done, and holes read as zeros", async () => {
  await using service = await startFiles(PATIENT);
  await using client = await NfsClient.open(service);
  const file = await client.create(await client.mount(), "a");
  const unstable = await client.writeTo(file, noise(10), { at: 100_000, stable: UNSTABLE });
  assertEquals([unstable.count, unstable.committed], [10, UNSTABLE]);
  const synced = await client.writeTo(file, noise(3), { at: 5, stable: 1 });
  assertEquals([synced.count, synced.committed], [3, FILE_SYNC]);
  assertEquals(synced.verifier, unstable.verifier);
  assertEquals((await client.writeTo(file, new Uint8Array())).count, 0);
  const { bytes, eof } = await client.read(file, 0, 200_000);
  const expected = new Uint8Array(100_010);
  expected.set(noise(3), 5);
  expected.set(noise(10), 100_000);
  assertEquals([bytes, eof], [expected, true]);
  assertEquals(await client.read(file, 0, 100), { bytes: expected.slice(0, 100), eof: false });
  assertEquals(await client.read(file, 100_010, 5), { bytes: new Uint8Array(), eof: true });
  assertEquals(await client.read(file, 2 ** 50, 5), { bytes: new Uint8Array(), eof: true });
  await refused("FBIG", client.writeTo(file, noise(10), { at: 2 ** 50 }));
  await refused("FBIG", client.writeTo(file, noise(10), { at: 64 * 1024 * 1024 - 9 }));
  assertEquals((await client.getattr(file)).size, 100_010);
});

Deno.test("nfs: each change returns the attributes before and after", async () => {
  await using service = await startFiles(PATIENT);
  await using client = await NfsClient.open(service);
  const root = await client.mount();
  const before = await client.getattr(root);
  const reply = await client.nfs("CREATE", settings(dirOp(root, "a").u32(0), { mode: 0o640 }));
  assertEquals(reply.bool(), true);
  const file = reply.opaque(64);
  const made = readPostOp(reply)!;
  assertEquals([made.dir, made.mode, made.links, made.size], [false, 0o640, 1, 0]);
  assertEquals([made.uid, made.gid], [1000, 100]);
  const change = readWcc(reply);
  assertEquals(change.before, {
    size: before.size,
    mtimeMs: before.mtimeMs,
    ctimeMs: before.ctimeMs,
  });
  assert(change.after!.ctimeMs > before.ctimeMs);
  const args = new XdrWriter().opaque(file).u64(0).u32(4).u32(0).opaque(noise(4));
  const wrote = readWcc(await client.nfs("WRITE", args));
  assertEquals([wrote.before?.size, wrote.after?.size, wrote.after?.used], [0, 4, 4]);
  assert(wrote.after!.ctimeMs > wrote.before!.ctimeMs);
  // A refusal returns them, too.
  const { rest } = await refused("NOENT", client.nfs("REMOVE", dirOp(root, "nope")));
  assertEquals(readWcc(rest).after?.id, 1);
  const missing = await refused("NOENT", client.lookup(root, "nope"));
  assertEquals(readPostOp(missing.rest)?.id, 1);
});

Deno.test("nfs: size, times and mode can be set, and a guard protects a changed file", async () => {
  await using service = await startFiles(QUICK);
  await using client = await NfsClient.open(service);
  const file = await client.create(await client.mount(), "a");
  await client.writeTo(file, noise(1000));
  await happened(service, ["upload /a"]);
  const set = async (to: Parameters<typeof settings>[1], guard?: number): Promise<void> => {
    const args = settings(new XdrWriter().opaque(file), to);
    if (guard === undefined) args.bool(false);
    else args.bool(true).u32(Math.floor(guard / 1000)).u32(Math.round((guard % 1000) * 1e6));
    await client.nfs("SETATTR", args);
  };
  await set({ mode: 0o4751, mtimeMs: 981_173_106_789 });
  const { mode, mtimeMs, ctimeMs } = await client.getattr(file);
  assertEquals([mode, mtimeMs], [0o4751, 981_173_106_789]);
  await happened(service, ["upload /a"]);
  const stat = await service.getJson<{ mod_time: string }>("/files/stat/a");
  assertEquals(stat.mod_time, "2001-02-03T04:05:06.789Z");
  await refused("NOT_SYNC", set({ size: 0 }, ctimeMs - 1));
  await set({ size: 300 }, ctimeMs);
  assert((await client.getattr(file)).mtimeMs > mtimeMs);
  await happened(service, ["upload /a", "upload /a"]);
  assertEquals(await content(service, "/a"), noise(1000).slice(0, 300));
  await set({ size: 500 });
  await happened(service, ["upload /a", "upload /a", "upload /a"]);
  const longer = new Uint8Array(500);
  longer.set(noise(1000).subarray(0, 300));
  assertEquals(await content(service, "/a"), longer);
  assertEquals((await client.getattr(file)).mode, 0o4751);
  await refused("FBIG", set({ size: 2 ** 40 }));
  await set({ mtimeMs: 1000 });
  await set({ size: 0 });
  const cut = await client.getattr(file);
  assertEquals([cut.size, cut.mtimeMs > 1000], [0, true]);
});

Deno.test("nfs: a file is created unchecked, guarded and exclusively", async () => {
  await using service = await startFiles(PATIENT);
  await using client = await NfsClient.open(service);
  const root = await client.mount();
  const file = await client.create(root, "a", { guarded: true });
  await client.writeTo(file, noise(10));
  await refused("EXIST", client.create(root, "a", { guarded: true }));
  assertEquals(await client.create(root, "a"), file);
  assertEquals((await client.getattr(file)).size, 10);
  assertEquals(await client.create(root, "a", { size: 0 }), file);
  assertEquals((await client.getattr(file)).size, 0);
  const verifier = noise(8, 3);
  const exclusive = await client.create(root, "b", { verifier });
  assertEquals(await client.create(root, "b", { verifier }), exclusive);
  await refused("EXIST", client.create(root, "b", { verifier: noise(8, 4) }));
  await refused("EXIST", client.create(root, "a", { verifier }));
  await client.mkdir(root, "d");
  await refused("EXIST", client.create(root, "d"));
});

Deno.test("nfs: handles survive a rename, and stay stale once their file is gone", async () => {
  await using service = await startFiles(QUICK);
  await using client = await NfsClient.open(service);
  const root = await client.mount();
  const dir = await client.mkdir(root, "d");
  const file = await client.create(dir, "a");
  await client.writeTo(file, noise(10));
  await client.rename([dir, "a"], [root, "b"]);
  await client.rename([root, "d"], [root, "e"]);
  // The upload was announced before the file was moved.
  await happened(service, ["mkdir /d", "upload /d/a", "rename /d/a /b", "rename /d /e"]);
  assertEquals((await client.read(file, 0, 100)).bytes, noise(10));
  assertEquals((await client.getattr(dir)).id, (await client.getattr(dir)).id);
  await client.writeTo(file, noise(5), { at: 10 });
  await happened(service, [...operations(service).slice(0, 4), "upload /b"]);
  await client.remove(root, "b");
  await refused("STALE", client.getattr(file));
  await client.create(root, "b");
  await refused("STALE", client.read(file, 0, 1));
  await refused("BADHANDLE", client.getattr(noise(20)));
  await refused("BADHANDLE", client.getattr(new Uint8Array()));
  const foreign = root.slice();
  foreign[5]! ^= 1;
  await refused("STALE", client.getattr(foreign));
});

Deno.test("nfs: invalid names are refused", async () => {
  await using service = await startFiles(PATIENT);
  await using client = await NfsClient.open(service);
  const root = await client.mount();
  for (const name of ["", ".", "..", "a/b", "a\\b", "a\0b", "a\nb", Uint8Array.of(0xc3, 0x28)]) {
    await refused("INVAL", client.create(root, name));
  }
  await refused("NAMETOOLONG", client.create(root, "n".repeat(256)));
  await refused("NAMETOOLONG", client.lookup(root, "n".repeat(5000)));
  let dir = root;
  for (let depth = 0; depth < 32; depth++) dir = await client.mkdir(dir, "d");
  await refused("NAMETOOLONG", client.create(dir, "f"));
  assertEquals(await client.lookup(root, "."), root);
  assertEquals(await client.lookup(root, ".."), root);
  assertEquals(await client.lookup(await client.lookup(root, "d"), ".."), root);
});

Deno.test("nfs: directories are created, renamed and removed by the rules", async () => {
  await using service = await startFiles(PATIENT);
  await using client = await NfsClient.open(service);
  const root = await client.mount();
  const rmdir = (name: string) => client.nfs("RMDIR", dirOp(root, name));
  const [a, b] = [await client.mkdir(root, "a"), await client.mkdir(root, "b")];
  assertEquals((await client.getattr(root)).links, 4);
  await refused("EXIST", client.mkdir(root, "a"));
  await refused("EXIST", client.mkdir(root, "."));
  await client.create(a, "f");
  await refused("NOTEMPTY", rmdir("a"));
  await refused("NOTEMPTY", client.rename([root, "b"], [root, "a"]));
  await refused("ISDIR", client.remove(root, "a"));
  await refused("ISDIR", client.rename([a, "f"], [root, "b"]));
  await refused("INVAL", client.rename([root, "a"], [a, "x"]));
  await refused("NOENT", rmdir("nope"));
  await refused("INVAL", rmdir("."));
  await client.rename([root, "a"], [root, "a"]);
  await client.rename([root, "a"], [root, "b"]);
  await refused("STALE", client.getattr(b));
  await client.create(root, "f");
  await refused("NOTDIR", rmdir("f"));
  await refused("NOTDIR", client.rename([root, "b"], [root, "f"]));
  await refused("NOTDIR", client.lookup(await client.lookup(root, "f"), "x"));
  await refused("ISDIR", client.read(root, 0, 1));
  await refused("INVAL", client.writeTo(root, noise(1)));
  assertEquals(operations(service), ["mkdir /a", "mkdir /b", "rename /a /b"]);
});

Deno.test("nfs: a listing resumes where it stopped, whatever is added or removed meanwhile", async () => {
  await using service = await startFiles(PATIENT);
  await using client = await NfsClient.open(service);
  const root = await client.mount();
  const names = Array.from({ length: 100 }, (_, i) => `file${i}`);
  for (const name of names) await client.create(root, name);
  const seen: string[] = [];
  for (let cookie = 0, eof = false; !eof;) {
    const page = await client.readdir(root, { cookie, count: 512 });
    for (const { name } of page.entries) {
      seen.push(name);
      // Like `rm -r`: entries of one page are deleted before the next is requested.
      if (name.startsWith("file")) await client.remove(root, name);
    }
    await client.mkdir(root, `new${cookie}`);
    cookie = page.entries.at(-1)!.cookie;
    eof = page.eof;
    if (seen.length > 300) break;
  }
  assertEquals(seen.filter((name) => name.startsWith("file")), names);
  assertEquals(seen.slice(0, 2), [".", ".."]);
  await refused("TOOSMALL", client.readdir(root, { count: 120 }));
  await refused("BAD_COOKIE", client.readdir(root, { cookie: 2, verifier: noise(8) }));
});

Deno.test("nfs: READDIRPLUS returns attributes and handles within both limits", async () => {
  await using service = await startFiles(PATIENT);
  await using client = await NfsClient.open(service);
  const root = await client.mount();
  for (let i = 0; i < 20; i++) {
    await client.writeTo(await client.create(root, `file${i}`), noise(i + 1));
  }
  const page = async (cookie: number, dirBytes: number, maxBytes: number) => {
    const args = new XdrWriter().opaque(root).u64(cookie).fixed(new Uint8Array(8)).u32(dirBytes);
    const reply = await client.nfs("READDIRPLUS", args.u32(maxBytes));
    const length = reply.rest.length + 4;
    readPostOp(reply);
    reply.fixed(8);
    const entries = [];
    while (reply.bool()) {
      const id = reply.u64();
      const name = new TextDecoder().decode(reply.opaque(255));
      const next = reply.u64();
      const attributes = readPostOp(reply)!;
      assertEquals(reply.bool(), true);
      const handle = reply.opaque(64);
      entries.push({ id, name, next, attributes, handle });
    }
    return { entries, eof: reply.bool(), length };
  };
  const all = await page(0, 65_536, 65_536);
  assertEquals([all.entries.length, all.eof], [22, true]);
  for (const { id, attributes, handle } of all.entries) {
    assertEquals(attributes.id, id);
    assertEquals(await client.getattr(handle), attributes);
  }
  const some = await page(0, 65_536, 1000);
  assert(some.length <= 1000 && some.entries.length >= 4, `${some.length}`);
  const few = await page(some.entries.at(-1)!.next, 100, 65_536);
  assertEquals([few.entries.length, few.eof], [3, false]);
  assertEquals(few.entries[0]?.name, all.entries[some.entries.length]?.name);
});

Deno.test("nfs: FSINFO, FSSTAT and PATHCONF describe the file system", async () => {
  await using service = await startFiles(PATIENT, { storage: { blob_limit: 1_000_000 } });
  await using client = await NfsClient.open(service);
  const root = await client.mount();
  await using ftp = await FtpClient.open(service);
  await ftp.put("STOR a", noise(1000));
  const about = async (name: "FSSTAT" | "FSINFO" | "PATHCONF") => {
    const reply = await client.nfs(name, new XdrWriter().opaque(root));
    assertEquals(readPostOp(reply)?.id, 1);
    return reply;
  };
  const stat = await about("FSSTAT");
  // The rest of `[storage] blob_limit`, which uploaded files share.
  assertEquals([stat.u64(), stat.u64(), stat.u64()], [1_000_000, 999_000, 999_000]);
  assertEquals([stat.u64(), stat.u64(), stat.u64(), stat.u32()], [50_000, 49_999, 49_999, 0]);
  const info = await about("FSINFO");
  const MIB = 1024 * 1024;
  assertEquals(Array.from({ length: 7 }, () => info.u32()), [
    ...[MIB, MIB, 4096],
    ...[MIB, MIB, 4096],
    65_536,
  ]);
  assertEquals([info.u64(), info.u32(), info.u32(), info.u32()], [64 * MIB, 0, 1000, 0x18]);
  const conf = await about("PATHCONF");
  assertEquals(Array.from({ length: 6 }, () => conf.u32()), [1, 255, 1, 1, 0, 1]);
  const access = async (handle: Uint8Array, asked: number) => {
    const reply = await client.nfs("ACCESS", new XdrWriter().opaque(handle).u32(asked));
    readPostOp(reply);
    return reply.u32();
  };
  const file = await client.create(root, "f");
  assertEquals([await access(root, 0x3f), await access(root, 3)], [0x1f, 3]);
  assertEquals(await access(file, 0x3f), 0x2d);
});

Deno.test("nfs: a write that the store has no room for is NOSPC", async () => {
  await using service = await startFiles(PATIENT, { storage: { blob_limit: 1000 } });
  await using client = await NfsClient.open(service);
  const file = await client.create(await client.mount(), "f");
  const write = (at: number, count: number) =>
    client.writeTo(file, noise(count), { at, stable: UNSTABLE });
  await write(0, 900);
  await refused("NOSPC", write(900, 200));
});

Deno.test("nfs: links and devices are refused as not supported", async () => {
  await using service = await startFiles(PATIENT);
  await using client = await NfsClient.open(service);
  const root = await client.mount();
  const file = await client.create(root, "f");
  const symlink = settings(dirOp(root, "s"), {}).opaque(noise(4));
  assertEquals(
    readWcc((await refused("NOTSUPP", client.nfs("SYMLINK", symlink))).rest).after?.id,
    1,
  );
  const mknod = dirOp(root, "p").u32(7);
  assertEquals(readWcc((await refused("NOTSUPP", client.nfs("MKNOD", mknod))).rest).after?.id, 1);
  const link = await refused(
    "NOTSUPP",
    client.nfs("LINK", dirOp(root, "l", new XdrWriter().opaque(file))),
  );
  assertEquals(readPostOp(link.rest)?.dir, false);
  assertEquals(readWcc(link.rest).after?.id, 1);
  await refused("INVAL", client.nfs("READLINK", new XdrWriter().opaque(file)));
  assertEquals(service.rejected.list({}).length, 3);
});

Deno.test("nfs: an export mounts as a directory of the tree, or as its root", async () => {
  await using service = await startFiles(PATIENT);
  await using client = await NfsClient.open(service);
  const root = await client.mount();
  const dir = await client.mkdir(root, "d");
  for (const path of ["/", "", "/export", "//", "/no/such"]) {
    assertEquals(await client.mount(path), root, path);
  }
  for (const path of ["/d", "/d/", "d", "/x/../d"]) assertEquals(await client.mount(path), dir);
  await using ftp = await FtpClient.open(service);
  await ftp.put("STOR f", noise(1));
  await refused("NOTDIR", client.mount("/f"));
  await refused("INVAL", client.mount("/a\0b"));
});

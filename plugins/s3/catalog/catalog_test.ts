import { assertEquals, assertRejects } from "@std/assert";
import { MemoryBlobStore } from "../../../core/blobs/memory.ts";
import { S3Error } from "../errors.ts";
import { Catalog } from "./catalog.ts";
import { type Journal, NO_JOURNAL } from "./journal.ts";
import { OwnKeeper } from "./keeper.ts";
import type { StoredObject } from "./model.ts";
import { CatalogState } from "./state.ts";

interface Held {
  readonly catalog: Catalog;
  readonly blobs: MemoryBlobStore;
  make(key: string, text: string): Promise<StoredObject>;
}

function createCatalog(journal?: Journal): Held {
  let id = 0;
  const blobs = new MemoryBlobStore({
    maxBytes: 1000,
    nextId: () => String(id++),
    onDrop: () => {},
  });
  const catalog = new Catalog({ blobs, now: () => new Date(0), ...(journal && { journal }) });
  return {
    catalog,
    blobs,
    async make(key, text) {
      const blob = await blobs.put(new TextEncoder().encode(text));
      return {
        key,
        size: blob.size,
        etag: "",
        modified: new Date(0),
        blob,
        checksums: {},
        checksumType: "FULL_OBJECT",
        headers: {},
        metadata: {},
      };
    },
  };
}

Deno.test("bytes are kept as long as an object refers to them, and removed with the last one", async () => {
  const { catalog, blobs, make } = createCatalog();
  await catalog.createBucket("box");
  const bucket = catalog.bucket("box");
  const first = await make("a", "Hello");
  await catalog.put(bucket, first);
  await catalog.put(bucket, { ...first, key: "b", blob: catalog.share(first) });
  await catalog.delete(bucket, { key: "a" });
  assertEquals(blobs.bytes, 5);
  await catalog.put(bucket, await make("b", "Hi"));
  assertEquals(blobs.bytes, 2);
  await catalog.clear();
  assertEquals(blobs.bytes, 0);
});

Deno.test("an object for a bucket that was recreated meanwhile is refused, and its bytes are removed", async () => {
  const { catalog, blobs, make } = createCatalog();
  await catalog.createBucket("box");
  const old = catalog.bucket("box");
  const object = await make("a", "Hello");
  await catalog.deleteBucket(old);
  await catalog.createBucket("box");
  await assertRejects(() => catalog.put(old, object), S3Error, 'Cannot find bucket "box"');
  assertEquals([catalog.stats.objects, blobs.bytes], [0, 0]);
});

Deno.test("a part for an upload that was aborted meanwhile is refused, and its bytes are removed", async () => {
  const { catalog, blobs, make } = createCatalog();
  await catalog.createBucket("box");
  const start = { bucket: "box", key: "a", headers: {}, metadata: {} };
  const upload = await catalog.uploads.create(start);
  const { blob, size, etag, modified, checksums } = await make("a", "Hello");
  const part = { number: 1, blob, size, etag, modified, checksums };
  await catalog.uploads.putPart(upload, part);
  const again = await make("a", "Hi");
  await catalog.uploads.abort(upload);
  await assertRejects(
    () => catalog.uploads.putPart(upload, { ...part, blob: again.blob }),
    S3Error,
    "Cannot find multipart upload",
  );
  assertEquals([catalog.stats.parts, blobs.bytes], [0, 0]);
});

Deno.test("a change that cannot be stored is not made, and its bytes are removed", async () => {
  const journal = {
    full: false,
    commit: () => void (journal.full && refuse()),
    settled: () => Promise.resolve(),
  };
  const refuse = (): never => {
    throw new S3Error("ServiceUnavailable", "Cannot write: the disk is full");
  };
  const { catalog, blobs, make } = createCatalog(journal);
  await catalog.createBucket("box");
  const bucket = catalog.bucket("box");
  await catalog.put(bucket, await make("a", "Hello"));
  const start = { bucket: "box", key: "m", headers: {}, metadata: {} };
  const upload = await catalog.uploads.create(start);
  const { key: _, headers: __, metadata: ___, checksumType: ____, ...sent } = await make(
    "",
    "part",
  );
  await catalog.uploads.putPart(upload, { ...sent, number: 1 });
  const before = catalog.stats;
  journal.full = true;
  const again = await make("a", "Hi");
  const part = { ...sent, number: 1, blob: (await make("", "other")).blob };
  const done = {
    bucket: "box",
    key: "m",
    etag: "",
    checksums: {},
    checksumType: "COMPOSITE",
  } as const;
  const whole = { bucket, object: await make("m", "whole"), completion: done, check: () => {} };
  const changes: readonly (() => unknown)[] = [
    () => catalog.createBucket("other"),
    () => catalog.put(bucket, again),
    () => catalog.delete(bucket, { key: "a" }),
    () => catalog.deleteMany(bucket, () => [{ key: "a" }, { key: "m" }]),
    () => catalog.uploads.create(start),
    () => catalog.uploads.putPart(upload, part),
    () => catalog.complete(upload, whole),
    () => catalog.uploads.abort(upload),
    () => catalog.clear(),
  ];
  for (const change of changes) {
    await assertRejects(async () => await change(), S3Error, "the disk is full", String(change));
  }
  assertEquals([catalog.stats, catalog.uploads.completion(upload.id)], [before, undefined]);
  assertEquals(blobs.bytes, "Hello".length + "part".length);
});

Deno.test("changes to versions that cannot be stored are rolled back", async () => {
  let isFull = false;
  const { catalog, blobs, make } = createCatalog({
    commit() {
      if (isFull) throw new S3Error("ServiceUnavailable", "Cannot write: the disk is full");
    },
    settled: () => Promise.resolve(),
  });
  await catalog.createBucket("box");
  const bucket = catalog.bucket("box");
  await catalog.put(bucket, await make("a", "before"));
  await catalog.setVersioning(bucket, "Enabled");
  const { version } = await catalog.put(bucket, await make("a", "one"));
  await catalog.setVersioning(bucket, "Suspended");
  const before = structuredClone([...bucket.everyVersion()]);
  const bytes = blobs.bytes;
  isFull = true;
  const two = await make("a", "two");
  const changes: readonly (() => unknown)[] = [
    () => catalog.put(bucket, two),
    () => catalog.delete(bucket, { key: "a" }),
    () =>
      catalog.deleteMany(bucket, () => [
        { key: "a", version: version!.id },
        { key: "a" },
        { key: "b" },
        { key: "a", version: "null" },
      ]),
    () => catalog.amend(bucket, { key: "a" }, { acl: "private" }),
    () => catalog.setVersioning(bucket, "Enabled"),
  ];
  for (const change of changes) {
    await assertRejects(async () => await change(), S3Error, "the disk is full", String(change));
    assertEquals([...bucket.everyVersion()], before);
  }
  assertEquals([bucket.keys, bucket.versionKeys, bucket.versionCount], [["a"], ["a"], 2]);
  assertEquals([bucket.versioning, blobs.bytes], ["Suspended", bytes]);
});

Deno.test("only the latest completions are remembered", async () => {
  const { catalog, make } = createCatalog();
  await catalog.createBucket("box");
  const bucket = catalog.bucket("box");
  const ids: string[] = [];
  for (let i = 0; i < 1002; i++) {
    const upload = await catalog.uploads.create({
      bucket: "box",
      key: "m",
      headers: {},
      metadata: {},
    });
    const object = await make("m", "");
    const completion = { ...object, bucket: "box" };
    await catalog.complete(upload, { bucket, object, completion, check: () => {} });
    ids.push(upload.id);
  }
  const known = ids.map((id) => catalog.uploads.completion(id) !== undefined);
  assertEquals([known.indexOf(true), known.lastIndexOf(false)], [2, 1]);
});

Deno.test("bytes are released once the change that removes them is settled, not before", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let settled = Promise.resolve();
  const { catalog, blobs, make } = createCatalog({ commit() {}, settled: () => settled });
  await catalog.createBucket("box");
  const bucket = catalog.bucket("box");
  await catalog.put(bucket, await make("a", "Hello"));
  settled = promise;
  const deleted = catalog.delete(bucket, { key: "a" });
  assertEquals([bucket.size, blobs.bytes], [0, 5]);
  resolve();
  await deleted;
  assertEquals(blobs.bytes, 0);
});

Deno.test("a put continues in its bucket when the state is reloaded, but not in another of that name", async () => {
  const blobs = new MemoryBlobStore({ maxBytes: 1000, nextId: () => "x", onDrop: () => {} });
  const state = new CatalogState(blobs);
  const keeper = new OwnKeeper(NO_JOURNAL, { state, isKept: true });
  const catalog = new Catalog({ blobs, now: () => new Date(0), shared: { state, keeper } });
  const { make } = createCatalog();
  await catalog.createBucket("box", { versioning: "Enabled" });
  const bucket = catalog.bucket("box");
  await catalog.put(bucket, await make("a", "Hello"));
  const changes = [...state.changes()];
  state.forget();
  assertEquals([bucket.size, bucket.versionCount], [0, 0]);
  state.apply(changes);
  assertEquals([bucket.keys, bucket.versionCount], [["a"], 1]);
  await catalog.put(bucket, await make("b", "Hi"));
  assertEquals(catalog.bucket("box").keys, ["a", "b"]);
  await catalog.clear();
  await catalog.createBucket("box");
  assertEquals(catalog.bucket("box") === bucket, false);
  state.forget();
  assertEquals(catalog.buckets(), []);
  const other = { name: "box", created: new Date(1), region: "", acl: undefined };
  state.apply([{ kind: "make bucket", bucket: { ...other, versioning: undefined } }]);
  const error = await assertRejects(async () => await catalog.put(bucket, await make("c", "No")));
  assertEquals((error as S3Error).code, "NoSuchBucket");
});

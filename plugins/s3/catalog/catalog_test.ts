import { assertEquals, assertRejects } from "@std/assert";
import { MemoryBlobStore } from "../../../core/blobs/memory.ts";
import { S3Error } from "../errors.ts";
import { Catalog } from "./catalog.ts";
import type { StoredObject } from "./model.ts";

interface Held {
  readonly catalog: Catalog;
  readonly blobs: MemoryBlobStore;
  make(key: string, text: string): Promise<StoredObject>;
}

function createCatalog(): Held {
  let id = 0;
  const blobs = new MemoryBlobStore({
    maxBytes: 1000,
    nextId: () => String(id++),
    onDrop: () => {},
  });
  const catalog = new Catalog({ blobs, now: () => new Date(0) });
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

Deno.test("bytes stay as long as an object names them, and go with the last", async () => {
  const { catalog, blobs, make } = createCatalog();
  catalog.createBucket("box");
  const bucket = catalog.bucket("box");
  const first = await make("a", "Hello");
  await catalog.put(bucket, first);
  await catalog.put(bucket, { ...first, key: "b", blob: catalog.share(first) });
  await catalog.delete(bucket, "a");
  assertEquals(blobs.bytes, 5);
  await catalog.put(bucket, await make("b", "Hi"));
  assertEquals(blobs.bytes, 2);
  await catalog.clear();
  assertEquals(blobs.bytes, 0);
});

Deno.test("an object for a bucket that was made anew meanwhile is refused, and its bytes go", async () => {
  const { catalog, blobs, make } = createCatalog();
  catalog.createBucket("box");
  const old = catalog.bucket("box");
  const object = await make("a", "Hello");
  await catalog.deleteBucket(old);
  catalog.createBucket("box");
  await assertRejects(() => catalog.put(old, object), S3Error, 'Cannot find bucket "box"');
  assertEquals([catalog.stats.objects, blobs.bytes], [0, 0]);
});

Deno.test("a part for an upload that was aborted meanwhile is refused, and its bytes go", async () => {
  const { catalog, blobs, make } = createCatalog();
  catalog.createBucket("box");
  const start = { bucket: "box", key: "a", headers: {}, metadata: {} };
  const upload = catalog.createUpload(start);
  const { blob, size, etag, modified, checksums } = await make("a", "Hello");
  const part = { number: 1, blob, size, etag, modified, checksums };
  await catalog.putPart(upload, part);
  const again = await make("a", "Hi");
  await catalog.abort(upload);
  await assertRejects(
    () => catalog.putPart(upload, { ...part, blob: again.blob }),
    S3Error,
    "Cannot find multipart upload",
  );
  assertEquals([catalog.stats.parts, blobs.bytes], [0, 0]);
});

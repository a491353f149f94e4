import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { Bucket } from "./bucket.ts";
import { listBucket } from "./listing.ts";
import type { StoredObject } from "./model.ts";

function fill(keys: Iterable<string>): Bucket {
  const bucket = new Bucket("b", { created: new Date(0), region: "" });
  for (const key of keys) {
    const object: StoredObject = {
      key,
      size: 1,
      etag: "",
      modified: new Date(0),
      blob: { id: "x", size: 1 },
      checksums: {},
      checksumType: "FULL_OBJECT",
      headers: {},
      metadata: {},
    };
    bucket.set(object);
  }
  return bucket;
}

/** Every entry of a bucket, by the definition. */
function plainly(keys: readonly string[], prefix: string, delimiter: string): string[] {
  const entries = new Set<string>();
  for (const key of keys.filter((key) => key.startsWith(prefix))) {
    const at = delimiter === "" ? -1 : key.indexOf(delimiter, prefix.length);
    entries.add(at < 0 ? key : key.slice(0, at + delimiter.length));
  }
  return [...entries].sort();
}

Deno.test("pages of any size give every entry once and in order", () => {
  const key = fc.string({ unit: fc.constantFrom("a", "b", "/", "%"), minLength: 1, maxLength: 6 });
  const keys = fc.uniqueArray(key, { maxLength: 30 });
  const some = fc.constantFrom("", "a", "/", "a/", "b%");
  fc.assert(
    fc.property(
      keys,
      some,
      some,
      fc.integer({ min: 1, max: 4 }),
      (all, prefix, delimiter, maxKeys) => {
        const bucket = fill(all);
        const seen: string[] = [];
        for (let after = "", more = true; more;) {
          const page = listBucket(bucket, { prefix, delimiter, after, maxKeys });
          const entries = [...page.objects.map(({ key }) => key), ...page.prefixes].sort();
          assert(entries.length <= maxKeys);
          seen.push(...entries);
          more = page.truncated;
          after = page.last;
        }
        assertEquals(seen, plainly(all, prefix, delimiter));
      },
    ),
  );
});

Deno.test("a page of no entries is empty and not truncated", () => {
  const page = listBucket(fill(["a"]), { prefix: "", delimiter: "", after: "", maxKeys: 0 });
  assertEquals(page, { objects: [], prefixes: [], truncated: false, last: "" });
});

Deno.test("a bucket knows its bytes as objects come, are replaced and go", () => {
  const bucket = fill(["a", "b", "a"]);
  assertEquals([bucket.size, bucket.bytes, bucket.keys], [2, 2, ["a", "b"]]);
  assertEquals(bucket.delete("a")?.key, "a");
  assertEquals(bucket.delete("a"), undefined);
  assertEquals([bucket.size, bucket.bytes, bucket.keys], [1, 1, ["b"]]);
});

import { assert, assertEquals } from "@std/assert";
import { fc } from "../../../tests/support/fast_check.ts";
import { Bucket } from "./bucket.ts";
import { listBucket, listVersions } from "./listing.ts";
import { idOf, type StoredObject, type Version } from "./model.ts";
import { makeId } from "./version_table.ts";

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

/** Every entry of a bucket, computed naively. */
function plainly(keys: readonly string[], prefix: string, delimiter: string): string[] {
  const entries = new Set<string>();
  for (const key of keys.filter((key) => key.startsWith(prefix))) {
    const at = delimiter === "" ? -1 : key.indexOf(delimiter, prefix.length);
    entries.add(at < 0 ? key : key.slice(0, at + delimiter.length));
  }
  return [...entries].sort();
}

Deno.test("pages of any size return every entry once and in order", () => {
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

Deno.test("a page without entries is empty and not truncated", () => {
  const page = listBucket(fill(["a"]), { prefix: "", delimiter: "", after: "", maxKeys: 0 });
  assertEquals(page, { objects: [], prefixes: [], truncated: false, last: "" });
});

Deno.test("a bucket tracks its size as objects are added, replaced and removed", () => {
  const bucket = fill(["a", "b", "a"]);
  assertEquals([bucket.size, bucket.bytes, bucket.keys], [2, 2, ["a", "b"]]);
  assertEquals(bucket.delete("a")?.key, "a");
  assertEquals(bucket.delete("a"), undefined);
  assertEquals([bucket.size, bucket.bytes, bucket.keys], [1, 1, ["b"]]);
});

Deno.test("the cost of a page depends on its entries, not on the keys of the bucket", () => {
  const keys = Array.from({ length: 50_000 }, (_, i) => {
    const name = String(i).padStart(5, "0");
    return `${name.slice(0, 2)}/${name}`;
  });
  const bucket = fill(keys);
  let looked = 0;
  const watched = new Proxy(bucket.keys, {
    get(target, name) {
      if (typeof name === "string" && /^\d+$/.test(name)) looked++;
      return Reflect.get(target, name);
    },
  });
  Object.defineProperty(bucket, "keys", { get: () => watched });
  const list = (query: { prefix?: string; delimiter?: string; after?: string }) => {
    looked = 0;
    const page = listBucket(bucket, {
      prefix: "",
      delimiter: "",
      after: "",
      ...query,
      maxKeys: 10,
    });
    return page.objects.length + page.prefixes.length;
  };
  const rows = [
    {},
    { delimiter: "/" },
    { prefix: "25/" },
    { prefix: "25/", delimiter: "/" },
    { after: "33/33333" },
    { delimiter: "/", after: "33/" },
    { prefix: "4", delimiter: "/", after: "40/" },
  ];
  for (const query of rows) {
    assert(list(query) >= 9, JSON.stringify(query));
    // Each entry costs a search of a sorted list at most: 16 steps of 50 000.
    assert(looked < 10 * 20 + 60, `${looked} keys for ${JSON.stringify(query)}`);
  }
});

/** Versions of one key that count how often their positions are read. */
function fillVersions(
  count: number,
): { bucket: Bucket; versions: Version[]; looked: () => number } {
  let looks = 0;
  const bucket = new Bucket("box", { created: new Date(0), region: "", versioning: "Enabled" });
  const versions = Array.from({ length: count }, (_, index): Version => {
    const place = { id: makeId(index + 1, crypto.randomUUID()), sequence: index + 1 };
    return {
      key: "a",
      modified: new Date(0),
      get version() {
        looks++;
        return place;
      },
    };
  });
  for (const version of versions) bucket.add(version);
  return { bucket, versions, looked: () => looks };
}

Deno.test("the cost of a version does not grow with the number of versions", () => {
  const { bucket, versions, looked } = fillVersions(50_000);
  const cost = (run: () => void): number => {
    const before = looked();
    run();
    return looked() - before;
  };
  const middle = versions[25_000]!;
  const id = idOf(middle);
  const page = (afterVersion?: string) =>
    listVersions(bucket, { prefix: "", delimiter: "", after: "a", afterVersion, maxKeys: 10 });
  const costs = {
    find: cost(() => assertEquals(bucket.version("a", id), middle)),
    list: cost(() => assertEquals(page(id).versions[0], versions[24_999])),
    remove: cost(() => bucket.remove(middle)),
    listBehindGone: cost(() => assertEquals(page(id).versions[0], versions[24_999])),
    findGone: cost(() => assertEquals(bucket.version("a", id), undefined)),
    findNull: cost(() => assertEquals(bucket.version("a", "null"), undefined)),
    add: cost(() => bucket.add(middle)),
  };
  // A search of 50 000 takes 16 steps.
  for (const [name, count] of Object.entries(costs)) assert(count < 40, `${name}: ${count}`);
});

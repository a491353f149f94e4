import { assertEquals } from "@std/assert";
import { folderOf, inOrder, nameOf, withChange, withoutFolder, withPage } from "./rows.js";

/** @import { Listing, ObjectsView, S3Operation } from "./types.d.ts" */

const QUERY = { bucket: "box", prefix: "a/", search: "" };

/**
 * @param {readonly string[]} keys
 * @param {{ folders?: readonly string[], token?: string }} [more]
 * @returns {ObjectsView}
 */
function page(keys, { folders = [], token } = {}) {
  return {
    bucket: { name: "box", creation_time: "", objects: 9, bytes: 9 },
    objects: keys.map((key, at) => ({
      bucket: "box",
      key,
      size: 10 - at,
      etag: "",
      last_modified: `2026-01-0${at + 1}`,
      checksums: {},
      headers: { content_type: "text/plain" },
      links: { self: "", content: "" },
    })),
    common_prefixes: folders.map((prefix) => ({ prefix })),
    ...(token === undefined ? {} : { next_continuation_token: token }),
  };
}

/** @param {Listing} listing */
const ids = ({ folders, objects }) => [...folders, ...objects].map(({ id }) => id);

/**
 * @param {Listing} listing
 * @param {S3Operation["operation"]} operation
 * @param {string} key
 */
const change = (listing, operation, key) =>
  withChange(listing, {
    query: QUERY,
    operation: { operation, bucket: "box", key, size: 3 },
    at: "2026-02-01",
  });

Deno.test("a key lies in the folder up to the next delimiter", () => {
  assertEquals(folderOf("a/b/c", ""), "a/");
  assertEquals(folderOf("a/b/c", "a/"), "a/b/");
  assertEquals(folderOf("a/b", "a/"), undefined);
  assertEquals(folderOf("a//b", "a/"), "a//");
  assertEquals([nameOf("a/b/", "a/"), nameOf("a/", "a/")], ["b/", "(the folder itself)"]);
});

Deno.test("pages are put together, also when a change was ahead of one", () => {
  const first = withPage(page(["a/1", "a/2"], { folders: ["a/b/"], token: "t" }), undefined);
  assertEquals(ids(withPage(page(["a/3"], { folders: ["a/c/"] }), first)), [
    "a/b/",
    "a/c/",
    "a/1",
    "a/2",
    "a/3",
  ]);
  const again = withPage(page(["a/2", "a/3"]), first);
  assertEquals(ids(again), ["a/b/", "a/1", "a/2", "a/3"]);
  assertEquals([first.token, again.token], ["t", undefined]);
});

Deno.test("what is stored appears in its place, once", () => {
  const start = withPage(page(["a/1", "a/3"]), undefined);
  const two = change(start, "object.put", "a/2").listing;
  assertEquals(ids(two), ["a/1", "a/2", "a/3"]);
  const replaced = change(two, "object.copy", "a/1").listing;
  assertEquals(ids(replaced), ["a/1", "a/2", "a/3"]);
  assertEquals([replaced.objects[0]?.size, replaced.objects[0]?.modified], [3, "2026-02-01"]);
  const folded = change(change(start, "object.put", "a/b/1").listing, "object.put", "a/b/2");
  assertEquals(ids(folded.listing), ["a/b/", "a/1", "a/3"]);
  assertEquals(change(start, "object.put", "z").listing, start);
});

Deno.test("what lies behind the pages fetched so far waits for its page", () => {
  const start = withPage(page(["a/1", "a/3"], { token: "t" }), undefined);
  assertEquals(ids(change(start, "object.put", "a/4").listing), ["a/1", "a/3"]);
  assertEquals(ids(change(start, "object.put", "a/2").listing), ["a/1", "a/2", "a/3"]);
});

Deno.test("what is deleted goes; a folder only once it is known to be empty", () => {
  const start = withPage(page(["a/1"], { folders: ["a/b/"] }), undefined);
  assertEquals(ids(change(start, "object.delete", "a/1").listing), ["a/b/"]);
  const doubtful = change(start, "object.delete", "a/b/1");
  assertEquals([doubtful.listing, doubtful.doubt], [start, "a/b/"]);
  assertEquals(ids(withoutFolder(start, "a/b/")), ["a/1"]);
  assertEquals(ids(withoutFolder(start, "a/c/")), ["a/b/", "a/1"]);
});

Deno.test("a search shows keys of any level that hold it", () => {
  const start = withPage(page([]), undefined);
  const query = { ...QUERY, search: "RePort" };
  const put = (/** @type {string} */ key) =>
    ids(
      withChange(start, {
        query,
        operation: { operation: "object.put", bucket: "box", key },
        at: "",
      }).listing,
    );
  assertEquals(put("a/b/my-report"), ["a/b/my-report"]);
  assertEquals(put("a/other"), []);
});

Deno.test("objects are ordered by size and age, folders stay in front", () => {
  const listing = withPage(page(["a/1", "a/2", "a/3"], { folders: ["a/b/", "a/c/"] }), undefined);
  const order = (/** @type {string} */ name) =>
    inOrder(listing, name).map(({ id }) => id).join(" ");
  assertEquals(order(""), "a/b/ a/c/ a/1 a/2 a/3");
  assertEquals(order("-name"), "a/c/ a/b/ a/3 a/2 a/1");
  assertEquals(order("size"), "a/b/ a/c/ a/3 a/2 a/1");
  assertEquals(order("-modified"), "a/b/ a/c/ a/3 a/2 a/1");
  assertEquals(order("modified"), "a/b/ a/c/ a/1 a/2 a/3");
});

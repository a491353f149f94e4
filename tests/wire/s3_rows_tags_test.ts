/** What S3 clients rely on: tags of objects and buckets (T). */
import { assertEquals } from "@std/assert";
import { begin, completion, fill, pick, row, sendPart, type Store } from "../support/s3.ts";

type Pair = readonly [key: string, value: string];

const tagging = (...tags: readonly Pair[]) =>
  `<Tagging><TagSet>${
    tags.map(([key, value]) => `<Tag><Key>${key}</Key><Value>${value}</Value></Tag>`).join("")
  }</TagSet></Tagging>`;

async function tagsOf(store: Store, path: string): Promise<string[]> {
  const text = await store.text("GET", `${path}?tagging`, 200);
  const values = pick(text, "Value");
  return pick(text, "Key").map((key, index) => `${key}=${values[index]}`);
}

async function countOf(store: Store, path: string): Promise<string | null> {
  return (await store.send("HEAD", path)).headers.get("x-amz-tagging-count");
}

const header = (value: string, more: Readonly<Record<string, string>> = {}) => ({
  headers: { "x-amz-tagging": value, ...more },
});

row("T1 tags are stored with an object, returned and counted", async (store) => {
  await store.text("PUT", "/box/a", 200, { body: "x", ...header("b+c=%C3%BC%20%2B&a=&z") });
  assertEquals(await tagsOf(store, "/box/a"), ["b c=ü +", "a=", "z="]);
  assertEquals(await countOf(store, "/box/a"), "3");
  await store.text("PUT", "/box/a", 200, { body: "y" });
  assertEquals([await tagsOf(store, "/box/a"), await countOf(store, "/box/a")], [[], null]);
  const id = await begin(store, "/box/m", { "x-amz-tagging": "k=v" });
  const at = `/box/m?uploadId=${id}`;
  const etag = await sendPart(store, `${at}&partNumber=1`, "x");
  await store.text("POST", at, 200, { body: completion([[1, etag]]) });
  assertEquals(await tagsOf(store, "/box/m"), ["k=v"]);
  const form = new FormData();
  form.append("key", "f");
  form.append("tagging", tagging(["from", "form"]));
  form.append("file", new File(["x"], "f"));
  await store.text("POST", "/box", 204, { body: form });
  assertEquals(await tagsOf(store, "/box/f"), ["from=form"]);
  const [event] = store.service.events.list({ type: "s3.object.put" });
  assertEquals((event!.payload as { readonly tags?: unknown }).tags, { from: "form" });
  const view = await store.service.getJson("/s3/buckets/box/objects/m");
  assertEquals((view as { readonly tags?: unknown }).tags, { k: "v" });
});

row("T2 tags are replaced and taken off, and nothing else of the object changes", async (store) => {
  await store.text("PUT", "/box/a", 200, {
    body: "x",
    ...header("old=1", { "x-amz-meta-m": "n" }),
  });
  const before = await store.send("HEAD", "/box/a");
  await store.text("PUT", "/box/a?tagging", 200, { body: tagging(["new", "2"], ["more", ""]) });
  assertEquals(await tagsOf(store, "/box/a"), ["new=2", "more="]);
  const after = await store.send("HEAD", "/box/a");
  for (const name of ["etag", "last-modified", "x-amz-meta-m", "content-type"]) {
    assertEquals(after.headers.get(name), before.headers.get(name), name);
  }
  await store.text("DELETE", "/box/a?tagging", 204);
  assertEquals(await tagsOf(store, "/box/a"), []);
  await store.text("PUT", "/box/a?tagging&versionId=null", 200, { body: tagging(["a", "b"]) });
  await store.text("PUT", "/box/a?tagging", 200, { body: tagging() });
  assertEquals([await tagsOf(store, "/box/a"), await countOf(store, "/box/a")], [[], null]);
  assertEquals(await store.text("GET", "/box/a", 200), "x");
  for (const method of ["GET", "DELETE"]) {
    assertEquals(await store.code(method, "/box/none?tagging"), "404 NoSuchKey");
    assertEquals(
      await store.code(method, `/box/a?tagging&versionId=${"x".repeat(32)}`),
      "404 NoSuchVersion",
    );
  }
  assertEquals(await store.code("PUT", "/box/none?tagging", { body: tagging() }), "404 NoSuchKey");
});

row("T3 a copy has the tags of its source, or those of the request", async (store) => {
  await store.text("PUT", "/box/a", 200, { body: "x", ...header("k=v") });
  const copy = (to: string, more: Readonly<Record<string, string>>) =>
    store.code("PUT", `/box/${to}`, { headers: { "x-amz-copy-source": "box/a", ...more } });
  const replace = { "x-amz-tagging-directive": "REPLACE" };
  assertEquals(await copy("b", {}), "200");
  assertEquals(await copy("c", { ...replace, "x-amz-tagging": "new=1" }), "200");
  assertEquals(await copy("d", replace), "200");
  assertEquals(await copy("e", { "x-amz-metadata-directive": "REPLACE" }), "200");
  const told = await Promise.all(["b", "c", "d", "e"].map((key) => tagsOf(store, `/box/${key}`)));
  assertEquals(told, [["k=v"], ["new=1"], [], ["k=v"]]);
  assertEquals(await copy("f", { "x-amz-tagging": "new=1" }), "400 InvalidArgument");
  assertEquals(await copy("f", { "x-amz-tagging-directive": "MOVE" }), "400 InvalidArgument");
  const put = { body: "x", headers: replace };
  assertEquals(await store.code("PUT", "/box/f", put), "501 NotImplemented");
});

row("T4 tags that S3 does not take change nothing", async (store) => {
  await fill(store, ["a"]);
  const many = (count: number) =>
    Array.from({ length: count }, (_, index): Pair => [`k${index}`, "v"]);
  const invalid = "400 InvalidTag";
  const malformed = "400 MalformedXML";
  const documents: readonly (readonly [string, string])[] = [
    ["400 BadRequest", tagging(...many(11))],
    [invalid, tagging(["", "v"])],
    [invalid, tagging(["k".repeat(129), "v"])],
    [invalid, tagging(["k", "v".repeat(257)])],
    [invalid, tagging(["k", "v!"])],
    [invalid, tagging(["aws:k", "v"])],
    [invalid, tagging(["k", "1"], ["k", "2"])],
    [malformed, ""],
    [malformed, "<Tagging/>"],
    [malformed, "<TagSet/>"],
    [malformed, tagging().replace("<TagSet>", "<TagSet><Tag><Key>k</Key></Tag>")],
    [malformed, tagging().replace("<TagSet>", "<TagSet><Other/>")],
  ];
  for (const [code, body] of documents) {
    assertEquals(await store.code("PUT", "/box/a?tagging", { body }), code, body.slice(0, 90));
  }
  const argument = "400 InvalidArgument";
  const queries: readonly (readonly [string, string])[] = [
    ["400 BadRequest", many(11).map(([key]) => `${key}=v`).join("&")],
    [invalid, "=v"],
    [invalid, "k=v%21"],
    [argument, "k=1&k=2"],
    [argument, "k=%zz"],
  ];
  for (const [code, value] of queries) {
    const put = { body: "y", ...header(value) };
    assertEquals(await store.code("PUT", "/box/a", put), code, value);
  }
  assertEquals([await tagsOf(store, "/box/a"), await store.text("GET", "/box/a", 200)], [[], "a"]);
  const largest: Pair = ["ü".repeat(128), "v".repeat(256)];
  const body = tagging(largest, ...many(9));
  await store.text("PUT", "/box/a?tagging", 200, { body });
  assertEquals((await tagsOf(store, "/box/a")).length, 10);
});

row("T5 a bucket has its own tags", async (store) => {
  assertEquals(await store.code("GET", "/box?tagging"), "404 NoSuchTagSet");
  const many = Array.from({ length: 51 }, (_, index): Pair => [`k${index}`, "v"]);
  const put = (tags: readonly Pair[]) =>
    store.code("PUT", "/box?tagging", { body: tagging(...tags) });
  assertEquals(await put(many), "400 BadRequest");
  assertEquals(await put([["aws:k", "v"]]), "400 InvalidTag");
  assertEquals(await put(many.slice(1)), "200");
  assertEquals((await tagsOf(store, "/box")).length, 50);
  await store.text("DELETE", "/box?tagging", 204);
  assertEquals(await store.code("GET", "/box?tagging"), "404 NoSuchTagSet");
});

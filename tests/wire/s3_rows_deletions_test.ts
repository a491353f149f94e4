/** What S3 clients rely on: missing versions, and conditional deletions (S, O). */
import { assertEquals } from "@std/assert";
import { begin, fill, pick, row, type Store } from "../support/s3.ts";

/** In the form of S3's own ids. */
const UNKNOWN = "UIORUnfndfiufdisojhr398493jfdkjF";
const PAST = "Thu, 01 Jan 2015 00:00:00 GMT";

/** Deletes entries and returns the code of each, by key; "" for deleted ones. */
async function deleteAll(store: Store, entries: string, quiet = false): Promise<string[][]> {
  const body = `<Delete><Quiet>${quiet}</Quiet>${entries}</Delete>`;
  const done = await store.text("POST", "/box?delete", 200, { body });
  const told = [...done.matchAll(/<(?:Deleted|Error)>(.*?)<\/(?:Deleted|Error)>/gs)];
  return told.map(([, text]) => [pick(text!, "Key")[0]!, pick(text!, "Code")[0] ?? ""]);
}

async function keysOf(store: Store): Promise<string[]> {
  return pick(await store.text("GET", "/box", 200), "Key");
}

row("S26 404 NoSuchVersion for a version that is not there, whose object stays", async (store) => {
  await fill(store, ["a"]);
  const unknown = `versionId=${UNKNOWN}`;
  const attributes = { "x-amz-object-attributes": "ETag" };
  const copy = (version: string) => ({ headers: { "x-amz-copy-source": `box/a?${version}` } });
  const at = `/box/m?uploadId=${await begin(store, "/box/m")}&partNumber=1`;
  const rows: readonly (readonly [string, string, string, RequestInit?])[] = [
    ["404 NoSuchVersion", "GET", `/box/a?${unknown}`],
    ["404", "HEAD", `/box/a?${unknown}`],
    ["404 NoSuchVersion", "DELETE", `/box/a?${unknown}`],
    ["404 NoSuchVersion", "GET", `/box/a?attributes&${unknown}`, { headers: attributes }],
    ["404 NoSuchVersion", "PUT", "/box/b", copy(unknown)],
    ["404 NoSuchVersion", "PUT", at, copy(unknown)],
    ["400 InvalidArgument", "GET", "/box/a?versionId=abc"],
    ["400 InvalidArgument", "DELETE", "/box/a?versionId=abc"],
    ["400 InvalidArgument", "DELETE", "/box/a?versionId="],
    ["400 InvalidArgument", "PUT", "/box/b", copy("versionId=abc")],
    ["400 InvalidArgument", "PUT", "/box/b", copy("version=null")],
    // Operations that accept no version.
    ["400 InvalidArgument", "PUT", "/box/a?versionId=null", { body: "new" }],
    ["400 InvalidArgument", "POST", "/box/a?uploads&versionId=null"],
    ["400 InvalidArgument", "DELETE", "/box?versionId=null"],
    ["404 NoSuchBucket", "DELETE", `/nothing/a?${unknown}`],
  ];
  for (const [code, method, path, init] of rows) {
    assertEquals(await store.code(method, path, init), code, `${method} ${path}`);
  }
  assertEquals([await keysOf(store), await store.text("GET", "/box/a", 200)], [["a"], "a"]);
});

row("O21 the version of every object is null, in reads, copies and deletions", async (store) => {
  await fill(store, ["a"]);
  for (const method of ["GET", "HEAD"]) {
    const plain = await store.send(method, "/box/a");
    assertEquals([await plain.text() !== "", plain.headers.get("x-amz-version-id")], [
      method === "GET",
      null,
    ]);
    const named = await store.send(method, "/box/a?versionId=null");
    await named.body?.cancel();
    assertEquals([named.status, named.headers.get("x-amz-version-id")], [200, "null"]);
  }
  const copied = await store.send("PUT", "/box/b", {
    headers: { "x-amz-copy-source": "box/a?versionId=null" },
  });
  await copied.body?.cancel();
  assertEquals(copied.headers.get("x-amz-copy-source-version-id"), "null");
  const deleted = await store.send("DELETE", "/box/a?versionId=null");
  assertEquals([deleted.status, deleted.headers.get("x-amz-version-id")], [204, "null"]);
  assertEquals(await keysOf(store), ["b"]);
});

row("O22 of many keys, one with an unknown version stays, as an error", async (store) => {
  await fill(store, ["a", "b", "c"]);
  const entries = "<Object><Key>a</Key><VersionId>abc</VersionId></Object>" +
    `<Object><Key>none</Key><VersionId>${UNKNOWN}</VersionId></Object>` +
    "<Object><Key>b</Key><VersionId>null</VersionId></Object>";
  const errors = [["a", "NoSuchVersion"], ["none", "NoSuchVersion"]];
  assertEquals(await deleteAll(store, entries), [...errors, ["b", ""]]);
  assertEquals(await keysOf(store), ["a", "c"]);
  assertEquals(await deleteAll(store, entries, true), errors);
  assertEquals(store.service.events.list({ type: "s3.object.delete" }).length, 1);
});

row("S27 412 PreconditionFailed for a deletion under a condition that fails", async (store) => {
  await fill(store, ["a"]);
  const { headers } = await store.send("HEAD", "/box/a");
  const [etag, modified] = [headers.get("etag")!, headers.get("last-modified")!];
  const failing: readonly Record<string, string>[] = [
    { "if-match": '"x"' },
    { "x-amz-if-match-size": "2" },
    { "x-amz-if-match-last-modified-time": PAST },
    { "if-match": etag, "x-amz-if-match-size": "2" },
    { "x-amz-if-match-size": "1", "x-amz-if-match-last-modified-time": PAST },
  ];
  for (const condition of failing) {
    const code = await store.code("DELETE", "/box/a", { headers: condition });
    assertEquals(code, "412 PreconditionFailed", JSON.stringify(condition));
  }
  for (const name of ["x-amz-if-match-size", "x-amz-if-match-last-modified-time"]) {
    const code = await store.code("DELETE", "/box/a", { headers: { [name]: "soon" } });
    assertEquals(code, "400 InvalidArgument", name);
  }
  assertEquals(await keysOf(store), ["a"]);
  const missing = { headers: { "if-match": "*" } };
  assertEquals(await store.code("DELETE", "/box/never", missing), "404 NoSuchKey");
  const holding: readonly Record<string, string>[] = [
    { "if-match": "*" },
    { "if-match": etag },
    { "if-match": etag.replaceAll('"', "") },
    { "x-amz-if-match-size": "1" },
    { "x-amz-if-match-last-modified-time": modified },
  ];
  for (const condition of holding) {
    await fill(store, ["a"]);
    const head = await store.send("HEAD", "/box/a");
    const named = "x-amz-if-match-last-modified-time" in condition
      ? { "x-amz-if-match-last-modified-time": head.headers.get("last-modified")! }
      : condition;
    await store.text("DELETE", "/box/a", 204, { headers: named });
    assertEquals(await keysOf(store), [], JSON.stringify(condition));
  }
});

row("O23 of many keys, one whose condition fails stays, as an error", async (store) => {
  await fill(store, ["a", "b", "c", "d"]);
  const etag = (await store.send("HEAD", "/box/b")).headers.get("etag")!;
  const modified = (await store.send("HEAD", "/box/d")).headers.get("last-modified")!;
  const entry = (key: string, more: string) => `<Object><Key>${key}</Key>${more}</Object>`;
  const done = await deleteAll(
    store,
    [
      entry("a", "<ETag>&quot;x&quot;</ETag>"),
      entry("a", "<Size>2</Size>"),
      entry("a", `<LastModifiedTime>${PAST}</LastModifiedTime>`),
      entry("never", "<ETag>*</ETag>"),
      entry("never", "<Size>2</Size>"),
      entry("b", `<ETag>${etag}</ETag>`),
      entry("c", "<Size>1</Size>"),
      entry("d", `<LastModifiedTime>${new Date(modified).toISOString()}</LastModifiedTime>`),
    ].join(""),
  );
  const failed = ["a", "PreconditionFailed"];
  assertEquals(done, [
    failed,
    failed,
    failed,
    ["never", "NoSuchKey"],
    ["never", ""],
    ["b", ""],
    ["c", ""],
    ["d", ""],
  ]);
  assertEquals(await keysOf(store), ["a"]);
  for (const element of ["<Size>x</Size>", "<LastModifiedTime>x</LastModifiedTime>"]) {
    const body = `<Delete>${entry("a", element)}</Delete>`;
    assertEquals(await store.code("POST", "/box?delete", { body }), "400 MalformedXML", element);
  }
});

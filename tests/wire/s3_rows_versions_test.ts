/** What S3 clients rely on: versions of objects (V). */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { begin, completion, pick, row, sendPart, statsOf, type Store } from "../support/s3.ts";

const UNKNOWN = "UIORUnfndfiufdisojhr398493jfdkjF";

async function setVersioning(store: Store, status: "Enabled" | "Suspended"): Promise<void> {
  const body = `<VersioningConfiguration><Status>${status}</Status></VersioningConfiguration>`;
  await store.text("PUT", "/box?versioning", 200, { body });
}

/**
 * Sends, checks the status, and returns the version headers of the response: its id, and whether it
 * is a delete marker.
 */
async function told(
  store: Store,
  [method, path, status]: readonly [string, string, number],
  init?: RequestInit,
): Promise<{ id: string | null; marker: string | null; text: string }> {
  const response = await store.send(method, path, init);
  const text = await response.text();
  assertEquals(response.status, status, `${method} ${path}: ${text}`);
  const { headers } = response;
  return { id: headers.get("x-amz-version-id"), marker: headers.get("x-amz-delete-marker"), text };
}

async function put(store: Store, key: string, body: string): Promise<string> {
  return (await told(store, ["PUT", `/box/${key}`, 200], { body })).id!;
}

/** Versions of a listing, each as `key id`, with `!` for a delete marker and `*` for the latest. */
function versionsIn(text: string): string[] {
  const found = text.matchAll(/<(Version|DeleteMarker)>(.*?)<\/\1>/gs);
  return [...found].map(([, kind, inner]) => {
    const [key, id, latest] = ["Key", "VersionId", "IsLatest"].map((name) => pick(inner!, name)[0]);
    return `${key} ${id}${kind === "DeleteMarker" ? "!" : ""}${latest === "true" ? "*" : ""}`;
  });
}

async function list(store: Store, query = ""): Promise<string[]> {
  return versionsIn(await store.text("GET", `/box?versions${query}`, 200));
}

row("V1 versioning is enabled and suspended, and never goes away again", async (store) => {
  const state = async () => pick(await store.text("GET", "/box?versioning", 200), "Status");
  assertEquals(await state(), []);
  const configure = (inner: string) =>
    store.code("PUT", "/box?versioning", {
      body: `<VersioningConfiguration>${inner}</VersioningConfiguration>`,
    });
  assertEquals(await configure(""), "400 IllegalVersioningConfigurationException");
  assertEquals(await configure("<Status>Disabled</Status>"), "400 MalformedXML");
  assertEquals(await configure("<Status>Enabled</Status><Other/>"), "400 MalformedXML");
  const mfa = "<MfaDelete>Enabled</MfaDelete>";
  assertEquals(await configure(`<Status>Enabled</Status>${mfa}`), "501 NotImplemented");
  assertEquals(await store.code("PUT", "/box?versioning", { body: "<X/>" }), "400 MalformedXML");
  assertEquals(await state(), []);
  for (const status of ["Enabled", "Suspended", "Enabled"]) {
    assertEquals(await configure(`<Status>${status}</Status>`), "200");
    assertEquals(await state(), [status]);
  }
  // It stays when the bucket is created again, or given an ACL.
  await store.text("PUT", "/box", 200, { headers: { "x-amz-acl": "public-read" } });
  assertEquals(await state(), ["Enabled"]);
});

row("V2 every write makes a version, and each can be read by its id", async (store) => {
  await store.text("PUT", "/box/a", 200, { body: "before" });
  await setVersioning(store, "Enabled");
  assertEquals((await told(store, ["GET", "/box/a", 200])).id, "null");
  const [one, two] = [await put(store, "a", "one"), await put(store, "a", "two")];
  assertMatch(one, /^[\w.-]{32}$/);
  assert(one !== two);
  for (const [id, text] of [[one, "one"], [two, "two"], ["null", "before"]]) {
    const named = await told(store, ["GET", `/box/a?versionId=${id}`, 200]);
    assertEquals([named.id, named.text], [id!, text!]);
    assertEquals((await told(store, ["HEAD", `/box/a?versionId=${id}`, 200])).id, id!);
  }
  assertEquals((await told(store, ["GET", "/box/a", 200])).text, "two");
  assertEquals(await list(store), [`a ${two}*`, `a ${one}`, "a null"]);
  assertEquals(pick(await store.text("GET", "/box", 200), "Key"), ["a"]);
  assertEquals(await store.code("GET", `/box/a?versionId=${UNKNOWN}`), "404 NoSuchVersion");
  assertEquals(await store.code("GET", `/box/b?versionId=${one}`), "404 NoSuchVersion");
  assertEquals(await store.code("GET", "/box/a?versionId=abc"), "400 InvalidArgument");
  const [event] = store.service.events.list({ type: "s3.object.put" });
  assertEquals((event!.payload as { readonly version_id?: string }).version_id, two);
});

row(
  "V3 a deletion leaves a delete marker, which hides the versions until it is deleted",
  async (store) => {
    await setVersioning(store, "Enabled");
    const one = await put(store, "a", "one");
    const { id, marker } = await told(store, ["DELETE", "/box/a", 204]);
    assertEquals(marker, "true");
    for (const method of ["GET", "HEAD"]) {
      const hidden = await told(store, [method, "/box/a", 404]);
      assertEquals([hidden.id, hidden.marker], [id, "true"]);
      const response = await store.send(method, `/box/a?versionId=${id}`);
      await response.body?.cancel();
      const { headers } = response;
      assertEquals([response.status, headers.get("allow")], [405, "DELETE"]);
      assertEquals([headers.get("x-amz-delete-marker"), headers.get("x-amz-version-id")], [
        "true",
        id,
      ]);
      assert(headers.has("last-modified"));
    }
    assertEquals(await store.code("GET", `/box/a?versionId=${id}`), "405 MethodNotAllowed");
    assertEquals(pick(await store.text("GET", "/box?list-type=2", 200), "Key"), []);
    assertEquals(await list(store), [`a ${id}!*`, `a ${one}`]);
    assertEquals((await told(store, ["GET", `/box/a?versionId=${one}`, 200])).text, "one");
    const removed = await told(store, ["DELETE", `/box/a?versionId=${id}`, 204]);
    assertEquals([removed.id, removed.marker], [id, "true"]);
    assertEquals((await told(store, ["GET", "/box/a", 200])).text, "one");
    // Also of a key that never existed, and again of a hidden one.
    const none = await told(store, ["DELETE", "/box/none", 204]);
    const again = await told(store, ["DELETE", "/box/none", 204]);
    assertEquals(await list(store, "&prefix=none"), [`none ${again.id}!*`, `none ${none.id}!`]);
    const payloads = store.service.events.list({ type: "s3.object.delete" }).map(({ payload }) =>
      (payload as { readonly delete_marker?: string }).delete_marker
    );
    assertEquals(payloads, ["created", "created", "removed", "created"]);
  },
);

row("V4 deleting a version for good brings back the one before it", async (store) => {
  await store.text("PUT", "/box/a", 200, { body: "before" });
  await setVersioning(store, "Enabled");
  const [one, two] = [await put(store, "a", "one"), await put(store, "a", "two")];
  const gone = await told(store, ["DELETE", `/box/a?versionId=${two}`, 204]);
  assertEquals([gone.id, gone.marker], [two, null]);
  assertEquals((await told(store, ["GET", "/box/a", 200])).text, "one");
  // Repeatable.
  assertEquals((await told(store, ["DELETE", `/box/a?versionId=${two}`, 204])).id, two);
  assertEquals(await store.code("DELETE", "/box/a?versionId=abc"), "400 InvalidArgument");
  await told(store, ["DELETE", "/box/a?versionId=null", 204]);
  assertEquals(await list(store), [`a ${one}*`]);
  assertEquals(await store.code("DELETE", "/box"), "409 BucketNotEmpty");
  await told(store, ["DELETE", `/box/a?versionId=${one}`, 204]);
  assertEquals([await list(store), await store.code("GET", "/box/a")], [[], "404 NoSuchKey"]);
  const marker = await told(store, ["DELETE", "/box/a", 204]);
  assertEquals(await store.code("DELETE", "/box"), "409 BucketNotEmpty");
  await told(store, ["DELETE", `/box/a?versionId=${marker.id}`, 204]);
  const { objects, bytes } = await statsOf(store.service);
  assertEquals([objects, bytes], [0, 0]);
  await store.text("DELETE", "/box", 204);
});

row("V5 a suspended bucket keeps its versions, and writes the version null", async (store) => {
  await setVersioning(store, "Enabled");
  const one = await put(store, "a", "one");
  await setVersioning(store, "Suspended");
  for (const body of ["two", "three"]) {
    assertEquals((await told(store, ["PUT", "/box/a", 200], { body })).id, null);
  }
  assertEquals(await list(store), ["a null*", `a ${one}`]);
  const current = await told(store, ["GET", "/box/a", 200]);
  assertEquals([current.id, current.text], ["null", "three"]);
  const marker = await told(store, ["DELETE", "/box/a", 204]);
  assertEquals([marker.id, marker.marker], ["null", "true"]);
  assertEquals(await list(store), ["a null!*", `a ${one}`]);
  await setVersioning(store, "Enabled");
  const four = await put(store, "a", "four");
  assertEquals(await list(store), [`a ${four}*`, "a null!", `a ${one}`]);
  await setVersioning(store, "Suspended");
  await store.text("PUT", "/box/a", 200, { body: "five" });
  assertEquals(await list(store), ["a null*", `a ${four}`, `a ${one}`]);
  assertEquals((await statsOf(store.service)).bytes, "five".length + "four".length + "one".length);
});

row("V6 of many keys each entry names its marker, or the version that went", async (store) => {
  await setVersioning(store, "Enabled");
  const [a, b] = [await put(store, "a", "a"), await put(store, "b", "b")];
  const hidden = await told(store, ["DELETE", "/box/c", 204]);
  const entry = (key: string, id?: string, more = "") =>
    `<Object><Key>${key}</Key>${id ? `<VersionId>${id}</VersionId>` : ""}${more}</Object>`;
  const send = (...entries: string[]) =>
    store.text("POST", "/box?delete", 200, { body: `<Delete>${entries.join("")}</Delete>` });
  const done = await send(
    entry("a"),
    entry("b", b, "<ETag>x</ETag>"),
    entry("b", b),
    entry("c", hidden.id!),
    entry("b", "abc"),
    entry("b", UNKNOWN),
  );
  const [made] = pick(done, "DeleteMarkerVersionId");
  const parts = [...done.matchAll(/<(Deleted|Error)>(.*?)<\/\1>/gs)].map(([, kind, inner]) => [
    kind,
    pick(inner!, "Key")[0],
    ...["VersionId", "DeleteMarker", "DeleteMarkerVersionId", "Code"].map((name) =>
      pick(inner!, name)[0] ?? ""
    ),
  ]);
  assertEquals(parts, [
    ["Deleted", "a", "", "true", made, ""],
    ["Error", "b", b, "", "", "PreconditionFailed"],
    ["Deleted", "b", b, "", "", ""],
    ["Deleted", "c", hidden.id!, "true", hidden.id!, ""],
    ["Error", "b", "abc", "", "", "NoSuchVersion"],
    ["Deleted", "b", UNKNOWN, "", "", ""],
  ]);
  assertEquals(await list(store), [`a ${made}!*`, `a ${a}`]);
  // Several versions of one key, and the same one twice.
  await send(entry("a", a), entry("a", made), entry("a", a));
  assertEquals(await list(store), []);
});

row(
  "V7 a listing of versions is paged by key and version, and goes on when the marker has gone",
  async (store) => {
    const ids: Record<string, string[]> = {};
    await store.text("PUT", "/box/b", 200, { body: "before" });
    await setVersioning(store, "Enabled");
    for (const key of ["a", "b", "dir/x", "dir/y", "e"]) {
      for (const body of ["1", "2", "3"]) (ids[key] ??= []).unshift(await put(store, key, body));
    }
    const all = await list(store);
    assertEquals(all.length, 16);
    for (const size of [1, 2, 3, 7, 16, 1000]) {
      const found: string[] = [];
      for (let query = "";;) {
        const page = await store.text("GET", `/box?versions&max-keys=${size}${query}`, 200);
        found.push(...versionsIn(page));
        if (pick(page, "IsTruncated")[0] !== "true") break;
        const [key, id] = [pick(page, "NextKeyMarker")[0]!, pick(page, "NextVersionIdMarker")[0]!];
        query = `&key-marker=${encodeURIComponent(key)}&version-id-marker=${id}`;
      }
      assertEquals(found, all, `pages of ${size}`);
    }
    const folded = await store.text(
      "GET",
      "/box?versions&delimiter=/&key-marker=b&max-keys=2",
      200,
    );
    assertEquals([pick(folded, "Prefix"), versionsIn(folded)], [["", "dir/"], [`e ${ids.e![0]}*`]]);
    assertEquals(await list(store, "&prefix=dir/y"), all.filter((one) => one.startsWith("dir/y")));
    const url = await store.text(
      "GET",
      "/box?versions&encoding-type=url&prefix=dir%2F&delimiter=+",
      200,
    );
    assertEquals([pick(url, "EncodingType"), pick(url, "Delimiter")], [["url"], ["%20"]]);
    assertEquals(await list(store, "&max-keys=0"), []);
    assertEquals(await list(store, "&key-marker=b"), all.filter((one) => one > "c"));
    const [marker] = ids.b!.slice(1);
    await told(store, ["DELETE", `/box/b?versionId=${marker}`, 204]);
    const after = await list(store, `&key-marker=b&version-id-marker=${marker}&max-keys=2`);
    assertEquals(after, [`b ${ids.b![2]}`, "b null"]);
    for (const query of ["&version-id-marker=null", "&key-marker=b&version-id-marker=x"]) {
      assertEquals(await store.code("GET", `/box?versions${query}`), "400 InvalidArgument", query);
    }
  },
);

row("V8 a bucket without versions lists each object as its version null", async (store) => {
  await store.text("PUT", "/box/a", 200, { body: "x" });
  assertEquals(await list(store), ["a null*"]);
  assertEquals((await told(store, ["GET", "/box/a", 200])).id, null);
  assertEquals((await told(store, ["DELETE", "/box/a", 204])).marker, null);
  assertEquals(await list(store), []);
});

row(
  "V9 a copy reads any version and makes one; an earlier one comes back that way",
  async (store) => {
    await setVersioning(store, "Enabled");
    const [one, two] = [await put(store, "a", "one"), await put(store, "a", "two")];
    const copy = (to: string, source: string) =>
      store.send("PUT", `/box/${to}`, { headers: { "x-amz-copy-source": source } });
    const back = await copy("a", `box/a?versionId=${one}`);
    await back.body?.cancel();
    assertEquals(back.headers.get("x-amz-copy-source-version-id"), one);
    const three = back.headers.get("x-amz-version-id")!;
    assertEquals((await told(store, ["GET", "/box/a", 200])).text, "one");
    assertEquals(await list(store), [`a ${three}*`, `a ${two}`, `a ${one}`]);
    const plain = await copy("b", "box/a");
    await plain.body?.cancel();
    assertEquals(plain.headers.get("x-amz-copy-source-version-id"), three);
    assertEquals(
      await store.code("PUT", "/box/a", { headers: { "x-amz-copy-source": "box/a" } }),
      "400 InvalidRequest",
    );
    const { id } = await told(store, ["DELETE", "/box/a", 204]);
    const codes = ["box/a", `box/a?versionId=${id}`, `box/a?versionId=${UNKNOWN}`].map((source) =>
      store.code("PUT", "/box/c", { headers: { "x-amz-copy-source": source } })
    );
    assertEquals(await Promise.all(codes), [
      "404 NoSuchKey",
      "400 InvalidRequest",
      "404 NoSuchVersion",
    ]);
    // Bytes shared by versions are kept until the last of them is deleted.
    for (const version of [one, three]) {
      await told(store, ["DELETE", `/box/a?versionId=${version}`, 204]);
    }
    assertEquals(await store.text("GET", "/box/b", 200), "one");
    const part = await begin(store, "/box/m");
    const at = `/box/m?uploadId=${part}&partNumber=1`;
    const response = await store.send("PUT", at, {
      headers: { "x-amz-copy-source": `box/a?versionId=${two}` },
    });
    await response.body?.cancel();
    assertEquals(response.headers.get("x-amz-copy-source-version-id"), two);
  },
);

row("V10 tags, ACL and attributes belong to one version", async (store) => {
  await setVersioning(store, "Enabled");
  const [one, two] = [await put(store, "a", "one"), await put(store, "a", "two!")];
  const tags = "<Tagging><TagSet><Tag><Key>k</Key><Value>v</Value></Tag></TagSet></Tagging>";
  const named = `/box/a?versionId=${one}`;
  assertEquals((await told(store, ["PUT", `${named}&tagging`, 200], { body: tags })).id, one);
  assertEquals(pick(await store.text("GET", `${named}&tagging`, 200), "Value"), ["v"]);
  const current = await told(store, ["GET", "/box/a?tagging", 200]);
  assertEquals([current.id, pick(current.text, "Value")], [two, []]);
  const acl = { headers: { "x-amz-acl": "public-read" } };
  assertEquals((await told(store, ["PUT", `${named}&acl`, 200], acl)).id, one);
  assertEquals(pick(await store.text("GET", `${named}&acl`, 200), "Permission").length, 2);
  assertEquals(pick(await store.text("GET", "/box/a?acl", 200), "Permission").length, 1);
  const wanted = { headers: { "x-amz-object-attributes": "ObjectSize" } };
  const attributes = await told(store, ["GET", `${named}&attributes`, 200], wanted);
  assertEquals([attributes.id, pick(attributes.text, "ObjectSize")], [one, ["3"]]);
  assertEquals((await told(store, ["DELETE", `${named}&tagging`, 204])).id, one);
  const { id } = await told(store, ["DELETE", "/box/a", 204]);
  const refused: readonly (readonly [string, string, string, RequestInit?])[] = [
    ["404 NoSuchKey", "GET", "/box/a?tagging"],
    ["404 NoSuchKey", "GET", "/box/a?attributes", wanted],
    ["405 MethodNotAllowed", "PUT", "/box/a?tagging", { body: tags }],
    ["405 MethodNotAllowed", "PUT", "/box/a?acl", acl],
    ["405 MethodNotAllowed", "GET", `/box/a?acl&versionId=${id}`],
    ["405 MethodNotAllowed", "DELETE", `/box/a?tagging&versionId=${id}`],
  ];
  for (const [code, method, path, init] of refused) {
    assertEquals(await store.code(method, path, init), code, `${method} ${path}`);
  }
});

row("V11 uploads in parts and forms make versions, too", async (store) => {
  await setVersioning(store, "Enabled");
  const one = await put(store, "a", "one");
  const at = `/box/a?uploadId=${await begin(store, "/box/a")}`;
  const etag = await sendPart(store, `${at}&partNumber=1`, "parts");
  const done = await told(store, ["POST", at, 200], { body: completion([[1, etag]]) });
  const again = await told(store, ["POST", at, 200], { body: completion([[1, etag]]) });
  assertEquals(again.id, done.id);
  assertEquals(await list(store), [`a ${done.id}*`, `a ${one}`]);
  const form = new FormData();
  form.append("key", "a");
  form.append("file", new File(["form"], "f"));
  const posted = await told(store, ["POST", "/box", 204], { body: form });
  assertEquals(await list(store), [`a ${posted.id}*`, `a ${done.id}`, `a ${one}`]);
});

row(
  "V12 conditions are held against the current object, or the version that a deletion names",
  async (store) => {
    await setVersioning(store, "Enabled");
    const [one, two] = [await put(store, "a", "one"), await put(store, "a", "second")];
    const etag = (await store.send("HEAD", `/box/a?versionId=${one}`)).headers.get("etag")!;
    const under = (condition: Record<string, string>) => ({ headers: condition });
    const named = `/box/a?versionId=${one}`;
    const failed = "412 PreconditionFailed";
    assertEquals(await store.code("DELETE", "/box/a", under({ "if-match": etag })), failed);
    assertEquals(await store.code("DELETE", named, under({ "if-match": '"x"' })), failed);
    assertEquals(await store.code("DELETE", named, under({ "x-amz-if-match-size": "6" })), failed);
    assertEquals(await store.code("DELETE", named, under({ "if-match": etag })), "204");
    const missing = await store.code("DELETE", named, under({ "if-match": "*" }));
    assertEquals(missing, "404 NoSuchVersion");
    const create = { body: "new", ...under({ "if-none-match": "*" }) };
    assertEquals(await store.code("PUT", "/box/a", create), failed);
    const { id } = await told(store, ["DELETE", "/box/a", 204]);
    // Readers find nothing.
    assertEquals(await store.code("DELETE", "/box/a", under({ "if-match": "*" })), "404 NoSuchKey");
    const match = { body: "new", ...under({ "if-match": "*" }) };
    assertEquals(await store.code("PUT", "/box/a", match), "404 NoSuchKey");
    const three = (await told(store, ["PUT", "/box/a", 200], create)).id;
    assertEquals(await list(store), [`a ${three}*`, `a ${id}!`, `a ${two}`]);
  },
);

row(
  "V14 a size or time that has no object to compare creates no delete marker",
  async (store) => {
    await setVersioning(store, "Enabled");
    const one = await put(store, "a", "one");
    const { id } = await told(store, ["DELETE", "/box/a", 204]);
    const past = "Thu, 01 Jan 2015 00:00:00 GMT";
    const conditions = [
      ["x-amz-if-match-size", "Size", "3"],
      ["x-amz-if-match-last-modified-time", "LastModifiedTime", past],
    ] as const;
    for (const state of ["Enabled", "Suspended"] as const) {
      await setVersioning(store, state);
      for (const [field, element, value] of conditions) {
        for (const key of ["a", "never"]) {
          const refused = await store.send("DELETE", `/box/${key}`, {
            headers: { [field]: value },
          });
          const text = await refused.text();
          assertEquals([refused.status, pick(text, "Code")], [501, ["NotImplemented"]], text);
          assertStringIncludes(text, field);
          const entry = `<Object><Key>${key}</Key><${element}>${value}</${element}></Object>`;
          const body = `<Delete>${entry}</Delete>`;
          const many = await store.text("POST", "/box?delete", 200, { body });
          assertEquals(pick(many, "Code"), ["NotImplemented"], many);
          assertStringIncludes(pick(many, "Message")[0]!, element);
        }
      }
      const both = { headers: { "if-match": "*", "x-amz-if-match-size": "3" } };
      assertEquals(await store.code("DELETE", "/box/a", both), "404 NoSuchKey");
      assertEquals(await list(store), [`a ${id}!*`, `a ${one}`]);
    }
    // The condition is compared with a delete marker that the request names.
    const named = `/box/a?versionId=${id}`;
    const sized = (size: string) => ({ headers: { "x-amz-if-match-size": size } });
    assertEquals(await store.code("DELETE", named, sized("3")), "412 PreconditionFailed");
    assertEquals(await store.code("DELETE", named, sized("0")), "204");
  },
);

row("V13 versions and delete markers count as objects", async (store) => {
  await setVersioning(store, "Enabled");
  const one = await put(store, "a", "1");
  await put(store, "a", "2");
  await told(store, ["DELETE", "/box/a", 204]);
  const full = "503 ServiceUnavailable";
  assertEquals(await store.code("PUT", "/box/a", { body: "3" }), full);
  assertEquals(await store.code("DELETE", "/box/a"), full);
  const many = { body: "<Delete><Object><Key>a</Key></Object></Delete>" };
  assertEquals(await store.code("POST", "/box?delete", many), full);
  assertEquals((await list(store)).length, 3);
  await told(store, ["DELETE", `/box/a?versionId=${one}`, 204]);
  await put(store, "a", "3");
  assertEquals((await list(store)).length, 3);
}, { max_objects: 3 });

/** What S3 clients rely on: objects (O). */
import { assert, assertEquals, assertMatch } from "@std/assert";
import {
  begin,
  completion,
  fill,
  listedCompletion,
  md5Of,
  pick,
  row,
  sendPart,
  type Store,
} from "../support/s3.ts";

const STORED = {
  "content-type": "text/plain; charset=utf-8",
  "cache-control": "no-cache",
  "content-disposition": 'attachment; filename="a.txt"',
  "content-language": "de",
  expires: "not a date",
};

row(
  "O1 a PUT is 200 with the entity tag, an empty body and the checksums it verified",
  async (store) => {
    const headers = { "x-amz-checksum-crc32": "99GJgg==", "x-amz-sdk-checksum-algorithm": "CRC32" };
    const put = await store.send("PUT", "/box/a", { body: "Hello", headers });
    assertEquals([put.status, await put.text()], [200, ""]);
    assertEquals(put.headers.get("etag"), '"8b1a9953c4611296a827abf8c47804d7"');
    assertEquals(put.headers.get("x-amz-checksum-crc32"), "99GJgg==");
    assertEquals(put.headers.get("x-amz-checksum-type"), "FULL_OBJECT");
    assert(put.headers.has("x-service-event-url"));
  },
);

row(
  "O2 the six content fields are kept as text, the type is binary/octet-stream otherwise",
  async (store) => {
    await store.text("PUT", "/box/a", 200, { body: "x", headers: STORED });
    await store.text("PUT", "/box/gz", 200, { body: "x", headers: { "content-encoding": "br" } });
    await store.text("PUT", "/box/plain", 200, { body: new Uint8Array(1) });
    for (const method of ["GET", "HEAD"]) {
      const { headers, body } = await store.send(method, "/box/a");
      await body?.cancel();
      for (const [name, value] of Object.entries(STORED)) assertEquals(headers.get(name), value);
    }
    const coded = await store.send("HEAD", "/box/gz");
    assertEquals(coded.headers.get("content-encoding"), "br");
    const plain = await store.send("HEAD", "/box/plain");
    assertEquals(plain.headers.get("content-type"), "binary/octet-stream");
  },
);

row(
  "O3 metadata has names in lower case, values may be empty or UTF-8, a later PUT replaces all",
  async (store) => {
    const headers = {
      ...STORED,
      "X-Amz-Meta-Colour": "blue",
      "x-amz-meta-empty": "",
      "x-amz-meta-utf8": "\u00c3\u00bc",
      "x-amz-meta-__proto__": "p",
    };
    await store.text("PUT", "/box/a", 200, { body: "x", headers });
    const first = (await store.send("HEAD", "/box/a")).headers;
    assertEquals(
      ["colour", "empty", "utf8", "__proto__"].map((name) => first.get(`x-amz-meta-${name}`)),
      ["blue", "", "\u00c3\u00bc", "p"],
    );
    await store.text("PUT", "/box/a", 200, { body: new Uint8Array(1) });
    const second = [...(await store.send("HEAD", "/box/a")).headers.keys()];
    assertEquals(second.filter((name) => name.startsWith("x-amz-meta-") || name === "expires"), []);
  },
);

row("O4 a PUT takes effect at its end: readers get the old object until then", async (store) => {
  await store.text("PUT", "/box/a", 200, { body: "old" });
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const put = store.send("PUT", "/box/a", { body: readable });
  await writer.write(new TextEncoder().encode("new"));
  assertEquals(await store.text("GET", "/box/a", 200), "old");
  await writer.close();
  assertEquals((await put).status, 200);
  await (await put).body?.cancel();
  assertEquals(await store.text("GET", "/box/a", 200), "new");
});

row("O5 of two writers the one that ends last wins, with one whole body", async (store) => {
  const open = () => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    return { writer: writable.getWriter(), put: store.send("PUT", "/box/a", { body: readable }) };
  };
  const [first, second] = [open(), open()];
  const bytes = (fill: number) => new Uint8Array(100_000).fill(fill);
  await first.writer.write(bytes(1));
  await second.writer.write(bytes(2));
  await second.writer.write(bytes(2));
  await second.writer.close();
  await (await second.put).text();
  await first.writer.write(bytes(1));
  await first.writer.close();
  await (await first.put).text();
  const got = await (await store.send("GET", "/box/a")).bytes();
  assertEquals(got, new Uint8Array(200_000).fill(1));
});

row("O6 GET and HEAD tell length, type, tag, time and that ranges are taken", async (store) => {
  await fill(store, ["Hello"]);
  for (const [method, body] of [["GET", "Hello"], ["HEAD", ""]] as const) {
    const response = await store.send(method, "/box/Hello");
    const { headers } = response;
    assertEquals([await response.text(), headers.get("content-length")], [body, "5"]);
    assertEquals(headers.get("accept-ranges"), "bytes");
    assert(headers.has("etag") && headers.has("last-modified"));
  }
});

row("O7 response-* in the query overrides header fields of GET and HEAD", async (store) => {
  await store.text("PUT", "/box/a", 200, { body: "x", headers: STORED });
  const names = [
    "content-type",
    "content-language",
    "content-disposition",
    "cache-control",
    "expires",
  ];
  const query = names.map((name) => `response-${name}=other%2F${name}`).join("&");
  for (const method of ["GET", "HEAD"]) {
    const { headers, body } = await store.send(method, `/box/a?${query}`);
    await body?.cancel();
    for (const name of names) assertEquals(headers.get(name), `other/${name}`);
  }
  const coded = await store.send("HEAD", "/box/a?response-content-encoding=br");
  assertEquals(coded.headers.get("content-encoding"), "br");
});

row(
  "O8 a range is 206 with its place, cut to the size; one that does not parse is passed over",
  async (store) => {
    await fill(store, ["Hello"]);
    const rows: readonly (readonly [string, number, string, string | null])[] = [
      ["bytes=1-2", 206, "el", "bytes 1-2/5"],
      ["bytes=3-", 206, "lo", "bytes 3-4/5"],
      ["bytes=-1", 206, "o", "bytes 4-4/5"],
      ["bytes=-99", 206, "Hello", "bytes 0-4/5"],
      ["bytes=0-99", 206, "Hello", "bytes 0-4/5"],
      ["bytes=4-4", 206, "o", "bytes 4-4/5"],
      ["bytes=2-1", 200, "Hello", null],
      ["lines=1", 200, "Hello", null],
      ["bytes=x-y", 200, "Hello", null],
      ["bytes=", 200, "Hello", null],
    ];
    for (const [range, status, text, place] of rows) {
      const response = await store.send("GET", "/box/Hello", { headers: { range } });
      assertEquals([response.status, await response.text()], [status, text], range);
      assertEquals(response.headers.get("content-range"), place, range);
      const head = await store.send("HEAD", "/box/Hello", { headers: { range } });
      assertEquals([head.status, head.headers.get("content-length")], [
        status,
        String(text.length),
      ]);
    }
  },
);

row(
  "O9 conditions of a read are taken in the order of RFC 9110, tags quoted or bare",
  async (store) => {
    await fill(store, ["a"]);
    const { headers } = await store.send("HEAD", "/box/a");
    const etag = headers.get("etag")!;
    const [past, now] = ["Thu, 01 Jan 2015 00:00:00 GMT", headers.get("last-modified")!];
    const rows: readonly (readonly [number, Record<string, string>])[] = [
      [200, { "if-match": etag }],
      [200, { "if-match": etag.replaceAll('"', "") }],
      [200, { "if-match": `"x", ${etag}` }],
      [200, { "if-match": "*" }],
      [412, { "if-match": '"x", "y"' }],
      [200, { "if-match": etag, "if-unmodified-since": past }],
      [412, { "if-unmodified-since": past }],
      [200, { "if-unmodified-since": now }],
      [200, { "if-none-match": '"x"' }],
      [200, { "if-none-match": '"x"', "if-modified-since": now }],
      [200, { "if-modified-since": past }],
      [412, { "if-match": '"x"', "if-none-match": etag }],
      [304, { "if-match": etag, "if-none-match": etag }],
      [200, { "if-modified-since": "no date", "if-unmodified-since": "no date" }],
    ];
    for (const [status, conditions] of rows) {
      const response = await store.send("GET", "/box/a", { headers: conditions });
      await response.body?.cancel();
      assertEquals(response.status, status, JSON.stringify(conditions));
    }
  },
);

row(
  "O10 conditions of a write and of a completion: none there, or this one there",
  async (store) => {
    await fill(store, ["a"]);
    const etag = (await store.send("HEAD", "/box/a")).headers.get("etag")!;
    const rows: readonly (readonly [string, Record<string, string>])[] = [
      ["/box/new", { "if-none-match": "*" }],
      ["/box/other", { "if-none-match": '"x"' }],
      ["/box/a", { "if-none-match": '"x"' }],
      ["/box/a", { "if-match": "*" }],
    ];
    for (const [place, headers] of rows) {
      await store.text("PUT", place, 200, {
        body: "y",
        headers,
      });
    }
    await fill(store, ["a"]);
    await store.text("PUT", "/box/a", 200, { body: "z", headers: { "if-match": etag } });
    assertEquals(await store.text("GET", "/box/a", 200), "z");
    const at = `/box/a?uploadId=${await begin(store, "/box/a")}`;
    const body = completion([[1, await sendPart(store, `${at}&partNumber=1`, "parts")]]);
    const held = (await store.send("HEAD", "/box/a")).headers.get("etag")!;
    await store.text("POST", at, 200, { body, headers: { "if-match": held } });
    assertEquals(await store.text("GET", "/box/a", 200), "parts");
  },
);

row(
  "O11 partNumber reads one part, under the tag of the whole, and tells how many there are",
  async (store) => {
    const at = `/box/m?uploadId=${await begin(store, "/box/m")}`;
    const one = await sendPart(store, `${at}&partNumber=3`, "Hello ");
    const two = await sendPart(store, `${at}&partNumber=9`, "world");
    await store.text("POST", at, 200, { body: completion([[3, one], [9, two]]) });
    const whole = (await store.send("HEAD", "/box/m")).headers.get("etag");
    const rows = [[1, "Hello ", "bytes 0-5/11"], [2, "world", "bytes 6-10/11"]] as const;
    for (const [number, text, place] of rows) {
      const part = await store.send("GET", `/box/m?partNumber=${number}`);
      assertEquals([part.status, await part.text()], [206, text]);
      assertEquals(
        ["etag", "content-range", "x-amz-mp-parts-count"].map((name) => part.headers.get(name)),
        [whole, place, "2"],
      );
      const head = await store.send("HEAD", `/box/m?partNumber=${number}`);
      assertEquals([head.status, head.headers.get("content-length")], [206, String(text.length)]);
    }
    assertEquals(await store.code("GET", "/box/m?partNumber=3"), "400 InvalidPart");
    const ranged = { headers: { range: "bytes=0-0" } };
    assertEquals(await store.code("GET", "/box/m?partNumber=1", ranged), "400 InvalidRequest");
  },
  { min_part_bytes: 0 },
);

row("O12 of an object put whole, part 1 is the object and others fail", async (store) => {
  await fill(store, ["Hello"]);
  assertEquals(await (await store.send("GET", "/box/Hello?partNumber=1")).text(), "Hello");
  assertEquals(await store.code("GET", "/box/Hello?partNumber=2"), "400 InvalidPart");
  await store.text("PUT", "/box/empty", 200, { body: "" });
  assertEquals((await store.send("HEAD", "/box/empty?partNumber=1")).ok, true);
});

row("O13 a DELETE is 204, also of a missing key, which is told to nobody", async (store) => {
  await fill(store, ["a"]);
  await store.text("DELETE", "/box/a", 204);
  await store.text("DELETE", "/box/a", 204);
  assertEquals(store.service.events.list({ type: "s3.object.delete" }).length, 1);
});

row(
  "O14 many keys are deleted at once, each named in the answer, missing ones too",
  async (store) => {
    await fill(store, ["a", "b", "<&>\r"]);
    const keys = ["a", "&lt;&amp;&gt;&#13;", "never"];
    const list = keys.map((key) => `<Object><Key>${key}</Key></Object>`).join("");
    const done = await store.text("POST", "/box?delete", 200, { body: `<Delete>${list}</Delete>` });
    assertEquals(pick(done, "Key"), ["a", "&lt;&amp;&gt;&#xD;", "never"]);
    assertEquals(pick(await store.text("GET", "/box", 200), "Key"), ["b"]);
    assertEquals(store.service.events.list({ type: "s3.object.delete" }).length, 2);
  },
);

row(
  "O15 a quiet deletion answers errors alone, by Content-MD5 or a checksum of its body",
  async (store) => {
    const body = "<Delete><Quiet>true</Quiet><Object><Key>a</Key></Object></Delete>";
    const digest = new Uint8Array(
      await crypto.subtle.digest("SHA-256", new TextEncoder().encode(body)),
    );
    const stated: readonly Record<string, string>[] = [
      { "content-md5": md5Of(body) },
      { "x-amz-checksum-sha256": digest.toBase64() },
    ];
    for (const headers of stated) {
      await fill(store, ["a"]);
      const done = await store.text("POST", "/box?delete", 200, { body, headers });
      assertMatch(done, /<DeleteResult [^>]*><\/DeleteResult>$/);
      assertEquals(await store.code("GET", "/box/a"), "404 NoSuchKey");
    }
    const wrong = { "x-amz-checksum-crc32": "AAAAAA==" };
    assertEquals(
      await store.code("POST", "/box?delete", { body, headers: wrong }),
      "400 BadDigest",
    );
  },
);

row("O25 a deletion of many keys without Content-MD5 and checksum is refused", async (store) => {
  await fill(store, ["a"]);
  const body = "<Delete><Object><Key>a</Key></Object></Delete>";
  for (
    const headers of [
      {},
      // It only says which checksum an SDK would use.
      { "x-amz-sdk-checksum-algorithm": "CRC32" },
      { "x-amz-content-sha256": "UNSIGNED-PAYLOAD" },
    ]
  ) {
    const refused = await store.text("POST", "/box?delete", 400, { body, headers });
    assertEquals([pick(refused, "Code"), pick(refused, "Message")], [["InvalidRequest"], [
      "Missing required header for this request: Content-MD5 OR x-amz-checksum-*",
    ]]);
  }
  assertEquals(await store.text("GET", "/box/a", 200), "a");
});

/** Copies and returns the response. */
async function copy(
  store: Store,
  to: string,
  headers: Readonly<Record<string, string>>,
): Promise<string> {
  return await store.text("PUT", `/box/${to}`, 200, { headers });
}

row(
  "O16 a copy names its source encoded, with or without a slash, and its version or none",
  async (store) => {
    await fill(store, ["a?b", "ü +", "a?versionId=x"]);
    const sources: readonly (readonly [string, string])[] = [
      ["box/a%3Fb", "a?b"],
      ["/box/a%3Fb?versionId=null", "a?b"],
      ["box/%C3%BC%20+", "ü +"],
      ["box%2Fa%3FversionId%3Dx", "a?versionId=x"],
    ];
    for (const [source, text] of sources) {
      const done = await copy(store, "copy", { "x-amz-copy-source": source });
      assertMatch(done, /<CopyObjectResult [^>]*><LastModified>[^<]+<\/LastModified><ETag>&quot;/);
      assertEquals(await store.text("GET", "/box/copy", 200), text);
    }
    assertEquals(store.service.events.list({ type: "s3.object.copy" }).length, 4);
  },
);

row(
  "O17 a copy takes headers and metadata from its source, or REPLACEs them by its own",
  async (store) => {
    await store.text("PUT", "/box/a", 200, {
      body: "x",
      headers: { ...STORED, "x-amz-meta-a": "1" },
    });
    const source = { "x-amz-copy-source": "box/a" };
    await copy(store, "same", { ...source, "content-type": "not/taken", "x-amz-meta-a": "2" });
    const same = (await store.send("HEAD", "/box/same")).headers;
    assertEquals([same.get("content-type"), same.get("x-amz-meta-a")], [
      STORED["content-type"],
      "1",
    ]);
    const replace = { ...source, "x-amz-metadata-directive": "REPLACE", "x-amz-meta-b": "3" };
    for (const to of ["other", "a"]) {
      await copy(store, to, replace);
      const { headers } = await store.send("HEAD", `/box/${to}`);
      assertEquals([headers.get("x-amz-meta-a"), headers.get("x-amz-meta-b")], [null, "3"]);
      assertEquals([headers.get("content-type"), headers.get("content-length")], [
        "binary/octet-stream",
        "1",
      ]);
    }
  },
);

row("O18 conditions on the source of a copy that hold let it go on", async (store) => {
  await fill(store, ["a"]);
  const { headers } = await store.send("HEAD", "/box/a");
  const conditions: readonly Record<string, string>[] = [
    { "if-match": headers.get("etag")! },
    { "if-none-match": '"x"' },
    { "if-modified-since": "Thu, 01 Jan 2015 00:00:00 GMT" },
    { "if-unmodified-since": headers.get("last-modified")! },
  ];
  for (const condition of conditions) {
    const [[name, value]] = Object.entries(condition) as [[string, string]];
    await copy(store, "b", { "x-amz-copy-source": "box/a", [`x-amz-copy-source-${name}`]: value });
  }
});

row(
  "O19 attributes come as asked: the bare tag, size, class, checksum and parts by the page",
  async (store) => {
    const algorithm = { "x-amz-checksum-algorithm": "SHA256" };
    const at = `/box/m?uploadId=${await begin(store, "/box/m", algorithm)}`;
    for (const number of [1, 2, 3]) await sendPart(store, `${at}&partNumber=${number}`, "Hello");
    await store.text("POST", at, 200, { body: await listedCompletion(store, at) });
    const ask = (names: string, more: Record<string, string> = {}) =>
      store.text("GET", "/box/m?attributes", 200, {
        headers: { "x-amz-object-attributes": names, ...more },
      });
    const all = await ask("ETag,Checksum,ObjectParts,StorageClass,ObjectSize");
    assertMatch(pick(all, "ETag")[0]!, /^[0-9a-f]{32}-3$/);
    assertEquals([pick(all, "ObjectSize"), pick(all, "StorageClass")], [["15"], ["STANDARD"]]);
    assertEquals([pick(all, "PartsCount"), pick(all, "PartNumber")], [["3"], ["1", "2", "3"]]);
    assertEquals([pick(all, "ChecksumType"), pick(all, "IsTruncated")], [["COMPOSITE"], ["false"]]);
    assertEquals(pick(all, "ChecksumSHA256").length, 4);
    const page = await ask("ObjectParts", {
      "x-amz-max-parts": "1",
      "x-amz-part-number-marker": "1",
    });
    assertEquals(
      ["PartNumber", "PartNumberMarker", "NextPartNumberMarker", "MaxParts", "IsTruncated"].map(
        (name) => pick(page, name)[0],
      ),
      ["2", "1", "2", "1", "true"],
    );
    await fill(store, ["a"]);
    const whole = await store.text("GET", "/box/a?attributes", 200, {
      headers: { "x-amz-object-attributes": "ETag, ObjectParts" },
    });
    assertEquals([pick(whole, "PartsCount"), pick(whole, "ObjectSize")], [[], []]);
  },
  { min_part_bytes: 0 },
);

row(
  "O20 a range is taken under If-Range with the tag or the date of the object, else all of it",
  async (store) => {
    await fill(store, ["Hello"]);
    const { headers } = await store.send("HEAD", "/box/Hello");
    const rows: readonly (readonly [number, string])[] = [
      [206, headers.get("etag")!],
      [206, headers.get("last-modified")!],
      [200, '"x"'],
      [200, "Thu, 01 Jan 2015 00:00:00 GMT"],
    ];
    for (const [status, validator] of rows) {
      const response = await store.send("GET", "/box/Hello", {
        headers: { range: "bytes=1-2", "if-range": validator },
      });
      assertEquals([response.status, await response.text()], [
        status,
        status === 206 ? "el" : "Hello",
      ]);
    }
  },
);

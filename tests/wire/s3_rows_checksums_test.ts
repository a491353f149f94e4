/** What S3 clients rely on: checksums of objects and parts (C). */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { begin, listedCompletion, pick, row, sendPart, type Store } from "../support/s3.ts";

const SUMS: Readonly<Record<string, string>> = {
  crc32: "99GJgg==",
  crc32c: "gdkOGw==",
  crc64nvme: "bgPua0coiu0=",
  sha1: "9/+ei3uy4Jtwk1pdeF4MxdnQq/A=",
  sha256: "GF+NsyJx/iX1Yab8k4suJkMG7DBO2lGAB9F2SCY4GWk=",
};

row("C1 each algorithm is verified, kept, and told by PUT and by parts", async (store) => {
  const at = `/box/m?uploadId=${await begin(store, "/box/m")}&partNumber=1`;
  for (const [algorithm, value] of Object.entries(SUMS)) {
    const headers = { [`x-amz-checksum-${algorithm}`]: value };
    for (const place of [`/box/${algorithm}`, at]) {
      const put = await store.send("PUT", place, { body: "Hello", headers });
      assertEquals([put.status, await put.text()], [200, ""]);
      assertEquals(put.headers.get(`x-amz-checksum-${algorithm}`), value);
    }
  }
});

row("C2 an object or part has one checksum, of the algorithm that its SDK names", async (store) => {
  const named = (name: string) => ({ "x-amz-sdk-checksum-algorithm": name });
  const of = (name: string) => ({ [`x-amz-checksum-${name}`]: SUMS[name]! });
  const cases: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    ["specified, but no corresponding", named("SHA256")],
    ["x-amz-checksum-algorithm specified", { "x-amz-checksum-algorithm": "SHA256" }],
    ["Value for x-amz-sdk-checksum-algorithm", { ...named("SHA256"), ...of("crc32") }],
    ["Expecting a single", { ...of("sha1"), ...of("crc32") }],
  ];
  const part = `/box/m?partNumber=1&uploadId=${await begin(store, "/box/m")}`;
  for (const place of ["/box/a", part]) {
    for (const [reason, headers] of cases) {
      const refused = await store.text("PUT", place, 400, { body: "Hello", headers });
      assertEquals(pick(refused, "Code"), ["InvalidRequest"]);
      assertStringIncludes(refused, reason);
    }
    const headers = { ...named("sha256"), ...of("sha256") };
    await store.text("PUT", place, 200, { body: "Hello", headers });
  }
  const sha1 = await begin(store, "/box/n", { "x-amz-checksum-algorithm": "SHA1" });
  const other = `/box/n?partNumber=1&uploadId=${sha1}`;
  const sent = { body: "Hello", headers: of("crc32") };
  const refused = await store.text("PUT", other, 400, sent);
  assertStringIncludes(refused, "expected checksum Type: sha1, actual checksum Type: crc32");
  await store.text("PUT", other, 200, { body: "Hello", headers: of("sha1") });
  // S3 reads the name with objects and parts only.
  const tags = "<Tagging><TagSet></TagSet></Tagging>";
  await store.text("PUT", "/box/a?tagging", 200, { body: tags, headers: named("SHA256") });
});

row(
  "C12 the framing of a body carries the one checksum that was announced, and nothing else",
  async (store) => {
    const put = (trailer: string, end: string, more: Readonly<Record<string, string>> = {}) =>
      store.code("PUT", "/box/a", {
        body: `5\r\nHello\r\n0\r\n${end}\r\n`,
        headers: {
          "x-amz-content-sha256": "STREAMING-UNSIGNED-PAYLOAD-TRAILER",
          "x-amz-decoded-content-length": "5",
          ...(trailer === "" ? {} : { "x-amz-trailer": trailer }),
          ...more,
        },
      });
    const [crc, sha] = ["x-amz-checksum-crc32", "x-amz-checksum-sha1"] as const;
    const [crcLine, shaLine] = [`${crc}:${SUMS.crc32}\r\n`, `${sha}:${SUMS.sha1}\r\n`];
    const request = "400 InvalidRequest";
    assertEquals(await put("x-amz-other", "x-amz-other:1\r\n"), request);
    assertEquals(await put(`${crc}, ${sha}`, crcLine + shaLine), request);
    assertEquals(await put(crc, crcLine, { [sha]: SUMS.sha1! }), request);
    assertEquals(await put(crc, crcLine, { "x-amz-sdk-checksum-algorithm": "SHA1" }), request);
    const trailer = "400 MalformedTrailerError";
    assertEquals(await put("", crcLine), trailer);
    assertEquals(await put(crc, `${crcLine}other:1\r\n`), trailer);
    assertEquals(await put(crc, `${crcLine}\r\nmore`), "400 IncompleteBody");
    assertEquals(await put("", "more"), "400 IncompleteBody");
    for (const form of ["streaming-unsigned-payload-trailer", "STREAMING-OTHER"]) {
      const answer = await put(crc, crcLine, { "x-amz-content-sha256": form });
      assertEquals(answer, "400 InvalidArgument", form);
    }
    assertEquals(await store.code("HEAD", "/box/a"), "404");
    assertEquals(await put(crc, crcLine, { "x-amz-sdk-checksum-algorithm": "CRC32" }), "200");
  },
  { aws_chunked: true },
);

row("C3 GET and HEAD tell checksums only in mode ENABLED", async (store) => {
  const headers = { "x-amz-checksum-crc32c": SUMS.crc32c! };
  await store.text("PUT", "/box/a", 200, { body: "Hello", headers });
  for (const method of ["GET", "HEAD"]) {
    for (const mode of ["", "ENABLED", "enabled"]) {
      const response = await store.send(method, "/box/a", {
        headers: mode === "" ? {} : { "x-amz-checksum-mode": mode },
      });
      await response.body?.cancel();
      const told = [
        response.headers.get("x-amz-checksum-crc32c"),
        response.headers.get("x-amz-checksum-type"),
      ];
      assertEquals(told, mode === "" ? [null, null] : [SUMS.crc32c!, "FULL_OBJECT"]);
    }
  }
});

row("C4 a range never tells a checksum of the whole, and neither does a 304", async (store) => {
  const stated = { "x-amz-checksum-sha1": SUMS.sha1! };
  await store.text("PUT", "/box/a", 200, { body: "Hello", headers: stated });
  const mode = { "x-amz-checksum-mode": "ENABLED" };
  const conditions: readonly Record<string, string>[] = [{ range: "bytes=0-1" }, {
    "if-none-match": "*",
  }];
  for (const more of conditions) {
    const { headers, body } = await store.send("GET", "/box/a", { headers: { ...mode, ...more } });
    await body?.cancel();
    assertEquals([...headers.keys()].filter((name) => name.startsWith("x-amz-checksum")), []);
  }
});

row("C5 a part read by its number tells its own checksum", async (store) => {
  const { at, body } = await twoParts(store, { "x-amz-checksum-algorithm": "CRC32" });
  await store.text("POST", at, 200, { body });
  const part = await store.send("GET", "/box/m?partNumber=1", {
    headers: { "x-amz-checksum-mode": "ENABLED" },
  });
  assertEquals([await part.text(), part.headers.get("x-amz-checksum-crc32")], [
    "Hello",
    SUMS.crc32,
  ]);
}, { min_part_bytes: 0 });

/** Uploads "Hello" and "world" as parts; returns the place to complete and the document. */
async function twoParts(store: Store, headers: Record<string, string>) {
  const at = `/box/m?uploadId=${await begin(store, "/box/m", headers)}`;
  for (const [number, body] of [[1, "Hello"], [2, "world"]] as const) {
    await sendPart(store, `${at}&partNumber=${number}`, body);
  }
  return { at, body: await listedCompletion(store, at) };
}

row(
  "C6 the checksum of parts is COMPOSITE: over their digests, with the count behind it",
  async (store) => {
    const headers = { "x-amz-checksum-algorithm": "SHA256", "x-amz-checksum-type": "COMPOSITE" };
    const { at, body } = await twoParts(store, headers);
    const done = await store.text("POST", at, 200, { body });
    const digest = async (bytes: Uint8Array<ArrayBuffer>) =>
      new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
    const encoder = new TextEncoder();
    const both = new Uint8Array([
      ...await digest(encoder.encode("Hello")),
      ...await digest(encoder.encode("world")),
    ]);
    const expected = `${(await digest(both)).toBase64()}-2`;
    assertEquals(
      [pick(done, "ChecksumSHA256"), pick(done, "ChecksumType")],
      [[expected], ["COMPOSITE"]],
    );
    const head = await store.send("HEAD", "/box/m", {
      headers: { "x-amz-checksum-mode": "ENABLED" },
    });
    assertEquals(head.headers.get("x-amz-checksum-sha256"), expected);
    assertEquals(head.headers.get("x-amz-checksum-type"), "COMPOSITE");
  },
  { min_part_bytes: 0 },
);

row("C7 a CRC may be over the FULL_OBJECT, as CRC64NVME always is", async (store) => {
  const rows: readonly (readonly [string, Record<string, string>])[] = [
    ["ChecksumCRC32", {
      "x-amz-checksum-algorithm": "CRC32",
      "x-amz-checksum-type": "FULL_OBJECT",
    }],
    ["ChecksumCRC64NVME", { "x-amz-checksum-algorithm": "CRC64NVME" }],
  ];
  const values: Record<string, string> = {
    ChecksumCRC32: "trYjfQ==",
    ChecksumCRC64NVME: "7Kc49GDg1Us=",
  };
  for (const [name, headers] of rows) {
    const { at, body } = await twoParts(store, headers);
    const done = await store.text("POST", at, 200, { body });
    assertEquals([pick(done, name), pick(done, "ChecksumType")], [[values[name]], ["FULL_OBJECT"]]);
  }
  const sha = { "x-amz-checksum-algorithm": "SHA1", "x-amz-checksum-type": "FULL_OBJECT" };
  assertEquals(await store.code("POST", "/box/m?uploads", { headers: sha }), "400 InvalidRequest");
}, { min_part_bytes: 0 });

row("C8 a checksum stated with the completion must agree", async (store) => {
  const full = { "x-amz-checksum-algorithm": "CRC32", "x-amz-checksum-type": "FULL_OBJECT" };
  const { at, body } = await twoParts(store, full);
  const state = (value: string) => ({ body, headers: { "x-amz-checksum-crc32": value } });
  assertEquals(await store.code("POST", at, state("AAAAAA==")), "400 BadDigest");
  assertEquals(await store.code("GET", "/box/m"), "404 NoSuchKey");
  await store.text("POST", at, 200, state("trYjfQ=="));
}, { min_part_bytes: 0 });

/** Of "Hello" and "world" in two parts: digests of the digests. */
const COMPOSITES: Readonly<Record<string, string>> = {
  CRC32: "HYU5Aw==-2",
  CRC32C: "NIsB4w==-2",
  SHA1: "uke6oEHg32lGbIr05b6SZEOCsIw=-2",
  SHA256: "DwBVdrlF+L2GP/CFm0xq+Hue79lMAaxcgzKbKLj+Mls=-2",
};

row(
  "C9 a composite checksum is stated with its number of parts, and told so ever after",
  async (store) => {
    for (const [algorithm, value] of Object.entries(COMPOSITES)) {
      const name = `x-amz-checksum-${algorithm.toLowerCase()}`;
      const { at, body } = await twoParts(store, { "x-amz-checksum-algorithm": algorithm });
      const state = (stated: string, type?: string): RequestInit => ({
        body,
        headers: { [name]: stated, ...(type === undefined ? {} : { "x-amz-checksum-type": type }) },
      });
      const wrong = value.replace(/^./, (letter) => letter === "A" ? "B" : "A");
      for (const other of [wrong, value.replace(/2$/, "3"), "AAAA-2", `${value}-2`, "-2"]) {
        assertEquals(await store.code("POST", at, state(other)), "400 BadDigest", other);
      }
      assertEquals(await store.code("POST", at, state(value, "FULL_OBJECT")), "400 BadDigest");
      const done = await store.text("POST", at, 200, state(value, "COMPOSITE"));
      const element = `Checksum${algorithm}`;
      assertEquals([pick(done, element), pick(done, "ChecksumType")], [[value], ["COMPOSITE"]]);
      const head = await store.send("HEAD", "/box/m", {
        headers: { "x-amz-checksum-mode": "ENABLED" },
      });
      assertEquals(head.headers.get(name), value);
      assertEquals(head.headers.get("x-amz-checksum-type"), "COMPOSITE");
      const asked = { headers: { "x-amz-object-attributes": "Checksum" } };
      const attributes = await store.text("GET", "/box/m?attributes", 200, asked);
      assertEquals([pick(attributes, element), pick(attributes, "ChecksumType")], [
        [value],
        ["COMPOSITE"],
      ]);
      // Without the number of parts, as minio-go states it.
      const bare = await twoParts(store, { "x-amz-checksum-algorithm": algorithm });
      const headers = { [name]: value.slice(0, -2) };
      const again = await store.text("POST", bare.at, 200, { body: bare.body, headers });
      assertEquals(pick(again, element), [value]);
    }
  },
  { min_part_bytes: 0 },
);

row("C10 a checksum of the whole is of the kind that the upload began with", async (store) => {
  const full = { "x-amz-checksum-algorithm": "CRC32", "x-amz-checksum-type": "FULL_OBJECT" };
  const { at, body } = await twoParts(store, full);
  const complete = (place: string, headers: Record<string, string>, document = body) =>
    store.code("POST", place, { body: document, headers });
  assertEquals(await complete(at, { "x-amz-checksum-crc32": "trYjfQ==-2" }), "400 BadDigest");
  assertEquals(await complete(at, { "x-amz-checksum-type": "COMPOSITE" }), "400 BadDigest");
  assertEquals(await complete(at, { "x-amz-checksum-type": "any" }), "400 InvalidArgument");
  assertEquals(await complete(at, { "x-amz-checksum-crc32c": "gdkOGw==" }), "400 InvalidRequest");
  assertEquals(await complete(at, { "x-amz-checksum-crc32": "trYjfQ==" }), "200");
  // By default, S3 computes CRC-64/NVME over the whole.
  const { at: plain, body: bare } = await twoParts(store, {});
  const named = (value: string) => ({ "x-amz-checksum-crc64nvme": value });
  const other = { "x-amz-checksum-crc32": "trYjfQ==" };
  assertEquals(await complete(plain, other, bare), "400 InvalidRequest");
  assertEquals(await complete(plain, named("AAAAAAAAAAA="), bare), "400 BadDigest");
  const headers = named("7Kc49GDg1Us=");
  const done = await store.text("POST", plain, 200, { body: bare, headers });
  assertEquals([pick(done, "ChecksumCRC64NVME"), pick(done, "ChecksumType")], [
    ["7Kc49GDg1Us="],
    ["FULL_OBJECT"],
  ]);
  const begins: readonly Record<string, string>[] = [
    { "x-amz-checksum-algorithm": "CRC64NVME", "x-amz-checksum-type": "COMPOSITE" },
    { "x-amz-checksum-type": "FULL_OBJECT" },
  ];
  for (const headers of begins) {
    assertEquals(await store.code("POST", "/box/m?uploads", { headers }), "400 InvalidRequest");
  }
}, { min_part_bytes: 0 });

row("C11 a part is named with a checksum that it was sent with, or with none", async (store) => {
  const { at, body } = await twoParts(store, { "x-amz-checksum-algorithm": "CRC32" });
  const wrong = [
    body.replace(SUMS.crc32!, "AAAAAA=="),
    body.replace("</ETag>", "</ETag><ChecksumCRC32C>gdkOGw==</ChecksumCRC32C>"),
  ];
  for (const other of wrong) {
    assertEquals(await store.code("POST", at, { body: other }), "400 InvalidPart", other);
  }
  await store.text("POST", at, 200, { body });
  const bare = await twoParts(store, { "x-amz-checksum-algorithm": "CRC32" });
  const without = bare.body.replace(/<ChecksumCRC32>[^<]*<\/ChecksumCRC32>/g, "");
  await store.text("POST", bare.at, 200, { body: without });
}, { min_part_bytes: 0 });

/** What S3 clients rely on: status and code of each error (S). A refusal leaves nothing behind. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import {
  begin,
  completion,
  fill,
  pick,
  row,
  sendPart,
  statsOf,
  type Store,
  talk,
} from "../support/s3.ts";

/** A request, and the status and code it gets. */
type Refused = readonly [expected: string, method: string, path: string, init?: RequestInit];

async function refuse(store: Store, rows: readonly Refused[]): Promise<void> {
  const before = await statsOf(store.service);
  for (const [expected, method, path, init] of rows) {
    const about = `${method} ${path} ${JSON.stringify(init?.headers ?? {})}`;
    assertEquals(await store.code(method, path, init), expected, about);
  }
  assertEquals(await statsOf(store.service), before);
}

const put = (headers: Record<string, string>, body = "Hello"): RequestInit => ({ headers, body });
const get = (headers: Record<string, string>): RequestInit => ({ headers });
const copy = (source: string, more: Record<string, string> = {}): RequestInit => ({
  headers: { "x-amz-copy-source": source, ...more },
});
const PAST = "Thu, 01 Jan 2015 00:00:00 GMT";
const FUTURE = "Fri, 01 Jan 2100 00:00:00 GMT";

row(
  "S1 304 when If-None-Match matches, or If-Modified-Since is not before the change",
  async (store) => {
    await fill(store, ["a"]);
    const { headers } = await store.send("HEAD", "/box/a");
    const etag = headers.get("etag")!;
    const matching = [
      { "if-none-match": etag },
      { "if-none-match": "*" },
      { "if-none-match": `"x", ${etag}` },
      { "if-none-match": etag.replaceAll('"', "") },
      { "if-modified-since": headers.get("last-modified")! },
      { "if-modified-since": FUTURE },
      // RFC 9110 section 13.1.3: ignored if there is an If-None-Match.
      { "if-none-match": etag, "if-modified-since": PAST },
      { "if-none-match": etag, range: "bytes=99-" },
    ];
    for (const condition of matching) {
      for (const method of ["GET", "HEAD"]) {
        const response = await store.send(
          method,
          "/box/a",
          get(condition as Record<string, string>),
        );
        assertEquals(
          [response.status, await response.text()],
          [304, ""],
          JSON.stringify(condition),
        );
        assertEquals(response.headers.get("etag"), etag);
      }
    }
  },
);

row("S2 400 InvalidBucketName for a name that no bucket may have", async (store) => {
  const names = ["ab", "UPPER", "under_score", "-a-", "a-", ".ab", "ab.", "a..b", "a.-b", "a-.b"];
  names.push("192.168.0.1", "a".repeat(256), "with%20space", "%C3%BCber");
  await refuse(store, names.map((name) => ["400 InvalidBucketName", "PUT", `/${name}`]));
});

row(
  "S3 400 InvalidArgument for numbers, part numbers, keys and ranges out of bounds",
  async (store) => {
    await fill(store, ["a"]);
    const at = `/box/m?uploadId=${await begin(store, "/box/m")}`;
    const code = "400 InvalidArgument";
    await refuse(store, [
      [code, "GET", "/box?max-keys=x"],
      [code, "GET", "/box?max-keys=-1"],
      [code, "GET", "/box?list-type=2&max-keys=1.5"],
      [code, "GET", "/box?uploads&max-uploads=x"],
      [code, "GET", `${at}&max-parts=x`],
      [code, "GET", "/?max-buckets=x"],
      [code, "PUT", `${at}&partNumber=0`, put({})],
      [code, "PUT", `${at}&partNumber=10001`, put({})],
      [code, "PUT", `${at}&partNumber=x`, put({})],
      [code, "PUT", at, put({})],
      [code, "PUT", `/box/${"k".repeat(1025)}`, put({})],
      [code, "PUT", `/box/${"%C3%BC".repeat(513)}`, put({})],
      [code, "POST", `/box/${"k".repeat(1025)}?uploads`],
      [code, "PUT", `/box/${"k".repeat(1025)}`, copy("box/a")],
      [code, "PUT", `${at}&partNumber=1`, copy("box/a", { "x-amz-copy-source-range": "bytes=0-" })],
      [code, "PUT", `${at}&partNumber=1`, copy("box/a", { "x-amz-copy-source-range": "0-0" })],
      [code, "GET", "/box/a?partNumber=0"],
      [code, "GET", "/box?encoding-type=base64"],
    ]);
  },
);

row("S4 400 InvalidDigest for a Content-MD5 that is not the base64 of 16 bytes", async (store) => {
  const digests = ["", "AAAA", "no base64!", "AAAAAAAAAAAAAAAAAAAAAAAA"];
  await refuse(
    store,
    digests.map((md5) => ["400 InvalidDigest", "PUT", "/box/a", put({ "content-md5": md5 })]),
  );
});

row(
  "S5 400 BadDigest for an MD5 or checksum that differs from the bytes or is malformed",
  async (store) => {
    const at = `/box/m?uploadId=${await begin(store, "/box/m")}&partNumber=1`;
    const stated: readonly Record<string, string>[] = [
      { "content-md5": "AAAAAAAAAAAAAAAAAAAAAA==" },
      { "x-amz-checksum-crc32": "AAAAAA==" },
      { "x-amz-checksum-crc32c": "AAAAAA==" },
      { "x-amz-checksum-crc64nvme": "AAAAAAAAAAA=" },
      { "x-amz-checksum-sha1": "AAAAAAAAAAAAAAAAAAAAAAAAAAA=" },
      { "x-amz-checksum-sha256": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=" },
      { "x-amz-checksum-crc32": "AAAA" },
      { "x-amz-checksum-crc32": "" },
      { "x-amz-checksum-sha256": "no base64!" },
    ];
    for (const place of ["/box/a", at]) {
      await refuse(store, stated.map((headers) => ["400 BadDigest", "PUT", place, put(headers)]));
    }
  },
);

row("S6 400 XAmzContentSHA256Mismatch for another SHA-256 than the bytes have", async (store) => {
  const headers = { "x-amz-content-sha256": "0".repeat(64) };
  await refuse(store, [["400 XAmzContentSHA256Mismatch", "PUT", "/box/a", put(headers)]]);
  const none = { "x-amz-content-sha256": "no digest" };
  await refuse(store, [["400 InvalidArgument", "PUT", "/box/a", put(none)]]);
  const unsigned = { "x-amz-content-sha256": "UNSIGNED-PAYLOAD" };
  await store.text("PUT", "/box/a", 200, put(unsigned));
});

row(
  "S7 400 MalformedXML for lists of keys and parts that are none, empty or too long",
  async (store) => {
    const at = `/box/m?uploadId=${await begin(store, "/box/m")}`;
    const keys = (count: number) => "<Object><Key>k</Key></Object>".repeat(count);
    const bodies: readonly (readonly [path: string, body: string])[] = [
      ["/box?delete", ""],
      ["/box?delete", "<Delete/>"],
      ["/box?delete", "<Other><Object><Key>k</Key></Object></Other>"],
      ["/box?delete", "<Delete><Object/></Delete>"],
      ["/box?delete", `<Delete>${keys(1001)}</Delete>`],
      ["/box?delete", `<Delete>${keys(1)}`],
      ["/box?delete", "{}"],
      [at, ""],
      [at, "<CompleteMultipartUpload/>"],
      [at, "<CompleteMultipartUpload><Part><ETag>x</ETag></Part></CompleteMultipartUpload>"],
      [at, "no XML"],
      [
        "/box?delete",
        `<!DOCTYPE d [<!ENTITY a "b">]><Delete><Object><Key>&a;</Key></Object></Delete>`,
      ],
      ["/box?delete", `${"<Delete>".repeat(5000)}${"</Delete>".repeat(5000)}`],
    ];
    await refuse(store, bodies.map(([path, body]) => ["400 MalformedXML", "POST", path, { body }]));
    await refuse(store, [["400 MalformedXML", "PUT", "/new-bucket", { body: "no XML" }]]);
  },
);

row(
  "S8 400 InvalidPart for a part that was not sent so, and a partNumber above the count",
  async (store) => {
    await fill(store, ["a"]);
    const at = `/box/m?uploadId=${await begin(store, "/box/m")}`;
    const etag = await sendPart(store, `${at}&partNumber=1`, "x");
    const wrong = (parts: readonly (readonly [number, string])[]): Refused => [
      "400 InvalidPart",
      "POST",
      at,
      { body: completion(parts) },
    ];
    await refuse(store, [
      wrong([[2, etag]]),
      wrong([[1, etag], [2, etag]]),
      wrong([[1, '"0123456789abcdef0123456789abcdef"']]),
      wrong([[1, ""]]),
      ["400 InvalidPart", "GET", "/box/a?partNumber=2"],
    ]);
  },
);

row("S9 400 InvalidPartOrder for parts that do not ascend", async (store) => {
  const at = `/box/m?uploadId=${await begin(store, "/box/m")}`;
  const one = await sendPart(store, `${at}&partNumber=1`, "x");
  const two = await sendPart(store, `${at}&partNumber=2`, "y");
  const orders = [[[2, two], [1, one]], [[1, one], [1, one]]] as const;
  await refuse(
    store,
    orders.map((parts) => ["400 InvalidPartOrder", "POST", at, { body: completion(parts) }]),
  );
});

row("S10 400 EntityTooSmall for a part under 5 MiB that is not the last", async (store) => {
  const at = `/box/m?uploadId=${await begin(store, "/box/m")}`;
  const small = new Uint8Array(5 * 1024 * 1024 - 1);
  const one = await sendPart(store, `${at}&partNumber=1`, small);
  const two = await sendPart(store, `${at}&partNumber=2`, "x");
  const body = completion([[1, one], [2, two]]);
  await refuse(store, [["400 EntityTooSmall", "POST", at, { body }]]);
  await store.text("POST", at, 200, { body: completion([[2, two]]) });
});

row(
  "S11 400 EntityTooLarge over the limit of an object, of decoded bytes and of parts together",
  async (store) => {
    const over = "x".repeat(101);
    const framed = {
      "x-amz-content-sha256": "STREAMING-UNSIGNED-PAYLOAD-TRAILER",
      "x-amz-decoded-content-length": "101",
    };
    const at = `/box/m?uploadId=${await begin(store, "/box/m")}`;
    await sendPart(store, `${at}&partNumber=1`, "x".repeat(60));
    const code = "400 EntityTooLarge";
    await refuse(store, [
      [code, "PUT", "/box/a", { body: over }],
      [code, "PUT", "/box/a", { body: new Blob([over]).stream() }],
      [code, "PUT", `${at}&partNumber=3`, { body: over }],
      [code, "PUT", "/box/a", put(framed, `65\r\n${over}\r\n0\r\n\r\n`)],
      [code, "PUT", `${at}&partNumber=2`, { body: "x".repeat(41) }],
    ]);
    // The size excludes the framing.
    const headers = { ...framed, "x-amz-decoded-content-length": "100" };
    const frames = `32\r\n${"x".repeat(50)}\r\n`.repeat(2);
    await store.text("PUT", "/box/a", 200, put(headers, `${frames}0\r\n\r\n`));
  },
  { max_object_bytes: 100, aws_chunked: true, min_part_bytes: 0 },
);

row("S12 400 MetadataTooLarge over 16 KiB of user metadata", async (store) => {
  const most = { "x-amz-meta-a": "v".repeat(16_383) };
  await store.text("PUT", "/box/a", 200, put(most));
  const over = { "x-amz-meta-a": "v".repeat(16_384) };
  const code = "400 MetadataTooLarge";
  await refuse(store, [
    [code, "PUT", "/box/b", put(over)],
    [code, "POST", "/box/b?uploads", { headers: over }],
    [code, "PUT", "/box/b", copy("box/a", { ...over, "x-amz-metadata-directive": "REPLACE" })],
  ]);
});

row("S13 400 InvalidRequest for a copy onto itself that replaces nothing", async (store) => {
  await fill(store, ["a"]);
  await refuse(store, [
    ["400 InvalidRequest", "PUT", "/box/a", copy("box/a")],
    ["400 InvalidRequest", "PUT", "/box/a", copy("/box/a", { "x-amz-metadata-directive": "COPY" })],
  ]);
});

row("S14 400 BadRequest for OPTIONS without the header fields of CORS", async (store) => {
  await refuse(store, [
    ["400 BadRequest", "OPTIONS", "/box"],
    ["400 BadRequest", "OPTIONS", "/box/a"],
  ]);
});

row("S15 404 NoSuchBucket for any operation on a bucket that is not there", async (store) => {
  await fill(store, ["a"]);
  const code = "404 NoSuchBucket";
  const body = "<Delete><Object><Key>k</Key></Object></Delete>";
  await refuse(store, [
    [code, "GET", "/nothing"],
    [code, "GET", "/nothing?list-type=2"],
    [code, "GET", "/nothing?location"],
    [code, "GET", "/nothing?versioning"],
    [code, "GET", "/nothing?uploads"],
    [code, "DELETE", "/nothing"],
    [code, "POST", "/nothing?delete", { body }],
    [code, "GET", "/nothing/a"],
    [code, "PUT", "/nothing/a", put({})],
    [code, "DELETE", "/nothing/a"],
    [code, "PUT", "/nothing/a", copy("box/a")],
    [code, "PUT", "/box/b", copy("nothing/a")],
    [code, "POST", "/nothing/a?uploads"],
    [code, "PUT", "/nothing/a?uploadId=x&partNumber=1", put({})],
    [code, "POST", "/nothing/a?uploadId=x", { body: completion([[1, "x"]]) }],
    [code, "DELETE", "/nothing/a?uploadId=x"],
    [code, "GET", "/nothing/a?uploadId=x"],
    [code, "GET", "/nothing/a?attributes"],
    ["404", "HEAD", "/nothing"],
    ["404", "HEAD", "/nothing/a"],
  ]);
});

row(
  "S16 404 NoSuchKey for reads, sources, and If-Match on a write of what is not there",
  async (store) => {
    const at = `/box/m?uploadId=${await begin(store, "/box/m")}`;
    const etag = await sendPart(store, `${at}&partNumber=1`, "x");
    const code = "404 NoSuchKey";
    await refuse(store, [
      [code, "GET", "/box/no"],
      [code, "GET", "/box/no?attributes", get({ "x-amz-object-attributes": "ETag" })],
      [code, "PUT", "/box/b", copy("box/no")],
      [code, "PUT", `${at}&partNumber=2`, copy("box/no")],
      [code, "PUT", "/box/no", put({ "if-match": "*" })],
      [code, "PUT", "/box/no", put({ "if-match": '"x"' })],
      [code, "POST", at, { body: completion([[1, etag]]), headers: { "if-match": "*" } }],
    ]);
  },
);

row(
  "S17 404 NoSuchUpload for an upload that is unknown, aborted or of another key",
  async (store) => {
    const id = await begin(store, "/box/m");
    const gone = await begin(store, "/box/m");
    await store.text("DELETE", `/box/m?uploadId=${gone}`, 204);
    const code = "404 NoSuchUpload";
    for (const at of ["/box/m?uploadId=x", `/box/m?uploadId=${gone}`, `/box/n?uploadId=${id}`]) {
      await refuse(store, [
        [code, "PUT", `${at}&partNumber=1`, put({})],
        [code, "GET", at],
        [code, "DELETE", at],
        [code, "POST", at, { body: completion([[1, "x"]]) }],
      ]);
    }
  },
);

row("S18 405 MethodNotAllowed for a method that the resource does not have", async (store) => {
  const code = "405 MethodNotAllowed";
  await refuse(store, [
    [code, "PUT", "/"],
    [code, "DELETE", "/"],
    [code, "POST", "/"],
    [code, "POST", "/box"],
    [code, "PATCH", "/box"],
    [code, "POST", "/box/a"],
    [code, "PATCH", "/box/a"],
  ]);
  const response = await store.send("PATCH", "/box/a");
  await response.body?.cancel();
  assertMatch(response.headers.get("allow")!, /GET.*PUT/);
});

row("S19 409 BucketNotEmpty when a bucket with objects is deleted", async (store) => {
  await fill(store, ["a"]);
  await refuse(store, [["409 BucketNotEmpty", "DELETE", "/box"]]);
});

row(
  "S20 412 PreconditionFailed when a condition of a read, a copy or a write fails",
  async (store) => {
    await fill(store, ["a"]);
    const etag = (await store.send("HEAD", "/box/a")).headers.get("etag")!;
    const at = `/box/a?uploadId=${await begin(store, "/box/a")}`;
    const body = completion([[1, await sendPart(store, `${at}&partNumber=1`, "x")]]);
    const code = "412 PreconditionFailed";
    const source = (name: string, value: string): Refused => [
      code,
      "PUT",
      "/box/b",
      copy("box/a", { [`x-amz-copy-source-${name}`]: value }),
    ];
    await refuse(store, [
      [code, "GET", "/box/a", get({ "if-match": '"x"' })],
      [code, "GET", "/box/a", get({ "if-unmodified-since": PAST })],
      ["412", "HEAD", "/box/a", get({ "if-match": '"x"' })],
      source("if-match", '"x"'),
      source("if-none-match", etag),
      source("if-modified-since", FUTURE),
      source("if-unmodified-since", PAST),
      [code, "PUT", "/box/a", put({ "if-none-match": "*" })],
      [code, "PUT", "/box/a", put({ "if-none-match": etag })],
      [code, "PUT", "/box/a", put({ "if-match": '"x"' })],
      [code, "POST", at, { body, headers: { "if-none-match": "*" } }],
      [code, "POST", at, { body, headers: { "if-match": '"x"' } }],
    ]);
  },
);

row("S21 416 InvalidRange past the end, also of an empty object and of a source", async (store) => {
  await fill(store, ["12345"]);
  await store.text("PUT", "/box/empty", 200, { body: "" });
  const at = `/box/m?uploadId=${await begin(store, "/box/m")}&partNumber=1`;
  const code = "416 InvalidRange";
  const range = { "x-amz-copy-source-range": "bytes=0-5" };
  await refuse(store, [
    [code, "GET", "/box/12345", get({ range: "bytes=5-" })],
    [code, "GET", "/box/12345", get({ range: "bytes=-0" })],
    ["416", "HEAD", "/box/12345", get({ range: "bytes=99-100" })],
    [code, "GET", "/box/empty", get({ range: "bytes=0-" })],
    [code, "PUT", at, copy("box/12345", range)],
  ]);
  const response = await store.send("GET", "/box/12345", get({ range: "bytes=5-" }));
  assertStringIncludes(await response.text(), "<Code>InvalidRange");
  assertEquals(response.headers.get("content-range"), "bytes */5");
});

row("S22 501 NotImplemented for an aws-chunked upload, with the ways out", async (store) => {
  const framed = (sha256: string) =>
    put({ "x-amz-content-sha256": sha256 }, "5\r\nHello\r\n0\r\n\r\n");
  const code = "501 NotImplemented";
  const at = `/box/m?uploadId=${await begin(store, "/box/m")}&partNumber=1`;
  for (const place of ["/box/a", at]) {
    await refuse(store, [
      [code, "PUT", place, framed("STREAMING-UNSIGNED-PAYLOAD-TRAILER")],
      [code, "PUT", place, framed("STREAMING-AWS4-HMAC-SHA256-PAYLOAD")],
      [code, "PUT", place, framed("STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER")],
      [code, "PUT", place, put({ "content-encoding": "aws-chunked" })],
      [code, "PUT", place, put({ "content-encoding": "gzip, AWS-Chunked" })],
    ]);
  }
  const text = await store.text("PUT", "/box/a", 501, framed("STREAMING-UNSIGNED-PAYLOAD-TRAILER"));
  const ways =
    "AWS_REQUEST_CHECKSUM_CALCULATION chunkedEncodingEnabled UseChunkEncoding --s3-aws-chunked";
  for (const way of ways.split(" ")) assertStringIncludes(text, way);
});

row(
  "S23 503 ServiceUnavailable over the most buckets, objects, uploads and parts",
  async (store) => {
    await fill(store, ["a", "b"]);
    const at = `/box/m?uploadId=${await begin(store, "/box/m")}`;
    await sendPart(store, `${at}&partNumber=1`, "x");
    const code = "503 ServiceUnavailable";
    await refuse(store, [
      [code, "PUT", "/other"],
      [code, "PUT", "/box/c", put({})],
      [code, "PUT", "/box/c", copy("box/a")],
      [code, "POST", "/box/n?uploads"],
      [code, "PUT", `${at}&partNumber=2`, put({})],
      [code, "PUT", `${at}&partNumber=2`, copy("box/a")],
    ]);
    // Existing objects may still be replaced.
    await store.text("PUT", "/box/a", 200, put({}));
    await store.text("PUT", "/box", 200);
    await sendPart(store, `${at}&partNumber=1`, "y");
  },
  { max_buckets: 1, max_objects: 2, max_active_uploads: 1, max_parts: 1 },
);

row("S24 400 IncompleteBody for a body that is shorter than announced", async (store) => {
  const framed = {
    "x-amz-content-sha256": "STREAMING-UNSIGNED-PAYLOAD-TRAILER",
    "x-amz-decoded-content-length": "6",
  };
  const code = "400 IncompleteBody";
  await refuse(store, [
    [code, "PUT", "/box/a", put(framed, "5\r\nHello\r\n0\r\n\r\n")],
    [code, "PUT", "/box/a", put(framed, "6\r\nHello")],
    [code, "PUT", "/box/a", put(framed, "no framing")],
  ]);
  assertEquals(pick(await store.text("GET", "/box", 200), "Key"), []);
  const cut =
    "PUT /box/a HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nHel\r\n";
  assertMatch(await talk(store.service, `${cut}x`), /^HTTP\/1.1 400 /);
}, { aws_chunked: true });

row(
  "S25 400 MalformedTrailerError when a promised checksum does not come behind the bytes",
  async (store) => {
    const headers = {
      "x-amz-content-sha256": "STREAMING-UNSIGNED-PAYLOAD-TRAILER",
      "x-amz-decoded-content-length": "5",
      "x-amz-trailer": "x-amz-checksum-crc32",
    };
    for (const end of ["0\r\n\r\n", "0\r\nx-amz-checksum-sha1:x\r\n\r\n", "0\r\n"]) {
      const framed = put(headers, `5\r\nHello\r\n${end}`);
      await refuse(store, [["400 MalformedTrailerError", "PUT", "/box/a", framed]]);
    }
  },
  { aws_chunked: true },
);

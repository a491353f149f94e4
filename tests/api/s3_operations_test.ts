/** Rows of the S3 API over plain HTTP: statuses, codes, headers and documents. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { s3 } from "../../plugins/s3/mod.ts";
import { startService, type TestService } from "../support/service.ts";

interface Store extends AsyncDisposable {
  readonly service: TestService;
  send(method: string, path: string, init?: RequestInit): Promise<Response>;
  /** Sends, checks the status and returns the text. */
  text(method: string, path: string, status: number, init?: RequestInit): Promise<string>;
  /** Sends and returns status and error code. */
  code(method: string, path: string, init?: RequestInit): Promise<string>;
}

async function startStore(options: Record<string, unknown> = {}): Promise<Store> {
  const config = { plugins: { s3: { providers: { http: { buckets: ["box"], ...options } } } } };
  const service = await startService({ plugins: [s3], config });
  const { url } = service.endpoint("http");
  const send: Store["send"] = (method, path, init) => fetch(`${url}${path}`, { method, ...init });
  return {
    service,
    send,
    async text(method, path, status, init) {
      const response = await send(method, path, init);
      const text = await response.text();
      assertEquals(response.status, status, `${method} ${path}: ${text}`);
      return text;
    },
    async code(method, path, init) {
      const response = await send(method, path, init);
      const text = await response.text();
      return `${response.status} ${/<Code>(.*)<\/Code>/.exec(text)?.[1] ?? ""}`.trim();
    },
    [Symbol.asyncDispose]: () => service.stop(),
  };
}

function pick(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, "g"))].map((match) => match[1]!);
}

async function upload(store: Store, key: string, headers: HeadersInit = {}): Promise<string> {
  const created = await store.text("POST", `/box/${key}?uploads`, 200, { headers });
  return pick(created, "UploadId")[0]!;
}

async function part(store: Store, place: string, body: BodyInit): Promise<string> {
  const response = await store.send("PUT", place, { body });
  assertEquals(await response.text(), "");
  return response.headers.get("etag")!;
}

function completion(parts: readonly (readonly [number, string])[]): string {
  const list = parts.map(([number, etag]) =>
    `<Part><PartNumber>${number}</PartNumber><ETag>${etag}</ETag></Part>`
  );
  return `<CompleteMultipartUpload>${list.join("")}</CompleteMultipartUpload>`;
}

Deno.test("buckets are made, listed, looked at and deleted as S3 does", async () => {
  await using store = await startStore();
  const made = await store.send("PUT", "/new-bucket", {
    body: "<CreateBucketConfiguration><LocationConstraint>eu-west-1</LocationConstraint>" +
      "</CreateBucketConfiguration>",
  });
  assertEquals([made.status, await made.text()], [200, ""]);
  assertEquals(made.headers.get("location"), "/new-bucket");
  assert(made.headers.has("x-amz-request-id"));
  await store.text("PUT", "/new-bucket/", 200);
  assertEquals(pick(await store.text("GET", "/", 200), "Name"), ["box", "new-bucket"]);
  assertStringIncludes(
    await store.text("GET", "/new-bucket?location", 200),
    '<LocationConstraint xmlns="http://s3.amazonaws.com/doc/2006-03-01/">eu-west-1</',
  );
  const head = await store.send("HEAD", "/new-bucket");
  assertEquals([head.status, head.headers.get("x-amz-bucket-region")], [200, "eu-west-1"]);
  assertEquals((await store.send("HEAD", "/nothing")).status, 404);
  await store.text("GET", "/box?versioning=", 200);
  await store.text("PUT", "/new-bucket/k", 200, { body: "x" });
  assertEquals(await store.code("DELETE", "/new-bucket"), "409 BucketNotEmpty");
  await store.text("DELETE", "/new-bucket/k", 204);
  await store.text("DELETE", "/new-bucket", 204);
  assertEquals(await store.code("DELETE", "/new-bucket"), "404 NoSuchBucket");
  assertEquals(store.service.events.list({ plugin: "s3" }).map(({ type }) => type), [
    "s3.bucket.delete",
    "s3.object.delete",
    "s3.object.put",
    "s3.bucket.create",
  ]);
});

Deno.test("each refusal has the status and code that S3 clients know", async () => {
  await using store = await startStore({
    max_key_bytes: 20,
    max_object_bytes: 100,
    max_metadata_bytes: 50,
    max_objects: 2,
    max_buckets: 1,
    max_active_uploads: 1,
  });
  await store.text("PUT", "/box/a", 200, { body: "Hello" });
  const copy = (source: string, more: Record<string, string> = {}) => ({
    headers: { "x-amz-copy-source": source, ...more },
  });
  const put = (headers: Record<string, string>) => ({ body: "Hello", headers });
  const rows: readonly (readonly [string, string, string, RequestInit?])[] = [
    ["400 InvalidBucketName", "PUT", "/Bad_Name"],
    ["503 ServiceUnavailable", "PUT", "/another"],
    ["400 InvalidURI", "GET", "/box/%ff"],
    ["404 NoSuchBucket", "GET", "/nothing/a"],
    ["404 NoSuchBucket", "PUT", "/nothing/a", { body: "x" }],
    ["404 NoSuchBucket", "DELETE", "/nothing/a"],
    ["404 NoSuchKey", "GET", "/box/nothing"],
    ["400 InvalidArgument", "PUT", `/box/${"k".repeat(21)}`, { body: "x" }],
    ["400 InvalidArgument", "GET", "/box?max-keys=x"],
    ["400 EntityTooLarge", "PUT", "/box/b", { body: "x".repeat(101) }],
    ["400 MetadataTooLarge", "PUT", "/box/b", put({ "x-amz-meta-a": "v".repeat(50) })],
    ["400 InvalidDigest", "PUT", "/box/b", put({ "content-md5": "AAAA" })],
    ["400 BadDigest", "PUT", "/box/b", put({ "content-md5": "AAAAAAAAAAAAAAAAAAAAAA==" })],
    ["400 BadDigest", "PUT", "/box/b", put({ "x-amz-checksum-crc32": "AAAAAA==" })],
    ["400 BadDigest", "PUT", "/box/b", put({ "x-amz-checksum-crc32": "bad" })],
    [
      "400 XAmzContentSHA256Mismatch",
      "PUT",
      "/box/b",
      put({
        "x-amz-content-sha256": "0".repeat(64),
      }),
    ],
    [
      "501 NotImplemented",
      "PUT",
      "/box/b",
      put({
        "x-amz-content-sha256": "STREAMING-UNSIGNED-PAYLOAD-TRAILER",
      }),
    ],
    ["501 NotImplemented", "PUT", "/box/b", put({ "content-encoding": "gzip, aws-chunked" })],
    ["412 PreconditionFailed", "PUT", "/box/a", put({ "if-none-match": "*" })],
    ["404 NoSuchKey", "PUT", "/box/b", put({ "if-match": "*" })],
    ["412 PreconditionFailed", "PUT", "/box/a", put({ "if-match": "x" })],
    ["412 PreconditionFailed", "GET", "/box/a", { headers: { "if-match": '"x"' } }],
    ["416 InvalidRange", "GET", "/box/a", { headers: { range: "bytes=5-" } }],
    ["400 InvalidPart", "GET", "/box/a?partNumber=2"],
    ["400 InvalidRequest", "PUT", "/box/a", copy("box/a")],
    ["404 NoSuchKey", "PUT", "/box/b", copy("/box/nothing")],
    ["404 NoSuchBucket", "PUT", "/box/b", copy("nothing/a")],
    ["400 InvalidArgument", "PUT", "/box/b", copy("nothing")],
    [
      "412 PreconditionFailed",
      "PUT",
      "/box/b",
      copy("box/a", {
        "x-amz-copy-source-if-none-match": "*",
      }),
    ],
    ["400 MalformedXML", "POST", "/box?delete", { body: "<Delete></Delete>" }],
    ["400 MalformedXML", "POST", "/box?delete", { body: "not XML" }],
    ["400 MalformedXML", "POST", "/box?delete", {
      body: `<Delete>${"<Object><Key>k</Key></Object>".repeat(1001)}</Delete>`,
    }],
    ["404 NoSuchUpload", "POST", "/box/a?uploadId=x", { body: "" }],
    ["404 NoSuchUpload", "PUT", "/box/a?uploadId=x&partNumber=1", { body: "" }],
    ["501 NotImplemented", "GET", "/box?acl"],
    ["501 NotImplemented", "GET", "/box?policy="],
    ["501 NotImplemented", "PUT", "/box/a?tagging", { body: "" }],
    ["501 NotImplemented", "PUT", "/box?versioning", { body: "" }],
    ["405 MethodNotAllowed", "POST", "/box/a", { body: "" }],
    ["405 MethodNotAllowed", "DELETE", "/"],
    ["400 BadRequest", "OPTIONS", "/box"],
  ];
  for (const [expected, method, path, init] of rows) {
    assertEquals(await store.code(method, path, init), expected, `${method} ${path}`);
  }
  await store.text("POST", "/box/u?uploads", 200);
  assertEquals(await store.code("POST", "/box/u?uploads"), "503 ServiceUnavailable");
  await store.text("PUT", "/box/b", 200, { body: "" });
  assertEquals(await store.code("PUT", "/box/c", { body: "x" }), "503 ServiceUnavailable");
  // What was refused left nothing behind.
  const { stats } = await store.service.getJson<{ stats: unknown }>("/s3/buckets");
  assertEquals(stats, {
    buckets: 1,
    objects: 2,
    bytes: 5,
    active_uploads: 1,
    parts: 0,
    part_bytes: 0,
  });
  assertEquals(store.service.events.count("s3"), 2);
  const [newest] = store.service.rejected.list();
  assertStringIncludes(newest!.reason, "ServiceUnavailable: Cannot keep more objects");
});

Deno.test("the refusal of an aws-chunked upload names the ways out", async () => {
  await using store = await startStore();
  const headers = { "x-amz-content-sha256": "STREAMING-AWS4-HMAC-SHA256-PAYLOAD" };
  const text = await store.text("PUT", "/box/a", 501, { body: "5\r\nHello\r\n0\r\n\r\n", headers });
  for (
    const way of ["AWS_REQUEST_CHECKSUM_CALCULATION", "chunkedEncodingEnabled", "--s3-aws-chunked"]
  ) {
    assertStringIncludes(text, way);
  }
});

Deno.test("an object comes back with its bytes, headers and metadata, whole or in part", async () => {
  await using store = await startStore();
  const put = await store.send("PUT", "/box/dir/a.txt", {
    body: "Hello",
    headers: {
      "content-type": "text/plain",
      "cache-control": "no-cache",
      expires: "Fri, 02 Jan 2026 03:04:05 GMT",
      "x-amz-meta-Colour": "blue",
      "x-amz-checksum-crc32c": "gdkOGw==",
    },
  });
  assertEquals([put.status, await put.text()], [200, ""]);
  const etag = '"8b1a9953c4611296a827abf8c47804d7"';
  assertEquals(put.headers.get("etag"), etag);
  assertMatch(put.headers.get("X-Service-Event-Url")!, /\/ui\/events\/[0-9a-f]{24}$/);

  const whole = await store.send("GET", "/box/dir/a.txt", {
    headers: { "x-amz-checksum-mode": "ENABLED" },
  });
  assertEquals(await whole.text(), "Hello");
  const { headers } = whole;
  assertEquals(
    ["etag", "content-type", "cache-control", "expires", "x-amz-meta-colour", "content-length"]
      .map((name) => headers.get(name)),
    [etag, "text/plain", "no-cache", "Fri, 02 Jan 2026 03:04:05 GMT", "blue", "5"],
  );
  assertEquals(headers.get("accept-ranges"), "bytes");
  assertEquals(headers.get("x-amz-checksum-type"), "FULL_OBJECT");
  assert(headers.has("x-amz-checksum-crc32c") && headers.has("last-modified"));

  const ranges: readonly (readonly [string, number, string, string | null])[] = [
    ["bytes=1-2", 206, "el", "bytes 1-2/5"],
    ["bytes=3-", 206, "lo", "bytes 3-4/5"],
    ["bytes=-1", 206, "o", "bytes 4-4/5"],
    ["bytes=0-99", 206, "Hello", "bytes 0-4/5"],
    ["lines=1", 200, "Hello", null],
  ];
  for (const [range, status, text, contentRange] of ranges) {
    const headers = { range, "x-amz-checksum-mode": "ENABLED" };
    const response = await store.send("GET", "/box/dir/a.txt", { headers });
    assertEquals([response.status, await response.text()], [status, text], range);
    assertEquals(response.headers.get("content-range"), contentRange, range);
    assertEquals(response.headers.has("x-amz-checksum-crc32c"), status === 200, range);
  }

  const head = await store.send("HEAD", "/box/dir/a.txt");
  assertEquals([head.headers.get("content-length"), await head.text()], ["5", ""]);
  assert(!head.headers.has("x-amz-checksum-crc32c"));
  const kept = await store.send("GET", "/box/dir/a.txt", { headers: { "if-none-match": etag } });
  assertEquals([kept.status, await kept.text(), kept.headers.get("etag")], [304, "", etag]);
  const other = await store.send("GET", "/box/dir/a.txt?response-content-type=a%2Fb");
  assertEquals([other.headers.get("content-type"), await other.text()], ["a/b", "Hello"]);
});

Deno.test("keys are taken letter for letter, whatever they look like", async () => {
  await using store = await startStore();
  const keys = [
    "a/../b",
    "//x//",
    "ü ☃ 𝄞",
    "a+b",
    "%2F",
    "?q#f",
    "\u0001",
    "tail/",
  ];
  for (const key of keys) {
    await store.text("PUT", `/box/${encodeURIComponent(key)}`, 200, { body: key });
  }
  for (const key of keys) {
    assertEquals(await store.text("GET", `/box/${encodeURIComponent(key)}`, 200), key);
  }
  const list = await store.text("GET", "/box?list-type=2&encoding-type=url", 200);
  assertEquals(pick(list, "Key").map(decodeURIComponent).sort(), [...keys].sort());
});

Deno.test("a listing folds, pages and goes on in both versions", async () => {
  await using store = await startStore();
  for (const key of ["a", "b/1", "b/2", "c", "d/1"]) {
    await store.text("PUT", `/box/${key}`, 200, { body: "x" });
  }
  const v1 = await store.text("GET", "/box?delimiter=/&max-keys=2", 200);
  assertEquals([pick(v1, "Key"), pick(v1, "IsTruncated"), pick(v1, "NextMarker")], [
    ["a"],
    ["true"],
    ["b/"],
  ]);
  assertEquals(pick(v1, "DisplayName").length, 1);
  const rest = await store.text("GET", "/box?delimiter=/&marker=b/", 200);
  assertEquals([pick(rest, "Key"), pick(rest, "Prefix")], [["c"], ["", "d/"]]);
  assertEquals(pick(await store.text("GET", "/box?max-keys=2", 200), "NextMarker"), []);

  const first = await store.text("GET", "/box?list-type=2&delimiter=/&max-keys=2", 200);
  assertEquals(pick(first, "KeyCount"), ["2"]);
  const token = encodeURIComponent(pick(first, "NextContinuationToken")[0]!);
  const second = await store.text(
    "GET",
    `/box?list-type=2&delimiter=/&continuation-token=${token}&start-after=zzz`,
    200,
  );
  assertEquals([pick(second, "Key"), pick(second, "StartAfter")], [["c"], ["zzz"]]);
  assertEquals(pick(second, "ContinuationToken"), [decodeURIComponent(token)]);
  const none = await store.text("GET", "/box?list-type=2&max-keys=0", 200);
  assertEquals([pick(none, "Key"), pick(none, "IsTruncated")], [[], ["false"]]);
});

Deno.test("a copy takes bytes and headers of its source, or new headers", async () => {
  await using store = await startStore();
  const headers = { "content-type": "text/plain", "x-amz-meta-a": "1" };
  await store.text("PUT", "/box/a%3Fb", 200, { body: "Hello", headers });
  const source = { "x-amz-copy-source": "box/a%3Fb?versionId=null" };
  const done = await store.text("PUT", "/box/b", 200, { headers: source });
  assertEquals(pick(done, "ETag"), ["&quot;8b1a9953c4611296a827abf8c47804d7&quot;"]);
  await store.text("DELETE", "/box/a%3Fb", 204);
  const copied = await store.send("GET", "/box/b");
  assertEquals([await copied.text(), copied.headers.get("x-amz-meta-a")], ["Hello", "1"]);
  await store.text("PUT", "/box/b", 200, {
    headers: {
      "x-amz-copy-source": "box/b",
      "x-amz-metadata-directive": "REPLACE",
      "x-amz-meta-a": "2",
      "x-amz-checksum-algorithm": "SHA256",
    },
  });
  const replaced = await store.send("HEAD", "/box/b", {
    headers: { "x-amz-checksum-mode": "ENABLED" },
  });
  assertEquals(replaced.headers.get("x-amz-meta-a"), "2");
  assertEquals(
    replaced.headers.get("x-amz-checksum-sha256"),
    "GF+NsyJx/iX1Yab8k4suJkMG7DBO2lGAB9F2SCY4GWk=",
  );
  assertEquals(await store.text("GET", "/box/b", 200), "Hello");
  const [event] = store.service.events.list({ type: "s3.object.copy" });
  assertEquals(event!.summary, "copied s3://box/b to s3://box/b (5 bytes)");
});

Deno.test("parts become one object when the upload is completed, and not before", async () => {
  await using store = await startStore({ min_part_bytes: 2 });
  await store.text("PUT", "/box/m", 200, { body: "old" });
  const id = await upload(store, "m", {
    "content-type": "text/plain",
    "x-amz-checksum-algorithm": "CRC32",
  });
  const at = `/box/m?uploadId=${id}`;
  await part(store, `${at}&partNumber=2`, "gone");
  const two = await part(store, `${at}&partNumber=2`, "Hello ");
  const seven = await part(store, `${at}&partNumber=7`, "world");
  assertEquals(await store.text("GET", "/box/m", 200), "old");
  assertEquals(pick(await store.text("GET", at, 200), "PartNumber"), ["2", "7"]);
  assertEquals(pick(await store.text("GET", "/box?uploads", 200), "UploadId"), [id]);

  const post = (parts: readonly (readonly [number, string])[]) => ({ body: completion(parts) });
  assertEquals(await store.code("POST", at, { body: "" }), "400 MalformedXML");
  assertEquals(await store.code("POST", at, post([[7, seven], [2, two]])), "400 InvalidPartOrder");
  assertEquals(await store.code("POST", at, post([[2, seven]])), "400 InvalidPart");
  assertEquals(await store.code("POST", at, post([[1, two]])), "400 InvalidPart");
  assertEquals(
    await store.code("POST", at, {
      ...post([[2, two]]),
      headers: { "x-amz-checksum-crc32": "AAAAAA==" },
    }),
    "400 BadDigest",
  );
  const done = await store.text("POST", at, 200, post([[2, two], [7, seven.replaceAll('"', "")]]));
  assertMatch(pick(done, "ETag")[0]!, /^&quot;[0-9a-f]{32}-2&quot;$/);
  assertEquals([pick(done, "Key"), pick(done, "ChecksumType")], [["m"], ["COMPOSITE"]]);
  assertMatch(pick(done, "Location")[0]!, /^http:\/\/.*\/box\/m$/);
  assertEquals(await store.text("POST", at, 200, post([[2, two]])), done);
  assertEquals(await store.text("GET", "/box/m", 200), "Hello world");
  const second = await store.send("GET", "/box/m?partNumber=2");
  assertEquals([second.status, await second.text()], [206, "world"]);
  assertEquals(second.headers.get("x-amz-mp-parts-count"), "2");
  const about = await store.text("GET", "/box/m?attributes", 200, {
    headers: { "x-amz-object-attributes": "ETag,ObjectParts,ObjectSize,Checksum" },
  });
  assertEquals([pick(about, "ObjectSize"), pick(about, "PartsCount")], [["11"], ["2"]]);
  assertMatch(pick(about, "ETag")[0]!, /^[0-9a-f]{32}-2$/);
  const [event] = store.service.events.list({ plugin: "s3" });
  assertEquals([event!.type, event!.summary], ["s3.object.put", "stored s3://box/m (11 bytes)"]);
});

Deno.test("small parts, aborted uploads and copied ranges are taken as S3 takes them", async () => {
  await using store = await startStore();
  await store.text("PUT", "/box/source", 200, { body: "0123456789" });
  const id = await upload(store, "m", { "x-amz-checksum-algorithm": "CRC64NVME" });
  const at = `/box/m?uploadId=${id}`;
  const copy = (range: string) => ({
    headers: { "x-amz-copy-source": "box/source", "x-amz-copy-source-range": range },
  });
  assertEquals(
    await store.code("PUT", `${at}&partNumber=1`, copy("bytes=2-")),
    "400 InvalidArgument",
  );
  assertEquals(
    await store.code("PUT", `${at}&partNumber=1`, copy("bytes=2-10")),
    "416 InvalidRange",
  );
  assertEquals(await store.code("PUT", `${at}&partNumber=0`, { body: "" }), "400 InvalidArgument");
  const one = pick(
    await store.text("PUT", `${at}&partNumber=1`, 200, copy("bytes=2-4")),
    "ETag",
  )[0]!;
  const two = await part(store, `${at}&partNumber=2`, "x");
  const both = { body: completion([[1, one], [2, two]]) };
  assertEquals(await store.code("POST", at, both), "400 EntityTooSmall");
  const done = await store.text("POST", at, 200, { body: completion([[1, one]]) });
  assertEquals(pick(done, "ChecksumType"), ["FULL_OBJECT"]);
  assertEquals(await store.text("GET", "/box/m", 200), "234");

  const other = await upload(store, "n");
  await part(store, `/box/n?uploadId=${other}&partNumber=1`, "x");
  await store.text("DELETE", `/box/n?uploadId=${other}`, 204);
  assertEquals(await store.code("GET", `/box/n?uploadId=${other}`), "404 NoSuchUpload");
  const { stats } = await store.service.getJson<{ stats: Record<string, number> }>("/s3/buckets");
  assertEquals([stats.active_uploads, stats.parts, stats.part_bytes], [0, 0, 0]);
});

Deno.test("many keys are deleted at once, and told of one by one", async () => {
  await using store = await startStore();
  await store.text("PUT", "/box/a%26%0D", 200, { body: "x" });
  const list = (quiet: boolean) =>
    `<Delete><Quiet>${quiet}</Quiet><Object><Key>a&amp;&#13;</Key></Object>` +
    "<Object><Key>never</Key></Object></Delete>";
  const done = await store.text("POST", "/box/?delete=", 200, { body: list(false) });
  assertEquals(pick(done, "Key"), ["a&amp;&#xD;", "never"]);
  assertEquals(pick(await store.text("POST", "/box?delete", 200, { body: list(true) }), "Key"), []);
  assertEquals(store.service.events.list({ type: "s3.object.delete" }).length, 1);
});

Deno.test("aws-chunked uploads are taken off their framing when that is switched on", async () => {
  await using store = await startStore({ aws_chunked: true });
  const framed = "3\r\nHel\r\n2;chunk-signature=0\r\nlo\r\n0\r\n";
  const put = (body: string, more: Record<string, string> = {}) => ({
    body,
    headers: {
      "x-amz-content-sha256": "STREAMING-UNSIGNED-PAYLOAD-TRAILER",
      "content-encoding": "aws-chunked,gzip",
      "x-amz-decoded-content-length": "5",
      "x-amz-trailer": "x-amz-checksum-crc32",
      ...more,
    },
  });
  const good = `${framed}x-amz-checksum-crc32:99GJgg==\r\n\r\n`;
  await store.text("PUT", "/box/a", 200, put(good));
  const { headers, links } = await store.service.getJson<
    { headers: Record<string, string>; links: { content: string } }
  >("/s3/buckets/box/objects/a");
  assertEquals(headers.content_encoding, "gzip");
  assertEquals(links.content, "/api/v1/s3/buckets/box/content/a");
  const bad = `${framed}x-amz-checksum-crc32:AAAAAA==\r\n\r\n`;
  assertEquals(await store.code("PUT", "/box/b", put(bad)), "400 BadDigest");
  const short = put(good, { "x-amz-decoded-content-length": "6" });
  assertEquals(await store.code("PUT", "/box/b", short), "400 IncompleteBody");
  assertEquals(await store.code("PUT", "/box/b", put("5\r\nHel")), "400 IncompleteBody");
  assertEquals(store.service.events.count("s3"), 1);
});

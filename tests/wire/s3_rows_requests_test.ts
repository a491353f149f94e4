/** What S3 clients rely on: parsing of requests (Q) and headers of every response (E). */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { begin, completion, fill, pick, row, sendPart, talk } from "../support/s3.ts";

const NAMESPACE = 'xmlns="http://s3.amazonaws.com/doc/2006-03-01/"';

row("Q1 a bucket is the same with and without a slash behind it", async (store) => {
  await store.text("PUT", "/slashed/", 200);
  await store.text("GET", "/slashed", 200);
  await store.text("GET", "/slashed/?list-type=2", 200);
  const body = "<Delete><Object><Key>a</Key></Object></Delete>";
  await store.text("POST", "/slashed/?delete=", 200, { body });
  await store.text("DELETE", "/slashed/", 204);
});

row(
  "Q2 a key is the raw target behind the bucket, dot segments and slashes included",
  async (store) => {
    const keys = ["../a", "a/./b", "a/..", "//", "/a", "a//b/", "..", "."];
    for (const key of keys) {
      const put =
        `PUT /box/${key} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi`;
      assertMatch(await talk(store.service, put), /^HTTP\/1.1 200 /, key);
    }
    const listed = pick(await store.text("GET", "/box?list-type=2", 200), "Key");
    assertEquals(listed, [...keys].sort());
  },
);

row("Q3 a key is percent-decoded once, and a plus is a plus", async (store) => {
  const rows: readonly (readonly [path: string, key: string])[] = [
    ["a+b", "a+b"],
    ["a%2Bb%2B", "a+b+"],
    ["%2F", "/"],
    ["%252F", "%2F"],
    ["%3Fq%23f", "?q#f"],
    ["%5Cback%5C", "\\back\\"],
    ["%01%7F%0D%0A", "\x01\x7f\r\n"],
    ["a%20b", "a b"],
    ["%C3%BC%F0%9D%84%9E", "ü𝄞"],
  ];
  for (const [path, key] of rows) {
    await store.text("PUT", `/box/${path}`, 200, { body: key });
    assertEquals(await store.text("GET", `/box/${encodeURIComponent(key)}`, 200), key);
  }
});

row("Q4 a target that cannot be decoded is 400 InvalidURI", async (store) => {
  for (const path of ["/box/%ff", "/box/%zz", "/box/a%", "/%c3/a", "/box/%C0%80"]) {
    assertEquals(await store.code("GET", path), "400 InvalidURI", path);
  }
});

row(
  "Q5 a sub-resource is a name in the query without a value or with an empty one",
  async (store) => {
    for (const query of ["uploads", "uploads="]) {
      const begun = await store.text("POST", `/box/m?${query}`, 200);
      assertEquals(pick(begun, "Key"), ["m"]);
      assertEquals(pick(await store.text("GET", `/box?${query}`, 200), "Bucket"), ["box"]);
    }
    for (const query of ["location", "location="]) {
      assertStringIncludes(await store.text("GET", `/box?${query}`, 200), "<LocationConstraint");
    }
  },
);

row("Q6 names in the query that mean nothing are passed over", async (store) => {
  const signed =
    "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=k%2F20200101%2Fr%2Fs3%2Faws4_request" +
    "&X-Amz-Date=20200101T000000Z&X-Amz-Expires=1&X-Amz-SignedHeaders=host&X-Amz-Signature=0&x-id=PutObject";
  await store.text("PUT", `/box/a?${signed}`, 200, { body: "Hello" });
  const old = "AWSAccessKeyId=k&Signature=s&Expires=1&unknown=1&x-id=GetObject";
  assertEquals(await store.text("GET", `/box/a?${old}`, 200), "Hello");
  assertEquals(pick(await store.text("GET", `/box?${old}`, 200), "Key"), ["a"]);
});

row("Q7 any authorization passes, and the key and region that it names are told", async (store) => {
  const scope = "AWS4-HMAC-SHA256 Credential=AKID/20200101/eu-west-1/s3/aws4_request, " +
    "SignedHeaders=host, Signature=0";
  const query = "X-Amz-Credential=QID%2F20200101%2FUS%2Fs3%2Faws4_request&X-Amz-Expires=1";
  const rows: readonly (readonly [headers: HeadersInit, query: string, told: unknown])[] = [
    [{}, "", ["none", undefined, undefined]],
    [{ authorization: scope }, "", ["header", "AKID", "eu-west-1"]],
    [{ authorization: scope, "x-amz-date": "yesterday" }, "", ["header", "AKID", "eu-west-1"]],
    [{ authorization: "AWS V2KEY:c2ln" }, "", ["header", "V2KEY", undefined]],
    [{ authorization: "garbage" }, "", ["header", undefined, undefined]],
    [{}, `?${query}`, ["presigned", "QID", "US"]],
    [{}, "?AWSAccessKeyId=V2Q&Signature=s&Expires=1", ["presigned", "V2Q", undefined]],
  ];
  for (const [headers, search, told] of rows) {
    await store.text("PUT", `/box/a${search}`, 200, { body: "x", headers });
    const { auth, access_key, region } = store.service.events.list({ plugin: "s3" })[0]!.meta;
    assertEquals([auth, access_key, region], told);
  }
});

row("Q8 header fields that ask for what is so anyway are passed over", async (store) => {
  const fields = [
    "x-amz-api-version: 2006-03-01",
    "x-amz-acl: private",
    "x-amz-acl: bucket-owner-full-control",
    "x-amz-storage-class: STANDARD",
    "x-amz-expected-bucket-owner: 123456789012",
    "x-amz-request-payer: requester",
    "x-amz-security-token: any",
    "x-amz-tagging: ",
    "X-Amz-User-Agent: aws-sdk-js/3",
    "amz-sdk-invocation-id: 1",
    "x-amzn-trace-id: Root=1",
    "User-Agent: ",
    "User-Agent: \xff odd (",
    "Expect: something-else",
    "Expect: 100-Continue",
  ];
  for (const field of fields) {
    const head =
      `PUT /box/a HTTP/1.1\r\nHost: x\r\n${field}\r\nContent-Length: 2\r\nConnection: close\r\n`;
    assertMatch(await talk(store.service, `${head}\r\nhi`), /^HTTP\/1.1 200 /m, field);
  }
});

row("Q9 a body comes with a length, in chunks, or not at all", async (store) => {
  const rows: readonly (readonly [framing: string, size: number])[] = [
    ["Content-Length: 5\r\n\r\nHello", 5],
    ["Transfer-Encoding: chunked\r\n\r\n3\r\nHel\r\n2\r\nlo\r\n0\r\n\r\n", 5],
    ["Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 0],
    ["\r\n", 0],
  ];
  for (const [framing, size] of rows) {
    const put = `PUT /box/a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${framing}`;
    assertMatch(await talk(store.service, put), /^HTTP\/1.1 200 /, framing);
    const head = await store.send("HEAD", "/box/a");
    assertEquals(head.headers.get("content-length"), String(size), framing);
  }
});

row("Q10 a length that is none is 400", async (store) => {
  for (const length of ["-1", "", "1x", "0x5", "5, 6", "1e3"]) {
    const put = `PUT /box/a HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`;
    assertMatch(await talk(store.service, put), /^HTTP\/1.1 400 /, length);
  }
});

const LEFT_OUT = "analytics inventory metrics";

row("Q11 a sub-resource that is left out is 501 NotImplemented", async (store) => {
  await fill(store, ["a"]);
  for (const name of LEFT_OUT.split(" ")) {
    for (const query of [name, `${name}=`]) {
      assertEquals(await store.code("GET", `/box?${query}`), "501 NotImplemented", query);
    }
  }
  for (const name of ["torrent", "restore", "renameObject"]) {
    for (const method of ["GET", "PUT"]) {
      assertEquals(await store.code(method, `/box/a?${name}`), "501 NotImplemented", name);
    }
  }
});

row("E1 every answer has a request id, the one of its error document", async (store) => {
  const ids = new Set<string>();
  const paths = ["/", "/box", "/box?location", "/nothing", "/box/nothing", "/box/%ff", "/box?acl"];
  for (const path of paths) {
    const response = await store.send("GET", path);
    const text = await response.text();
    const id = response.headers.get("x-amz-request-id")!;
    assertMatch(id, /^[0-9A-F]{16}$/);
    assert(response.headers.get("x-amz-id-2"));
    if (!response.ok) assertEquals(pick(text, "RequestId"), [id]);
    ids.add(id);
  }
  assertEquals(ids.size, paths.length);
});

row(
  "E2 documents carry the name space of S3 and their type, errors the type alone",
  async (store) => {
    await fill(store, ["a"]);
    const queries = [
      "/",
      "/box",
      "/box?list-type=2",
      "/box?uploads",
      "/box?location",
      "/box?versioning",
    ];
    for (const path of queries) {
      const response = await store.send("GET", path);
      assertStringIncludes(await response.text(), NAMESPACE, path);
      assertEquals(response.headers.get("content-type"), "application/xml");
    }
    const error = await store.send("GET", "/nothing");
    assert(!(await error.text()).includes("xmlns"));
    assertEquals(error.headers.get("content-type"), "application/xml");
  },
);

row("E3 an error names code, message, resource and request", async (store) => {
  const text = await store.text("GET", "/box/dir/no%20key", 404);
  assertMatch(
    text,
    /^<\?xml version="1.0" encoding="UTF-8"\?>\n<Error><Code>NoSuchKey<\/Code><Message>[^<]+<\/Message><Resource>\/box\/dir\/no%20key<\/Resource><RequestId>\w+<\/RequestId>/,
  );
});

row("E4 an error to HEAD and a 304 have no body", async (store) => {
  await fill(store, ["a"]);
  for (const path of ["/nothing", "/box/nothing", "/box/%ff"]) {
    const response = await store.send("HEAD", path);
    assert(response.status >= 400);
    assertEquals(await response.text(), "");
  }
  const get = "GET /box/a HTTP/1.1\r\nHost: x\r\nIf-None-Match: *\r\nConnection: close\r\n\r\n";
  assertMatch(await talk(store.service, get), /^HTTP\/1.1 304 [^]*\r\n\r\n$/);
});

row(
  "E5 an entity tag is quoted everywhere: MD5 of the bytes, or of the parts' MD5s",
  async (store) => {
    // printf Hello | md5sum
    const hello = "8b1a9953c4611296a827abf8c47804d7";
    const put = await store.send("PUT", "/box/a", { body: "Hello" });
    await put.body?.cancel();
    assertEquals(put.headers.get("etag"), `"${hello}"`);
    const read = await store.send("GET", "/box/a");
    assertEquals([read.headers.get("etag"), await read.text()], [`"${hello}"`, "Hello"]);
    assertEquals(pick(await store.text("GET", "/box", 200), "ETag"), [`&quot;${hello}&quot;`]);
    const place = `/box/m?uploadId=${await begin(store, "/box/m")}`;
    const etag = await sendPart(store, `${place}&partNumber=1`, "Hello");
    assertEquals(etag, `"${hello}"`);
    assertEquals(pick(await store.text("GET", place, 200), "ETag"), [`&quot;${hello}&quot;`]);
    const done = await store.text("POST", place, 200, { body: completion([[1, etag]]) });
    // printf 8b1a9953c4611296a827abf8c47804d7 | xxd -r -p | md5sum
    assertEquals(pick(done, "ETag"), ["&quot;49c24cf3c5af9ba03cec39ee4aac4f77-1&quot;"]);
  },
);

row(
  "E6 dates are HTTP dates in header fields and ISO dates in XML, of the same second",
  async (store) => {
    await fill(store, ["a"]);
    const head = await store.send("HEAD", "/box/a");
    const http = head.headers.get("last-modified")!;
    assertMatch(http, /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/);
    const [iso] = pick(await store.text("GET", "/box", 200), "LastModified");
    assertMatch(iso!, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/);
    assertEquals(Date.parse(iso!), Date.parse(http));
    assertMatch(pick(await store.text("GET", "/", 200), "CreationDate")[0]!, /\.000Z$/);
  },
);

row(
  "E7 a refused upload is answered before its body has come, and its rest is dropped",
  async (store) => {
    const head = "PUT /nothing/a HTTP/1.1\r\nHost: x\r\nContent-Length: 8000000\r\n\r\n";
    assertMatch(await talk(store.service, `${head}some of it`, /<.Error>/), /^HTTP\/1.1 404 /);
    const body = new Uint8Array(8_000_000);
    assertEquals(await store.code("PUT", "/nothing/a", { body }), "404 NoSuchBucket");
    assertEquals(await store.code("PUT", "/box/a?torrent", { body }), "501 NotImplemented");
  },
);

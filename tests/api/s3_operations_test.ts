/** Object store operations in the API, and `aws-chunked` framing when enabled. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { createHash } from "node:crypto";
import type { S3Operation } from "../../plugins/s3/model.ts";
import { begin, completion, fill, sendPart, startStore } from "../support/s3.ts";

Deno.test("every change is an event; reads and no-op writes are not", async () => {
  await using store = await startStore({ min_part_bytes: 0 });
  await store.text("PUT", "/other", 200);
  await store.text("PUT", "/other", 200);
  const headers = { "content-type": "text/plain" };
  const put = await store.send("PUT", "/box/a", { body: "Hello", headers });
  assertMatch(put.headers.get("X-Service-Event-Url")!, /\/ui\/events\/[0-9a-f]{24}$/);
  await put.body?.cancel();
  await store.text("PUT", "/other/b", 200, { headers: { "x-amz-copy-source": "box/a" } });
  const id = await begin(store, "/box/m", headers);
  const at = `/box/m?uploadId=${id}`;
  const one = await sendPart(store, `${at}&partNumber=1`, "Hello ");
  const two = await sendPart(store, `${at}&partNumber=2`, "world");
  await store.text("POST", at, 200, { body: completion([[1, one], [2, two]]) });
  const read = await store.send("GET", "/box/a");
  await read.body?.cancel();
  assertEquals(read.headers.get("X-Service-Event-Url"), null);
  await store.text("GET", "/box", 200);
  await store.text("DELETE", "/other/b", 204);
  await store.text("DELETE", "/other/b", 204);
  await store.text("DELETE", "/other", 204);
  const told = store.service.events.list({ plugin: "s3" }).reverse();
  assertEquals(told.map(({ summary }) => summary), [
    "created bucket s3://other",
    "stored s3://box/a (5 bytes)",
    "copied s3://box/a to s3://other/b (5 bytes)",
    "stored s3://box/m (11 bytes)",
    "deleted s3://other/b",
    "deleted bucket s3://other",
  ]);
  const [, stored, copied, whole] = told.map(({ payload }) => payload as S3Operation);
  assertEquals([stored!.operation, stored!.etag, stored!.content_type], [
    "object.put",
    "8b1a9953c4611296a827abf8c47804d7",
    "text/plain",
  ]);
  assertEquals([copied!.operation, copied!.source], ["object.copy", { bucket: "box", key: "a" }]);
  assertEquals([whole!.operation, whole!.upload_id, whole!.parts], ["object.put", id, 2]);
  const bytes = await fetch(`${store.service.api.url}/api/v1/blobs/${whole!.blob!.id}`);
  assertEquals(await bytes.text(), "Hello world");
});

Deno.test("a refusal is recorded with its code", async () => {
  await using store = await startStore({ max_objects: 1 });
  await fill(store, ["a"]);
  assertEquals(await store.code("PUT", "/box/b", { body: "x" }), "503 ServiceUnavailable");
  const [newest] = store.service.rejected.list();
  assertStringIncludes(newest!.reason, "ServiceUnavailable: Cannot keep more objects");
  assertEquals([newest!.status, newest!.method, newest!.path], [503, "PUT", "/box/b"]);
  assertEquals(store.service.events.count("s3"), 1);
});

const CRC32 = "x-amz-checksum-crc32";
/** Variants of the framing, each with the bytes around "Hello". */
const FORMS: readonly (readonly [sha256: string, body: string, more: Record<string, string>])[] = [
  [
    "STREAMING-UNSIGNED-PAYLOAD-TRAILER",
    `3\r\nHel\r\n2\r\nlo\r\n0\r\n${CRC32}:99GJgg==\r\n\r\n`,
    { "content-encoding": "aws-chunked,gzip", "x-amz-trailer": CRC32 },
  ],
  // As sent by minio-go and older SDKs: without `aws-chunked` in Content-Encoding.
  [
    "STREAMING-AWS4-HMAC-SHA256-PAYLOAD",
    "5;chunk-signature=0\r\nHello\r\n0;chunk-signature=0\r\n\r\n",
    { "content-encoding": "gzip" },
  ],
  [
    "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER",
    `5;chunk-signature=0\r\nHello\r\n0;chunk-signature=0\r\n${CRC32}:99GJgg==\r\n` +
    "x-amz-trailer-signature:0\r\n\r\n",
    { "content-encoding": "gzip, AWS-CHUNKED", "x-amz-trailer": CRC32 },
  ],
];

for (const [sha256, body, more] of FORMS) {
  Deno.test(`an upload framed as ${sha256} is unframed when the setting is on`, async () => {
    await using store = await startStore({ aws_chunked: true });
    const headers = {
      "x-amz-content-sha256": sha256,
      "x-amz-decoded-content-length": "5",
      ...more,
    };
    const put = (text: string, other: Record<string, string> = {}) => ({
      body: text,
      headers: { ...headers, ...other },
    });
    await store.text("PUT", "/box/a", 200, put(body));
    const head = await store.send("HEAD", "/box/a", {
      headers: { "x-amz-checksum-mode": "ENABLED" },
    });
    assertEquals(
      ["content-length", "content-encoding", "etag"].map((name) => head.headers.get(name)),
      ["5", "gzip", '"8b1a9953c4611296a827abf8c47804d7"'],
    );
    const trailing = "x-amz-trailer" in more;
    assertEquals(head.headers.get(CRC32), trailing ? "99GJgg==" : null);
    if (trailing) {
      const wrong = body.replace("99GJgg==", "AAAAAA==");
      assertEquals(await store.code("PUT", "/box/b", put(wrong)), "400 BadDigest");
    }
    const longer = { "x-amz-decoded-content-length": "6" };
    assertEquals(await store.code("PUT", "/box/b", put(body, longer)), "400 IncompleteBody");
    assertEquals(await store.code("PUT", "/box/b", put("5\r\nHel")), "400 IncompleteBody");
    // Also for a part.
    const at = `/box/m?uploadId=${await begin(store, "/box/m")}`;
    const part = await store.send("PUT", `${at}&partNumber=1`, put(body));
    assertEquals([part.status, await part.text()], [200, ""]);
    assertEquals(part.headers.get("etag"), '"8b1a9953c4611296a827abf8c47804d7"');
    assertEquals(store.service.events.count("s3"), 1);
  });
}

Deno.test("an unframed body declared aws-chunked is stored without that encoding", async () => {
  await using store = await startStore({ aws_chunked: true });
  const headers = {
    "content-encoding": "aws-chunked",
    "x-amz-content-sha256": "185f8db32271fe25f561a6fc938b2e264306ec304eda518007d1764826381969",
  };
  await store.text("PUT", "/box/a", 200, { body: "Hello", headers });
  const got = await store.send("GET", "/box/a");
  assertEquals([await got.text(), got.headers.get("content-encoding")], ["Hello", null]);
});

Deno.test("concurrent large uploads do not mix, even beside one that breaks off", async () => {
  await using store = await startStore();
  const noise = new Uint8Array(3_000_000).map((_, i) => Math.imul(i, 0x9e3779b1) >>> 24);
  const md5 = (bytes: Uint8Array): string => createHash("md5").update(bytes).digest("hex");
  const bodies = Array.from({ length: 14 }, (_, i) => noise.subarray(i, 70_000 + i * 200_001));
  const { hostname, port } = store.service.endpoint("http");
  const put = async (body: Uint8Array<ArrayBuffer>, i: number): Promise<void> => {
    const response = await store.send("PUT", `/box/${i}`, { body });
    await response.body?.cancel();
    assertEquals(response.headers.get("etag"), `"${md5(body)}"`, `${i}`);
  };
  const breakOff = async (): Promise<void> => {
    using conn = await Deno.connect({ hostname, port });
    const head = "PUT /box/broken HTTP/1.1\r\nHost: x\r\nContent-Length: 2000000\r\n\r\n";
    await conn.write(new TextEncoder().encode(head));
    await conn.write(noise.subarray(0, 500_000));
  };
  await Promise.all([breakOff(), ...bodies.map(put), breakOff()]);
  for (const [i, body] of bodies.entries()) {
    const response = await store.send("GET", `/box/${i}`);
    assertEquals(md5(await response.bytes()), md5(body), `${i}`);
  }
  assertEquals(await store.code("GET", "/box/broken"), "404 NoSuchKey");
});

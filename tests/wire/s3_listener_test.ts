/** Raw clients of the object store that behave unlike any SDK. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { once } from "node:events";
import { connect } from "node:http2";
import { until } from "../support/files.ts";
import { md5Of, startStore, statsOf, talk } from "../support/s3.ts";
import type { TestService } from "../support/service.ts";

/** Only the service; it ends with the store. */
async function startListener(...options: Parameters<typeof startStore>): Promise<TestService> {
  return (await startStore(...options)).service;
}

Deno.test("dot segments and double slashes in a raw target belong to the key", async () => {
  await using service = await startListener();
  const answer = await talk(
    service,
    "PUT /box/a/../b//./c HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi",
  );
  assertMatch(answer, /^HTTP\/1.1 200 /);
  const [event] = service.events.list({ type: "s3.object.put" });
  assertEquals(event!.summary, "stored s3://box/a/../b//./c (2 bytes)");
});

Deno.test("an empty body with Expect is answered, and the connection ends", async () => {
  await using service = await startListener();
  for (const length of ["Content-Length: 0\r\n", ""]) {
    const put = `PUT /box/a HTTP/1.1\r\nHost: x\r\n${length}Expect: 100-continue\r\n\r\n`;
    const answer = await talk(service, put, /\r\n\r\n/);
    assertMatch(answer, /^HTTP\/1.1 200 /m);
    assertMatch(answer, /^connection: close\r$/im);
  }
});

Deno.test("a body with Expect gets 100 Continue, or a refusal if the bucket is missing", async () => {
  await using service = await startListener();
  const put = (bucket: string) =>
    `PUT /${bucket}/a HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nExpect: 100-continue\r\n` +
    "Connection: close\r\n\r\n";
  const taken = await talk(service, put("box"), /100 Continue/);
  assertMatch(taken, /^HTTP\/1.1 100 /);
  const refused = await talk(service, put("nothing"), /<.Error>/);
  assertMatch(refused, /^HTTP\/1.1 404 /m);
  assertEquals((await statsOf(service)).objects, 0);
});

Deno.test("invalid heads get the vendor's error format", async () => {
  await using service = await startListener({ max_header_bytes: 2048, read_header_timeout: 1 });
  const rows: readonly (readonly [code: string, head: string])[] = [
    ["RequestHeaderSectionTooLarge", `X: ${"y".repeat(2048)}\r\n\r\n`],
    ["RequestHeaderSectionTooLarge", `X: ${"y".repeat(4096)}`],
    ["RequestHeaderSectionTooLarge", `X: ${"y".repeat(1000)}\r\n`.repeat(3)],
    ["BadRequest", "Content-Length: -1\r\n\r\n"],
    ["BadRequest", "Content-Length: \r\n\r\n"],
    ["BadRequest", "Content-Length: 1\r\nContent-Length: 2\r\n\r\n"],
    ["BadRequest", "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n"],
    ["BadRequest", "Content-Length: 99999999999999999999\r\n\r\n"],
    ["BadRequest", "no header\r\n\r\n"],
    ["RequestTimeout", "X: y\r\n"],
  ];
  for (const [code, head] of rows) {
    const answer = await talk(service, `PUT /box/a HTTP/1.1\r\nHost: x\r\n${head}`);
    assertMatch(answer, /^HTTP\/1.1 400 /, head.slice(0, 50));
    assertMatch(answer, /^x-amz-request-id: [0-9A-F]{16}\r$/im, code);
    assertStringIncludes(answer, `<Error><Code>${code}</Code>`, head.slice(0, 50));
  }
  // A head just under the limit is still accepted.
  const most = `PUT /box/a HTTP/1.1\r\nHost: x\r\nX: ${
    "y".repeat(1900)
  }\r\nConnection: close\r\n\r\n`;
  assertMatch(await talk(service, most), /^HTTP\/1.1 200 /);
  assertEquals((await statsOf(service)).objects, 1);
});

Deno.test("too many header fields are refused in the vendor's error format", async () => {
  await using service = await startListener();
  const fields = Array.from({ length: 200 }, (_, i) => `x-amz-meta-${i}: v\r\n`).join("");
  const answer = await talk(service, `PUT /box/a HTTP/1.1\r\nHost: x\r\n${fields}\r\n`);
  assertStringIncludes(answer, "<Code>RequestHeaderSectionTooLarge</Code>");
});

Deno.test("a body that ends early is refused and leaves nothing", async () => {
  await using service = await startListener();
  const { hostname, port } = service.endpoint("http");
  using conn = await Deno.connect({ hostname, port });
  const head = "PUT /box/a HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n";
  await conn.write(new TextEncoder().encode(`${head}hi`));
  await conn.closeWrite();
  const answer = await new Response(conn.readable).text();
  assertMatch(answer, /^HTTP\/1.1 400 /);
  assertStringIncludes(answer, "<Code>IncompleteBody</Code>");
  assertEquals((await statsOf(service)).objects, 0);
  assertEquals(service.events.count("s3"), 0);
});

Deno.test("a broken chunked body is refused in the vendor's error format and leaves nothing", async () => {
  await using service = await startListener();
  const answer = await talk(
    service,
    "PUT /box/a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nHello\r\n0\r\n\r\n",
  );
  assertMatch(answer, /^HTTP\/1.1 400 /);
  assertEquals((await statsOf(service)).objects, 0);
});

Deno.test("an upload in progress when the service stops is cut off after shutdown_timeout", async () => {
  const service = await startListener({ shutdown_timeout: 1 });
  const { hostname, port } = service.endpoint("http");
  using conn = await Deno.connect({ hostname, port });
  const head =
    "PUT /box/a HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\nExpect: 100-continue\r\n";
  await conn.write(new TextEncoder().encode(`${head}\r\n`));
  await conn.read(new Uint8Array(100));
  const begun = performance.now();
  await service.stop({ graceMs: 60_000 });
  const waitedMs = performance.now() - begun;
  assert(waitedMs > 800 && waitedMs < 8000, `${waitedMs} ms`);
});

Deno.test("an unfinished head is given up after read_header_timeout", async () => {
  await using service = await startListener({ read_header_timeout: 1 });
  const begun = performance.now();
  await talk(service, "PUT /box/a HTTP/1.1\r\nHost: x\r\n");
  const waitedMs = performance.now() - begun;
  assert(waitedMs > 800 && waitedMs < 5000, `${waitedMs} ms`);
});

Deno.test("a body that stalls is given up after read_timeout and leaves nothing", async () => {
  await using service = await startListener({ read_timeout: 1 });
  const begun = performance.now();
  await talk(service, "PUT /box/a HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\nhi");
  const waitedMs = performance.now() - begun;
  assert(waitedMs > 800 && waitedMs < 8000, `${waitedMs} ms`);
  assertEquals((await statsOf(service)).objects, 0);
  assertEquals(service.events.count("s3"), 0);
});

Deno.test("a body that stalls over HTTP/2 is given up after read_timeout, too", async () => {
  await using service = await startListener({ read_timeout: 1 });
  const session = connect(service.endpoint("http").url);
  try {
    const request = session.request({ ":method": "PUT", ":path": "/box/a" });
    request.write("hi");
    const [headers] = await once(request, "response");
    assertEquals(headers[":status"], 400);
    let text = "";
    for await (const chunk of request) text += chunk;
    assertStringIncludes(text, "<Code>IncompleteBody</Code>");
    assertEquals((await statsOf(service)).objects, 0);
  } finally {
    session.destroy();
  }
});

Deno.test("a client that does not read its answer is cut off after write_timeout", async () => {
  await using service = await startListener({ write_timeout: 1 });
  const { hostname, port, url } = service.endpoint("http");
  const body = new Uint8Array(32_000_000);
  await (await fetch(`${url}/box/a`, { method: "PUT", body })).text();
  using conn = await Deno.connect({ hostname, port });
  await conn.write(new TextEncoder().encode("GET /box/a HTTP/1.1\r\nHost: x\r\n\r\n"));
  await until(() => service.rejected.list().length > 0);
  assertStringIncludes(service.rejected.list()[0]!.reason, "read nothing of its response");
});

Deno.test("a chunked body over the limit is refused and leaves nothing", async () => {
  await using service = await startListener({ max_object_bytes: 4 });
  const answer = await talk(
    service,
    "PUT /box/a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n" +
      "5\r\nHello\r\n0\r\n\r\n",
  );
  assertMatch(answer, /^HTTP\/1.1 400 /);
  assertStringIncludes(answer, "<Code>EntityTooLarge</Code>");
  assertEquals((await statsOf(service)).objects, 0);
});

Deno.test("a full blob store is a 503 with a hint, and stored objects stay", async () => {
  await using service = await startListener({}, { storage: { blob_limit: 200_000 } });
  const { url } = service.endpoint("http");
  const put = async (key: string) => {
    const response = await fetch(`${url}/box/${key}`, {
      method: "PUT",
      body: new Uint8Array(150_000),
    });
    return [response.status, await response.text()] as const;
  };
  assertEquals(await put("a"), [200, ""]);
  const [status, text] = await put("b");
  assertEquals(status, 503);
  assertStringIncludes(text, "<Code>ServiceUnavailable</Code>");
  assertStringIncludes(text, "blob_limit");
  assertStringIncludes(text, "--persist DIR");
  assertEquals((await statsOf(service)).bytes, 150_000);
  // Deleting makes room at once.
  await (await fetch(`${url}/box/a`, { method: "DELETE" })).text();
  assertEquals(await put("b"), [200, ""]);
});

Deno.test("a reader that began before an overwrite gets the old bytes to the end", async () => {
  await using service = await startListener();
  const { url } = service.endpoint("http");
  const put = async (fill: number) => {
    const body = new Uint8Array(3_000_000).fill(fill);
    await (await fetch(`${url}/box/a`, { method: "PUT", body })).text();
  };
  await put(1);
  const reader = (await fetch(`${url}/box/a`)).body!.getReader();
  let size = (await reader.read()).value!.length;
  await put(2);
  for (let read; !(read = await reader.read()).done;) {
    assert(read.value.every((byte) => byte === 1));
    size += read.value.length;
  }
  assertEquals(size, 3_000_000);
});

Deno.test("an idle connection is closed after idle_timeout", async () => {
  await using service = await startListener({ idle_timeout: 1 });
  const begun = performance.now();
  const answer = await talk(service, "HEAD /box HTTP/1.1\r\nHost: x\r\n\r\n");
  const waitedMs = performance.now() - begun;
  assertMatch(answer, /^HTTP\/1.1 200 /);
  assert(waitedMs > 800 && waitedMs < 8000, `${waitedMs} ms`);
});

Deno.test("XML over max_xml_bytes and parts over max_parts are refused", async () => {
  await using service = await startListener({ max_xml_bytes: 50, max_parts: 1 });
  const { url } = service.endpoint("http");
  const send = async (method: string, path: string, body: string) => {
    const headers = { "content-md5": md5Of(body) };
    const response = await fetch(`${url}${path}`, { method, body, headers });
    const text = await response.text();
    return { status: response.status, text };
  };
  const long = `<Delete><Object><Key>${"k".repeat(50)}</Key></Object></Delete>`;
  const refused = await send("POST", "/box?delete", long);
  assertEquals(refused.status, 400);
  assertStringIncludes(refused.text, "<Code>MalformedXML</Code>");
  assertStringIncludes(refused.text, "more than 50 bytes");

  const { text } = await send("POST", "/box/m?uploads", "");
  const id = /<UploadId>(.*)<\/UploadId>/.exec(text)![1];
  assertEquals((await send("PUT", `/box/m?uploadId=${id}&partNumber=1`, "a")).status, 200);
  assertEquals((await send("PUT", `/box/m?uploadId=${id}&partNumber=1`, "b")).status, 200);
  const second = await send("PUT", `/box/m?uploadId=${id}&partNumber=2`, "c");
  assertEquals(second.status, 503);
  assertStringIncludes(second.text, "<Code>ServiceUnavailable</Code>");
});

Deno.test("names, keys and metadata are as long as the settings say", async () => {
  const limits = { max_bucket_bytes: 5, max_key_bytes: 3, max_metadata_bytes: 4 };
  await using store = await startStore(limits);
  const meta = (value: string) => ({ headers: { "x-amz-meta-a": value } });
  const rows: readonly (readonly [string, string, RequestInit?])[] = [
    ["200", "/short"],
    ["400 InvalidBucketName", "/longer"],
    ["200", "/box/abc"],
    ["200", "/box/%C3%BCb"],
    ["400 InvalidArgument", "/box/abcd"],
    ["400 InvalidArgument", "/box/%C3%BCbc"],
    ["200", "/box/a", meta("vvv")],
    ["400 MetadataTooLarge", "/box/a", meta("vvvv")],
  ];
  for (const [code, path, init] of rows) {
    assertEquals(await store.code("PUT", path, init), code, path);
  }
});

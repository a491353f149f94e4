/** What S3 clients rely on: bytes that the HTTP stack must not change (D). */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { once } from "node:events";
import { connect } from "node:http2";
import { fill, row, statsOf, talk } from "../support/s3.ts";

row("D1 a HEAD tells the length of the object", async (store) => {
  await store.text("PUT", "/box/a", 200, { body: new Uint8Array(70_000) });
  const answer = await talk(
    store.service,
    "HEAD /box/a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
  );
  assertMatch(answer, /^content-length: 70000\r$/im);
  assert(answer.endsWith("\r\n\r\n"));
});

row("D2 16 KiB of metadata in many fields come back", async (store) => {
  const headers = Object.fromEntries(
    Array.from({ length: 80 }, (_, i) => [`x-amz-meta-${i}`, "v".repeat(200)]),
  );
  await store.text("PUT", "/box/a", 200, { body: "x", headers });
  const back = (await store.send("HEAD", "/box/a")).headers;
  for (const [name, value] of Object.entries(headers)) assertEquals(back.get(name), value);
});

row("D3 bytes of UTF-8 in header fields come back as they are", async (store) => {
  const put = "PUT /box/a HTTP/1.1\r\nHost: x\r\nx-amz-meta-name: ü☃\r\nContent-Length: 0\r\n" +
    "Connection: close\r\n\r\n";
  assertMatch(await talk(store.service, put), /^HTTP\/1.1 200 /);
  const head = "HEAD /box/a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
  assertMatch(await talk(store.service, head), /^x-amz-meta-name: ü☃\r$/m);
});

row("D4 nothing is compressed, whatever a client accepts", async (store) => {
  const headers = { "content-type": "text/plain" };
  await store.text("PUT", "/box/a", 200, { body: "a".repeat(100_000), headers });
  const get =
    "GET /box/a HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip, br\r\nConnection: close\r\n\r\n";
  const answer = await talk(store.service, get);
  assertMatch(answer, /^content-length: 100000\r$/im);
  assert(!/content-encoding/i.test(answer));
});

row("D5 length and chunks together are a 400", async (store) => {
  const both =
    "PUT /box/a HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n";
  assertMatch(await talk(store.service, `${both}0\r\n\r\n`), /^HTTP\/1.1 400 /);
  assertEquals((await statsOf(store.service)).objects, 0);
});

row(
  "D6 an empty body under Expect ends the connection, so that botocore goes on",
  async (store) => {
    const put =
      "PUT /box/a HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nExpect: 100-continue\r\n\r\n";
    assertMatch(await talk(store.service, put, /\r\n\r\n/), /^connection: close\r$/im);
    await fill(store, ["a"]);
  },
);

row("D7 the body of a refused upload is dropped, so that its answer arrives", async (store) => {
  const body = "x".repeat(3_000_000);
  const put = `PUT /nothing/a HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n`;
  const answer = await talk(store.service, put + body);
  assertMatch(answer, /^HTTP\/1.1 404 [^]*^connection: close\r$[^]*<\/Error>$/im);
});

/** A request over HTTP/2 with a body; resolves with its status and text. */
async function askHttp2(url: string, path: string, body: Uint8Array): Promise<[number, string]> {
  const session = connect(url);
  try {
    const request = session.request({ ":method": "PUT", ":path": path });
    request.end(body);
    const [headers] = await once(request, "response");
    let text = "";
    for await (const chunk of request) text += chunk;
    return [headers[":status"], /<Code>(.*)<\/Code>/.exec(text)?.[1] ?? text];
  } finally {
    session.destroy();
  }
}

row(
  "D9 over HTTP/2 the answer to a refused upload arrives, too, whenever it is refused",
  async (store) => {
    const { url } = store.service.endpoint("http");
    const body = new Uint8Array(3_000_000);
    assertEquals(await askHttp2(url, "/box/a", body.subarray(0, 2_000_000)), [200, ""]);
    assertEquals(await askHttp2(url, "/nothing/a", body), [404, "NoSuchBucket"]);
    assertEquals(await askHttp2(url, "/box/b", body), [400, "EntityTooLarge"]);
    assertEquals(await askHttp2(url, "/box?torrent", body), [501, "NotImplemented"]);
    assertEquals((await statsOf(store.service)).objects, 1);
  },
  { max_object_bytes: 2_000_000 },
);

/** Bodies over the limit: answered at once, in a way that lets the client read the response. */
import http2 from "node:http2";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { BodyTooLargeError, readBody } from "../../core/http/server/body/body.ts";
import { type Front, openFront, RawClient } from "../support/raw_http.ts";

const MAX_BYTES = 100_000;
type FrontOptions = NonNullable<Parameters<typeof openFront>[0]>;

/** More than a connection buffers, so that the sender finishes only if somebody reads. */
const LONG_BYTES = 100 * 1024 * 1024;

function open(options: FrontOptions = {}): Promise<Front> {
  return openFront({
    ...options,
    async handler(call) {
      try {
        await readBody(call, { maxBytes: MAX_BYTES });
      } catch (error) {
        if (!(error instanceof BodyTooLargeError)) throw error;
        return new Response(`more than ${error.maxBytes}`, { status: 413 });
      }
      return new Response("fits");
    },
  });
}

function head(framing: string): string {
  return `POST / HTTP/1.1\r\nHost: h\r\n${framing}\r\n\r\n`;
}

Deno.test(
  "a length over the limit is answered before the body, and the connection ends",
  async () => {
    await using front = await open();
    for (const more of ["", "Expect: 100-continue\r\n"]) {
      using client = await RawClient.connect(front.port);
      await client.send(head(`${more}Content-Length: ${MAX_BYTES + 1}`));
      const answer = await client.rest();
      assertMatch(answer, /^HTTP\/1\.1 413 [^]*\r\nconnection: close\r\n[^]*more than 100000$/i);
    }
    assertEquals([front.calls.length, front.faults], [2, []]);
  },
);

Deno.test(
  "requests before an oversized body are answered, and none after it",
  async () => {
    await using front = await open();
    using client = await RawClient.connect(front.port);
    await client.send(
      head("Content-Length: 1") + "x" + head(`Content-Length: ${MAX_BYTES + 1}`) +
        "GET /smuggled HTTP/1.1\r\nHost: h\r\n\r\n",
    );
    assertEquals((await client.answer()).body, "fits");
    assertEquals((await client.answer()).status, 413);
    assertEquals(await client.rest(), "");
    assertEquals(front.calls.length, 2);
  },
);

Deno.test(
  "a client that sends an oversized body to its end can then read the answer",
  async () => {
    await using front = await open();
    const framings = [`Content-Length: ${LONG_BYTES}`, "Transfer-Encoding: chunked"];
    for (const framing of framings) {
      using client = await RawClient.connect(front.port);
      await client.send(head(framing));
      if (framing.startsWith("T")) await client.send(`${LONG_BYTES.toString(16)}\r\n`);
      const piece = new Uint8Array(1024 * 1024);
      for (let sent = 0; sent < LONG_BYTES; sent += piece.length) await client.sendBytes(piece);
      const answer = await client.answer();
      assertEquals([answer.status, answer.body], [413, "more than 100000"], framing);
      assertEquals(await client.rest(), "");
    }
    assertEquals(front.faults, []);
  },
);

Deno.test("a client that never stops sending is disconnected after its answer", async () => {
  await using front = await open({ limits: { lingerMs: 20 } });
  using client = await RawClient.connect(front.port);
  await client.send(head("Transfer-Encoding: chunked"));
  await client.send(`${(MAX_BYTES * 1000).toString(16)}\r\n`);
  const piece = new Uint8Array(10_000);
  let sent = 0;
  const cut = (async () => {
    for (;; sent++) {
      await client.sendBytes(piece);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  })().catch(() => {});
  assertMatch(await client.rest(), /^HTTP\/1\.1 413 /);
  await cut;
  assert(sent * piece.length < MAX_BYTES * 1000);
});

Deno.test("an answer sent before the end of a body is the last one on its connection", async () => {
  await using front = await openFront({ handler: () => new Response("unread", { status: 401 }) });
  for (const framing of ["Content-Length: 10", "Transfer-Encoding: chunked"]) {
    using client = await RawClient.connect(front.port);
    await client.send(head(framing));
    assertMatch(await client.rest(), /^HTTP\/1\.1 401 [^]*\r\nconnection: close\r\n[^]*unread$/i);
  }
  assertEquals(front.faults, []);
});

Deno.test("over HTTP/2 the answer precedes the end of the body, and the stream ends cleanly", async () => {
  for (const length of [MAX_BYTES + 1, undefined]) {
    await using front = await open();
    const session = http2.connect(front.url);
    const stream = session.request({
      ":method": "POST",
      ":path": "/",
      ...(length === undefined ? {} : { "content-length": length }),
    });
    const status = Promise.withResolvers<unknown>();
    const text = Promise.withResolvers<string>();
    const closed = Promise.withResolvers<number | undefined>();
    stream.on("error", status.reject);
    stream.on("response", (headers) => status.resolve(headers[":status"]));
    stream.on("data", (bytes: Uint8Array) => text.resolve(new TextDecoder().decode(bytes)));
    stream.on("close", () => closed.resolve(stream.rstCode));
    if (length === undefined) stream.write(new Uint8Array(MAX_BYTES + 1));
    assertEquals(await status.promise, 413);
    assertEquals(await text.promise, "more than 100000");
    stream.end(new Uint8Array(length ?? 1));
    assertEquals(await closed.promise, 0);
    session.close();
    assertEquals(front.faults, []);
  }
});

Deno.test("over HTTP/2 the answer waits for a body that goes on, even slowly", async () => {
  await using front = await open();
  const session = http2.connect(front.url);
  const stream = session.request({ ":method": "POST", ":path": "/" });
  const said: unknown[] = [];
  const closed = Promise.withResolvers<number | undefined>();
  stream.on("response", (headers) => said.push(headers[":status"]));
  stream.on("data", () => {});
  stream.on("close", () => closed.resolve(stream.rstCode));
  for (let sent = 0; sent < 6; sent++) {
    stream.write(new Uint8Array(MAX_BYTES));
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  said.push("end of the body");
  stream.end();
  assertEquals(await closed.promise, 0);
  assertEquals(said, ["end of the body", 413]);
  session.close();
  assertEquals(front.faults, []);
});

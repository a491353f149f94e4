/** HTTP clients that keep sending but never finish. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { ByteWriter } from "../../core/bytes/writer.ts";
import { encodeFields } from "../../core/codec/hpack/hpack.ts";
import { readBody } from "../../core/http/server/body/body.ts";
import { type Front, openFront, RawClient } from "../support/raw_http.ts";

const DRIP_MS = 10;
const PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
const [DATA, HEADERS, SETTINGS, PING, CONTINUATION] = [0, 1, 4, 6, 9];
const END_HEADERS = 4;

/** RFC 9113 section 4.1. */
function frame(type: number, payload: Uint8Array, { flags = 0, stream = 0 } = {}): Uint8Array {
  return new ByteWriter().u8(payload.length >>> 16).u16(payload.length & 0xffff)
    .u8(type).u8(flags).u32(stream).bytes(payload).take();
}

const REQUEST = encodeFields([
  [":method", "POST"],
  [":scheme", "http"],
  [":authority", "h"],
  [":path", "/slow"],
]);

/** Sends `piece` every few milliseconds until the connection ends; returns how often. */
async function drip(client: RawClient, piece: Uint8Array): Promise<number> {
  let ended = false;
  const rest = client.rest().then(() => ended = true);
  let sent = 0;
  while (!ended) {
    try {
      await client.sendBytes(piece);
      sent++;
    } catch {
      break;
    }
    await new Promise((resolve) => setTimeout(resolve, DRIP_MS));
  }
  await rest;
  return sent;
}

async function openHttp2(front: Front, ...frames: Uint8Array[]): Promise<RawClient> {
  const client = await RawClient.connect(front.port);
  await client.send(PREFACE);
  for (const bytes of [frame(SETTINGS, new Uint8Array()), ...frames]) await client.sendBytes(bytes);
  return client;
}

/** On a busy machine a byte can be late, and then counts as silence. */
const SLOW_BODY =
  /too slowly|no more of its request body|at least 500 bytes per second|No more of the body/;

const LETTER = Uint8Array.of(0x61);

Deno.test("a head that drips byte by byte is answered with 408", async () => {
  await using front = await openFront({ limits: { headMs: 200 } });
  using client = await RawClient.connect(front.port);
  await client.send("GET / HTTP/1.1\r\nX: ");
  assert(await drip(client, LETTER) > 1);
  assertEquals(front.refused.map(({ status }) => status), [408]);
});

Deno.test("empty lines without a request do not keep a connection open", async () => {
  await using front = await openFront({ limits: { headMs: 200, keepAliveMs: 200 } });
  for (const before of ["", "GET /fine HTTP/1.1\r\nHost: h\r\n\r\n"]) {
    using client = await RawClient.connect(front.port);
    await client.send(before);
    assert(await drip(client, new TextEncoder().encode("\r\n")) > 1);
  }
  assertEquals(front.faults, []);
});

Deno.test("a body that drips byte by byte ends the connection and is recorded", async () => {
  await using front = await openFront({ limits: { bodyMs: 250 } });
  for (const framing of ["Content-Length: 1000", "Transfer-Encoding: chunked"]) {
    using client = await RawClient.connect(front.port);
    await client.send(`POST / HTTP/1.1\r\nHost: h\r\n${framing}\r\n\r\n`);
    if (framing.startsWith("T")) await client.send("ffff\r\n");
    assert(await drip(client, LETTER) > 1, framing);
  }
  assertEquals(front.refused.length, 2);
  assertMatch(front.refused[0]!.reason, SLOW_BODY);
  assertEquals(front.faults, []);
});

Deno.test("an HTTP/2 connection that stalls or drips inside its preface, a frame or a header block is closed", async () => {
  // Of an unknown type, which a server ignores (RFC 9113 section 4.1).
  const cut = frame(0x7f, new Uint8Array(16_000)).subarray(0, 100);
  const open = new ByteWriter().bytes(frame(HEADERS, REQUEST, { stream: 1 }))
    .bytes(frame(CONTINUATION, new Uint8Array(16_000), { stream: 1 }).subarray(0, 9)).take();
  for (const beginning of [cut, open]) {
    for (const drips of [false, true]) {
      await using front = await openFront({ limits: { headMs: 60, http2IdleMs: 60_000 } });
      using client = await openHttp2(front, beginning);
      if (drips) await drip(client, LETTER);
      else await client.rest();
      assertEquals(front.refused.length, 1);
      assertMatch(front.refused[0]!.reason, /HTTP\/2 frame/);
    }
  }
  await using front = await openFront({ limits: { headMs: 60 } });
  using client = await RawClient.connect(front.port);
  await client.send(PREFACE.slice(0, 20));
  await client.rest();
});

Deno.test("an HTTP/2 connection that only pings stays open", async () => {
  await using front = await openFront({ limits: { headMs: 40 } });
  using client = await openHttp2(front);
  for (let i = 0; i < 12; i++) {
    await client.sendBytes(frame(PING, new Uint8Array(8)));
    await new Promise((resolve) => setTimeout(resolve, DRIP_MS));
  }
  assertEquals(front.refused, []);
  await client.end();
  await client.rest();
});

const STATED = encodeFields([
  [":method", "POST"],
  [":scheme", "http"],
  [":authority", "h"],
  [":path", "/slow"],
  ["content-length", "1000"],
]);

for (const [drips, request] of [[false, REQUEST], [true, REQUEST], [true, STATED]] as const) {
  const how = drips ? "drips" : "stalls";
  const what = request === STATED ? "a body of known length" : "a body";
  Deno.test(`${what} over HTTP/2 that ${how} is answered, and its connection serves others`, async () => {
    const problems: string[] = [];
    await using front = await openFront({
      async handler(call) {
        try {
          await readBody(call, { maxBytes: 1000, idleMs: 100 });
        } catch (error) {
          problems.push(String(error));
          return new Response("late", { status: 400 });
        }
        return new Response("whole");
      },
    });
    using client = await openHttp2(
      front,
      frame(HEADERS, request, { flags: END_HEADERS, stream: 1 }),
    );
    for (let i = 0; problems.length === 0 && i < 500; i++) {
      if (drips) await client.sendBytes(frame(DATA, LETTER, { stream: 1 }));
      await new Promise((resolve) => setTimeout(resolve, DRIP_MS));
    }
    assertEquals(problems.length, 1);
    assertMatch(problems[0]!, SLOW_BODY);
  });
}

Deno.test("an HTTP/2 connection that stalls while it is answered is closed", async () => {
  const release = Promise.withResolvers<void>();
  await using front = await openFront({
    limits: { http2StallMs: 60 },
    async handler() {
      await release.promise;
      return new Response("late");
    },
  });
  using client = await openHttp2(
    front,
    frame(HEADERS, REQUEST, { flags: END_HEADERS | 1, stream: 1 }),
  );
  await client.rest();
  release.resolve();
  assertStringIncludes(front.refused[0]!.reason, "while it was answered");
});

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { RefusedConnection } from "../../core/net/server.ts";
import { BodyTooLargeError, readBody } from "../../core/http/server/body/body.ts";
import { HeadRoom } from "../../core/http/server/wire/head_room.ts";
import { MemoryBudget } from "../../core/memory/budget.ts";
import { openFront, RawClient, tell } from "../support/raw_http.ts";

const HOST = "Host: h\r\n";
const FINE = `GET /fine HTTP/1.1\r\n${HOST}\r\n`;

const refused: readonly (readonly [name: string, request: string, status: number])[] = [
  ["HTTP/0.9", "GET /\r\n\r\n", 400],
  ["a mail client", "EHLO client.example.org\r\n\r\n", 400],
  ["CONNECT", "CONNECT api.example.org:443 HTTP/1.1\r\nHost: api.example.org:443\r\n\r\n", 501],
  [
    "a length beside chunked",
    `POST / HTTP/1.1\r\n${HOST}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    400,
  ],
  ["two lengths", `POST / HTTP/1.1\r\n${HOST}Content-Length: 4\r\nContent-Length: 0\r\n\r\n`, 400],
  [
    "a hidden coding",
    `POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n`,
    400,
  ],
  [
    "an unsupported transfer coding",
    `POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
    501,
  ],
  ["a head that is too long", `GET / HTTP/1.1\r\n${HOST}X: ${"y".repeat(70_000)}\r\n\r\n`, 431],
  ["too many headers", `GET / HTTP/1.1\r\n${HOST}${"X: 1\r\n".repeat(200)}\r\n`, 431],
  ["HTTP/1.1 without Host", "GET / HTTP/1.1\r\nX: y\r\n\r\n", 400],
  ["a tunnel without Host", "CONNECT api.example.org:443 HTTP/1.1\r\n\r\n", 400],
  ["two Hosts", `GET / HTTP/1.1\r\n${HOST}${HOST}\r\n`, 400],
  ["an invalid Host", "GET / HTTP/1.1\r\nHost: a b\r\n\r\n", 400],
  ["a Host with a path", "GET / HTTP/1.1\r\nHost: h/x\r\n\r\n", 400],
  ["two Hosts in HTTP/1.0", `GET / HTTP/1.0\r\n${HOST}${HOST}\r\n`, 400],
  ["a blank before a colon", `GET / HTTP/1.1\r\nHost : h\r\n\r\n`, 400],
];
for (const [name, request, status] of refused) {
  Deno.test(
    `${name} is refused with ${status} after pending answers, and recorded`,
    async () => {
      await using front = await openFront();
      using client = await RawClient.connect(front.port);
      await client.send(`${FINE}${request}GET /smuggled HTTP/1.1\r\n${HOST}\r\n`);
      assertEquals((await client.told()).target, "/fine");
      const answer = await client.answer();
      assertEquals(answer.status, status);
      assertMatch(answer.head, /connection: close/i);
      assertEquals(answer.body, `${front.refused[0]!.reason}\n`);
      assertEquals(await client.rest(), "");
      assertEquals(front.calls.length, 1);
      const { peer, raw, reason } = front.refused[0]!;
      assertEquals([front.refused.length, peer], [1, client.local]);
      assertEquals(front.refused[0]!.status, status);
      assert(raw.length > 0);
      assertMatch(reason, /^Cannot /);
      assertEquals(front.faults, []);
    },
  );
}

Deno.test("an invalid chunked body is refused with 400 and recorded", async () => {
  for (const cut of [false, true]) {
    await using front = await openFront();
    using client = await RawClient.connect(front.port);
    await client.send(`POST /c HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n`);
    if (cut) await untilCalled(front);
    await client.send(`x\r\n${FINE}`);
    const answer = await client.answer();
    assertEquals(answer.status, 400);
    assertEquals(await client.rest(), "");
    assertStringIncludes(front.refused[0]!.reason, "chunk size");
    assertEquals(front.refused[0]!.path, "/c");
    assertEquals(front.faults, []);
  }
});

async function until(reached: () => boolean): Promise<void> {
  while (!reached()) await new Promise((resolve) => setTimeout(resolve, 5));
}

async function untilCalled(front: { readonly calls: unknown[] }): Promise<void> {
  while (front.calls.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
}

Deno.test(
  "a client that leaves inside a body is recorded, and the handler is notified",
  async () => {
    const { promise: failed, resolve } = Promise.withResolvers<string>();
    await using front = await openFront({
      async handler(call) {
        try {
          return await tell(call);
        } catch (error) {
          resolve((error as Error).name);
          throw error;
        }
      },
    });
    {
      using client = await RawClient.connect(front.port);
      await client.send(`POST /cut HTTP/1.1\r\n${HOST}Content-Length: 100\r\n\r\nabc`);
      await untilCalled(front);
    }
    assertEquals(await failed, "BodyIncompleteError");
    assertStringIncludes(front.refused[0]!.reason, "inside its body");
    assertEquals([front.refused[0]!.method, front.refused[0]!.path], ["POST", "/cut"]);
    assertEquals(front.faults, []);
  },
);

Deno.test("a client that leaves inside a head is recorded", async () => {
  await using front = await openFront();
  using client = await RawClient.connect(front.port);
  await client.send("GET / HTT");
  await client.end();
  assertEquals(await client.rest(), "");
  assertStringIncludes(front.refused[0]!.reason, "inside its head");
  assertEquals(new TextDecoder().decode(front.refused[0]!.raw), "GET / HTT");
});

Deno.test("a head that arrives too slowly is answered with 408", async () => {
  await using front = await openFront({ limits: { headMs: 40 } });
  using client = await RawClient.connect(front.port);
  await client.send("GET / HTTP/1.1\r\nX: ");
  assertEquals((await client.answer()).status, 408);
  assertEquals(await client.rest(), "");
  assertEquals(front.refused[0]!.status, 408);
});

Deno.test("a silent connection is closed without a record", async () => {
  await using front = await openFront({ limits: { headMs: 30 } });
  using client = await RawClient.connect(front.port);
  assertEquals(await client.rest(), "");
  assertEquals(front.refused, []);
});

Deno.test("a body that stalls ends the connection and is recorded", async () => {
  await using front = await openFront({ limits: { bodyMs: 40 } });
  using client = await RawClient.connect(front.port);
  await client.send(`POST / HTTP/1.1\r\n${HOST}Content-Length: 10\r\n\r\nabc`);
  await client.rest();
  assertStringIncludes(front.refused[0]!.reason, "sent no more of its request body");
  assertEquals(front.faults, []);
});

Deno.test("an idle connection is closed", async () => {
  await using front = await openFront({ limits: { keepAliveMs: 30 } });
  using client = await RawClient.connect(front.port);
  await client.send(FINE);
  assertEquals((await client.told()).target, "/fine");
  assertEquals(await client.rest(), "");
});

Deno.test("a slow request is not mistaken for an idle connection", async () => {
  await using front = await openFront({
    limits: { keepAliveMs: 20, headMs: 20, bodyMs: 20 },
    async handler() {
      await new Promise((resolve) => setTimeout(resolve, 150));
      return new Response("late");
    },
  });
  using client = await RawClient.connect(front.port);
  await client.send(FINE);
  assertEquals((await client.answer()).body, "late");
});

Deno.test("a client that does not read a long answer is disconnected", async () => {
  await using front = await openFront({
    limits: { writeMs: 60 },
    handler: () => new Response(new Uint8Array(50 * 1024 * 1024)),
  });
  using client = await RawClient.connect(front.port);
  await client.send(FINE);
  while (front.refused.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  assertStringIncludes(front.refused[0]!.reason, "read nothing");
});

Deno.test(
  "a body over the limit is refused early, and the client can read why",
  async () => {
    await using front = await openFront({
      async handler(call) {
        try {
          await readBody(call, { maxBytes: 100_000 });
        } catch (error) {
          if (!(error instanceof BodyTooLargeError)) throw error;
          return new Response(`${error.prefix.length} of too many`, { status: 413 });
        }
        return new Response("fits");
      },
    });
    const sizes = [[100_000, 200], [100_001, 413], [5_000_000, 413]] as const;
    for (const [size, status] of sizes) {
      for (const chunked of [false, true]) {
        using client = await RawClient.connect(front.port);
        const framing = chunked ? "Transfer-Encoding: chunked" : `Content-Length: ${size}`;
        const body = "x".repeat(size);
        const framed = chunked ? `${size.toString(16)}\r\n${body}\r\n0\r\n\r\n` : body;
        const sending = client.send(`POST / HTTP/1.1\r\n${HOST}${framing}\r\n\r\n${framed}`)
          .catch(() => {});
        const answer = await client.answer();
        assertEquals(answer.status, status, `${size} ${framing}`);
        await sending;
      }
    }
    assertEquals(front.faults, []);
  },
);

Deno.test("a connection over the cap gets 503", async () => {
  const turnedAway: RefusedConnection[] = [];
  await using front = await openFront({
    maxConnections: 1,
    onFull: (turned) => void turnedAway.push(turned),
  });
  using first = await RawClient.connect(front.port);
  await first.send(FINE);
  await first.answer();
  using second = await RawClient.connect(front.port);
  assertMatch(await second.rest(), /^HTTP\/1\.1 503 /);
  const load = { connections: 1, maxConnections: 1, refused: 1 };
  assertEquals(front.server.load?.(), load);
  assertMatch(turnedAway[0]!.peer, /^127\.0\.0\.1:\d+$/);
  assertEquals(turnedAway.map(({ peer: _, ...rest }) => rest), [load]);
});

Deno.test("cleartext HTTP/2 is refused and recorded when it is off", async () => {
  await using front = await openFront({ h2c: false });
  using client = await RawClient.connect(front.port);
  await client.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0");
  assertEquals(await client.rest(), "");
  assertStringIncludes(front.refused[0]!.reason, "Cannot accept cleartext HTTP/2");
  assertEquals(front.calls, []);
});

Deno.test("TLS is refused with an alert and recorded when it is off", async () => {
  await using front = await openFront();
  const conn = await Deno.connect({ hostname: "127.0.0.1", port: front.port });
  const error = await Deno.startTls(conn, { hostname: "localhost" })
    .then((tls) => tls.handshake().finally(() => tls.close()))
    .catch((error) => error);
  assertMatch(String(error), /HandshakeFailure/);
  assertStringIncludes(front.refused[0]!.reason, "Cannot accept TLS");
});

Deno.test("no client can bypass the front and reach the HTTP/2 server", async () => {
  const called = Promise.withResolvers<number>();
  await using front = await openFront({
    handler(call) {
      called.resolve(Number(new URL(call.request.url).port));
      return new Response("x");
    },
  });
  let inner: number;
  {
    using client = await RawClient.connect(front.port);
    await client.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0");
    // GET / over http, without a name: the platform names the address it listens on.
    await client.send("\0\0\x03\x01\x05\0\0\0\x01\x82\x86\x84");
    inner = await called.promise;
  }
  assert(inner > 0 && inner !== front.port);
  using client = await RawClient.connect(inner);
  await client.send(FINE);
  assertEquals((await client.answer()).status, 403);
  assertEquals(front.calls.length, 1);
});

Deno.test("the front survives any garbage", async () => {
  await using front = await openFront();
  for (let size = 1; size < 5000; size = size * 2 + 1) {
    using client = await RawClient.connect(front.port);
    const bytes = crypto.getRandomValues(new Uint8Array(size));
    if (bytes[0] === 0x16) bytes[0] = 0;
    await client.sendBytes(bytes);
    await client.end();
    await client.rest();
  }
  assertEquals((await (await fetch(`${front.url}/x`)).json()).target, "/x");
  assertEquals(front.faults, []);
});

Deno.test("unfinished heads share memory: one that finds none left is refused with 503", async () => {
  // Heads get a sixteenth: enough for one of 64 KiB.
  const memory = new MemoryBudget({ limitBytes: 16 * 65_536 });
  await using front = await openFront({ headRoom: new HeadRoom(memory) });
  const begun = `GET /fine HTTP/1.1\r\n${HOST}X: ${"y".repeat(60_000)}`;
  {
    using first = await RawClient.connect(front.port);
    await first.send(begun);
    await until(() => memory.lentBytes >= 65_536 - 4096);
    using second = await RawClient.connect(front.port);
    await second.send(`${begun}\r\n\r\n`);
    const answer = await second.answer();
    assertEquals(answer.status, 503);
    assertStringIncludes(answer.body, "memory_limit");
    assertEquals(front.refused[0]!.status, 503);
    using short = await RawClient.connect(front.port);
    await short.send(FINE);
    assertEquals((await short.told()).target, "/fine");
    await first.send("\r\n\r\n");
    assertEquals((await first.told()).target, "/fine");
    assertEquals(memory.lentBytes, 0);
    await first.send(begun);
    await until(() => memory.lentBytes >= 65_536 - 4096);
  }
  await until(() => memory.lentBytes === 0);
  // The memory of a client that left is free again.
  using last = await RawClient.connect(front.port);
  await last.send(`${begun}\r\n\r\n`);
  assertEquals((await last.told()).target, "/fine");
});

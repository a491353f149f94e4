import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { type ByteSource, bytesSource } from "../../core/byte_source.ts";
import { sourcedResponse } from "../../core/http/answer.ts";
import { openFront, openHeldFront, RawClient, tell } from "../support/raw_http.ts";

const POST =
  "POST /a/../b?x=%2e HTTP/1.1\r\nHost: h\r\nX-Two: 2\r\nX-one: 1\r\nContent-Length: 3\r\n\r\nabc";

Deno.test(
  "a call carries the head as sent and the client's address",
  async () => {
    const seen: (string | null)[] = [];
    await using front = await openFront({
      handler(call) {
        seen.push(call.headers.get("x-two"));
        return tell(call);
      },
    });
    using client = await RawClient.connect(front.port);
    await client.send(POST);
    assertEquals(await client.told(), {
      method: "POST",
      target: "/a/../b?x=%2e",
      version: "1.1",
      peer: client.local,
      body: "abc",
      rawHeaders: [["Host", "h"], ["X-Two", "2"], ["X-one", "1"], ["Content-Length", "3"]],
    });
    const call = front.calls[0]!;
    assertEquals([call.path, call.search, call.tls], ["/a/../b", "x=%2e", false]);
    assertEquals(call.local, `127.0.0.1:${front.port}`);
    assertEquals(seen, ["2"]);
  },
);

Deno.test("a request sent byte by byte is one request", async () => {
  await using front = await openFront();
  using client = await RawClient.connect(front.port);
  for (const char of POST) await client.send(char);
  assertEquals((await client.told()).body, "abc");
});

Deno.test(
  "pipelined requests are answered in order, each with its own head",
  async () => {
    await using front = await openFront();
    using client = await RawClient.connect(front.port);
    const requests = Array.from(
      { length: 50 },
      (_, i) =>
        `PUT /${i} HTTP/1.1\r\nHost: h\r\nX-Number: ${i}\r\nContent-Length: ${i}\r\n\r\n${
          "x".repeat(i)
        }`,
    );
    await client.send(requests.join(""));
    for (let i = 0; i < requests.length; i++) {
      const told = await client.told();
      assertEquals([told.target, told.body.length], [`/${i}`, i]);
      assertEquals(told.rawHeaders[1], ["X-Number", String(i)]);
    }
  },
);

Deno.test(
  "requests from a client that does not read are all answered eventually",
  async () => {
    await using front = await openHeldFront();
    using client = await RawClient.connect(front.port);
    const count = 5000;
    const requests = Array.from(
      { length: count },
      (_, i) => `GET /${i} HTTP/1.1\r\nHost: h\r\n\r\n`,
    );
    const sending = client.send(requests.join(""));
    front.release();
    for (let i = 0; i < count; i++) {
      assertEquals((await client.answer()).body, `/${i}`);
    }
    await sending;
  },
);

Deno.test("500 requests go over one connection", async () => {
  await using front = await openFront();
  using client = await RawClient.connect(front.port);
  for (let i = 0; i < 500; i++) {
    await client.send(`POST /${i} HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\nx`);
    assertEquals((await client.told()).target, `/${i}`);
  }
});

Deno.test(
  "a request that offers an upgrade is answered over HTTP/1.1, and its body is read",
  async () => {
    const seen: (string | null)[] = [];
    await using front = await openFront({
      handler(call) {
        // The event shows the request as received; the platform never sees the offer.
        seen.push(call.request.headers.get("upgrade"));
        return tell(call);
      },
    });
    using client = await RawClient.connect(front.port);
    for (let i = 0; i < 3; i++) {
      await client.send(
        "POST /u HTTP/1.1\r\nConnection: Upgrade, HTTP2-Settings\r\nContent-Length: 2\r\nHost: h\r\n" +
          "HTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA\r\nUpgrade: h2c\r\n\r\nhi",
      );
      const told = await client.told();
      assertEquals([told.body, told.version], ["hi", "1.1"]);
      assertEquals(told.rawHeaders[4], ["Upgrade", "h2c"]);
      assertEquals(seen[i], null);
    }
  },
);

Deno.test("an absolute-form target is cut to its path", async () => {
  await using front = await openFront();
  using client = await RawClient.connect(front.port);
  await client.send(
    "POST https://api.example.org/v3/send?a HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n",
  );
  assertEquals((await client.told()).target, "/v3/send?a");
});

Deno.test("HTTP/1.0 is answered and closed", async () => {
  await using front = await openFront();
  using client = await RawClient.connect(front.port);
  await client.send("POST /old HTTP/1.0\r\nContent-Length: 2\r\n\r\nhi");
  const told = await client.told();
  assertEquals([told.version, told.body], ["1.0", "hi"]);
  assertEquals(await client.rest(), "");
});

Deno.test("HEAD is answered without a body", async () => {
  await using front = await openFront();
  using client = await RawClient.connect(front.port);
  await client.send("HEAD / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
  const answer = await client.rest();
  assertMatch(answer, /^HTTP\/1\.1 200 /);
  assert(answer.endsWith("\r\n\r\n"));
});

Deno.test("a chunked body with extensions and trailers is read", async () => {
  await using front = await openFront();
  using client = await RawClient.connect(front.port);
  const head = "POST /c HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n";
  await client.send(`${head}2;n="v"\r\nab\r\n`);
  await client.send("1\r\nc\r\n0\r\nX-Trailer: 1\r\n\r\n");
  assertEquals((await client.told()).body, "abc");
  await client.send(POST);
  assertEquals((await client.told()).body, "abc");
});

Deno.test("a client that waits for 100 Continue gets it", async () => {
  await using front = await openFront();
  using client = await RawClient.connect(front.port);
  await client.send(
    "POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n",
  );
  assertEquals((await client.answer()).status, 100);
  await client.send("hi");
  assertEquals((await client.told()).body, "hi");
});

Deno.test("a client that closes its sending half still gets its answer", async () => {
  await using front = await openFront();
  using client = await RawClient.connect(front.port);
  await client.send(POST);
  await client.end();
  assertEquals((await client.told()).body, "abc");
  assertEquals(await client.rest(), "");
});

Deno.test("a streamed answer is sent piece by piece", async () => {
  const pieces = new TransformStream<Uint8Array, Uint8Array>();
  const writer = pieces.writable.getWriter();
  await using front = await openFront({
    handler: () =>
      new Response(pieces.readable as ReadableStream<Uint8Array<ArrayBuffer>>, {
        headers: { "content-type": "text/event-stream" },
      }),
  });
  const response = await fetch(`${front.url}/stream`);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  for (const text of ["event: a\n\n", "event: b\n\n", ": ping\n\n"]) {
    await writer.write(new TextEncoder().encode(text));
    assertEquals((await reader.read()).value, text);
  }
  await writer.close();
  assertEquals((await reader.read()).done, true);
});

Deno.test("a stream is cancelled when its client leaves", async () => {
  const { promise: cancelled, resolve } = Promise.withResolvers<void>();
  await using front = await openFront({
    limits: { halfClosedMs: 50 },
    handler: () =>
      new Response(
        new ReadableStream({
          start: (controller) => controller.enqueue(new TextEncoder().encode("hello")),
          cancel: () => resolve(),
        }),
      ),
  });
  {
    using client = await RawClient.connect(front.port);
    await client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
    assertEquals((await client.answer()).status, 200);
  }
  await cancelled;
});

Deno.test(
  "a handler that throws is answered with 500, and the connection stays open",
  async () => {
    await using front = await openFront({
      handler(call) {
        if (call.path === "/boom") throw new Error("boom");
        return tell(call);
      },
    });
    using client = await RawClient.connect(front.port);
    await client.send("GET /boom HTTP/1.1\r\nHost: h\r\n\r\n");
    assertEquals((await client.answer()).status, 500);
    await client.send("GET /fine HTTP/1.1\r\nHost: h\r\n\r\n");
    assertEquals((await client.told()).target, "/fine");
    assertStringIncludes(front.faults.join(), "boom");
  },
);

Deno.test("localhost is served on both loopback addresses", async () => {
  await using front = await openFront({ hostname: "localhost" });
  for (const host of ["127.0.0.1", "[::1]"]) {
    const response = await fetch(`http://${host}:${front.port}/x`);
    assertEquals((await response.json()).target, "/x");
  }
});

Deno.test("two fronts in one process do not mix", async () => {
  await using one = await openFront({ handler: () => new Response("one") });
  await using two = await openFront({ handler: () => new Response("two") });
  const texts = await Promise.all(
    Array.from(
      { length: 20 },
      async (_, i) => await (await fetch(i % 2 ? one.url : two.url)).text(),
    ),
  );
  assertEquals(texts, Array.from({ length: 20 }, (_, i) => i % 2 ? "one" : "two"));
});

/** Bytes from a store that fails at a given point. */
function sourceOf(bytes: Uint8Array<ArrayBuffer>, breaksAt = Infinity): ByteSource {
  const whole = bytesSource(bytes);
  let given = 0;
  return {
    ...whole,
    next(mostBytes) {
      if (given >= breaksAt) throw new Error("The disk is gone");
      given += Math.min(mostBytes, 100_000);
      return whole.next(Math.min(mostBytes, 100_000));
    },
  };
}

Deno.test("stored bytes are sent whole, and HEAD gets only their length", async () => {
  const bytes = Uint8Array.from({ length: 700_001 }, (_, i) => i * 7);
  const sizes = [0, 1, 30_000, 700_001];
  await using front = await openFront({
    handler: ({ path }) => {
      const part = bytes.subarray(0, Number(path.slice(1)));
      const given = path.startsWith("/0") ? part : sourceOf(part);
      return sourcedResponse(given, { headers: { "content-length": String(part.length) } });
    },
  });
  for (const path of sizes.flatMap((size) => [`/${size}`, `/0${size}`])) {
    const response = await fetch(front.url + path);
    assertEquals(response.headers.get("content-length"), String(Number(path.slice(1))));
    assertEquals(await response.bytes(), bytes.subarray(0, Number(path.slice(1))));
    const { headers, body } = await fetch(front.url + path, { method: "HEAD" });
    assertEquals(headers.get("content-length"), String(Number(path.slice(1))));
    await body?.cancel();
  }
  assertEquals(front.faults, []);
});

Deno.test("a non-ASCII header value is sent unchanged", async () => {
  await using front = await openFront({
    handler: () => new Response("body", { headers: { "x-name": "\xe4\xf6" } }),
  });
  const response = await fetch(front.url);
  assertEquals([response.headers.get("x-name"), await response.text()], ["\xe4\xf6", "body"]);
});

Deno.test("a truncated answer cannot be mistaken for a whole one", async () => {
  await using front = await openFront({
    handler: ({ path }) =>
      path === "/fine"
        ? new Response("fine")
        : sourcedResponse(sourceOf(new Uint8Array(400_000), 150_000), {
          headers: { "content-length": "400000" },
        }),
  });
  const broken = await fetch(`${front.url}/broken`);
  await assertRejects(() => broken.bytes());
  assertEquals(await (await fetch(`${front.url}/fine`)).text(), "fine");
});

Deno.test("an answer without a length can be distinguished from a truncated one", async () => {
  const { promise: goOn, resolve } = Promise.withResolvers<void>();
  await using front = await openFront({
    handler: ({ path }) => {
      async function* parts(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
        yield new TextEncoder().encode("one ");
        await goOn;
        yield new Uint8Array();
        if (path === "/broken") throw new Error("boom");
        yield new TextEncoder().encode("two");
      }
      return new Response(ReadableStream.from(parts()));
    },
  });
  const [whole, broken] = await Promise.all(
    ["/whole", "/broken"].map((path) => fetch(front.url + path)),
  );
  resolve();
  assertEquals(await whole!.text(), "one two");
  await assertRejects(() => broken!.text());
});

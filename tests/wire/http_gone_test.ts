/** Clients that leave before they have their response: work for them ends soon. */
import { assertEquals } from "@std/assert";
import http2 from "node:http2";
import { bytesSource } from "../../core/byte_source.ts";
import { sourcedResponse } from "../../core/http/answer.ts";
import { openFront, RawClient } from "../support/raw_http.ts";
import { startService, type TestService } from "../support/service.ts";
import { toy } from "../support/toy.ts";

const WAIT = "/api/v1/events/wait?timeout=60s&count=2";

async function watchers({ events }: TestService, count: number): Promise<void> {
  while (events.watchers !== count) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** Ways to send a request and leave; each resolves to the function that leaves. */
const CLIENTS: Readonly<Record<string, (url: URL) => Promise<() => Promise<void> | void>>> = {
  "that aborts a fetch": (url) => {
    const controller = new AbortController();
    const asked = fetch(url, { signal: controller.signal }).then(() => {}, () => {});
    return Promise.resolve(() => {
      controller.abort();
      return asked;
    });
  },
  "that closes its socket": async (url) => {
    const client = await RawClient.connect(Number(url.port));
    await client.send(`GET ${url.pathname}${url.search} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    return () => client[Symbol.dispose]();
  },
};

for (const [who, ask] of Object.entries(CLIENTS)) {
  Deno.test(`a wait ends with a client ${who}`, async () => {
    await using service = await startService({ plugins: [toy] });
    const leave = await ask(new URL(WAIT, service.api.url));
    await watchers(service, 1);
    const leftMs = performance.now();
    await leave();
    await watchers(service, 0);
    assertEquals(performance.now() - leftMs < 10_000, true);
    assertEquals(service.log, []);
  });
}

Deno.test("an expectation ends when its client leaves", async () => {
  await using service = await startService({ plugins: [toy] });
  const controller = new AbortController();
  const asked = fetch(`${service.api.url}/api/v1/expect`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ type: "toy.message", count: 1, timeout: "60s" }),
    signal: controller.signal,
  }).then(() => {}, () => {});
  await watchers(service, 1);
  controller.abort();
  await asked;
  await watchers(service, 0);
});

Deno.test(
  "a stream ends, and the signal of its call aborts, when its reader leaves",
  async () => {
    const cancelled = Promise.withResolvers<void>();
    const gone = Promise.withResolvers<void>();
    await using front = await openFront({
      handler(call) {
        call.gone.addEventListener("abort", () => gone.resolve());
        const body = new ReadableStream<Uint8Array>({
          start: (controller) => controller.enqueue(new TextEncoder().encode(": hello\n\n")),
          cancel: () => cancelled.resolve(),
        });
        return new Response(body, { headers: { "content-type": "text/event-stream" } });
      },
    });
    const client = await RawClient.connect(front.port);
    await client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await client.answer();
    client[Symbol.dispose]();
    await Promise.all([cancelled.promise, gone.promise]);
    assertEquals(front.faults, []);
  },
);

Deno.test("an HTTP/2 call is aborted when its connection ends", async () => {
  const gone = Promise.withResolvers<void>();
  await using front = await openFront({
    async handler(call) {
      call.gone.addEventListener("abort", () => gone.resolve());
      await gone.promise;
      return new Response("late");
    },
  });
  const session = http2.connect(front.url);
  session.on("error", () => {});
  const stream = session.request({ ":path": "/" });
  stream.on("error", () => {});
  const closed = new Promise<void>((resolve) => session.once("close", () => resolve()));
  while (front.calls.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  session.destroy();
  await Promise.all([closed, gone.promise]);
  assertEquals(front.faults, []);
});

Deno.test("the source of an answer is closed when its client has left", async () => {
  const closed = Promise.withResolvers<void>();
  await using front = await openFront({
    limits: { halfClosedMs: 30 },
    async handler(call) {
      await new Promise((resolve) => call.gone.addEventListener("abort", resolve));
      const source = bytesSource(new Uint8Array(1000));
      return sourcedResponse({ ...source, close: () => closed.resolve() }, {});
    },
  });
  const client = await RawClient.connect(front.port);
  await client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  while (front.calls.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  client[Symbol.dispose]();
  await closed.promise;
  assertEquals(front.faults, []);
});

Deno.test(
  "an answer of known length that its client does not wait for is dropped silently",
  async () => {
    const cancelled = Promise.withResolvers<void>();
    await using front = await openFront({
      limits: { halfClosedMs: 30 },
      handler() {
        const body = new ReadableStream<Uint8Array>({
          start: (controller) => controller.enqueue(new Uint8Array(10)),
          cancel: () => cancelled.resolve(),
        });
        return new Response(body, { headers: { "content-length": "1000" } });
      },
    });
    const client = await RawClient.connect(front.port);
    await client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    while (front.calls.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    client[Symbol.dispose]();
    await cancelled.promise;
    await front.server.stop({ graceMs: 1000 });
    assertEquals(front.faults, []);
  },
);

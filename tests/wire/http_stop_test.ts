import { assert, assertEquals, assertRejects } from "@std/assert";
import { openFront, RawClient } from "../support/raw_http.ts";

const GET = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";

Deno.test("a stop lets an answer finish, and closes idle connections", async () => {
  const { promise: called, resolve: call } = Promise.withResolvers<void>();
  const { promise: release, resolve: answer } = Promise.withResolvers<void>();
  const front = await openFront({
    async handler({ path }) {
      if (path !== "/slow") return new Response("x");
      call();
      await release;
      return new Response("slow");
    },
  });
  using idle = await RawClient.connect(front.port);
  await idle.send(GET);
  await idle.answer();
  using silent = await RawClient.connect(front.port);
  using slow = await RawClient.connect(front.port);
  await slow.send("GET /slow HTTP/1.1\r\nHost: h\r\n\r\n");
  await called;
  const stopped = front.server.stop({ graceMs: 5000 });
  assertEquals(await idle.rest(), "");
  assertEquals(await silent.rest(), "");
  await assertRejects(() => RawClient.connect(front.port));
  answer();
  assertEquals((await slow.answer()).body, "slow");
  assertEquals(await slow.rest(), "");
  await stopped;
});

Deno.test("a stop cuts off what outlasts the grace period", async () => {
  const front = await openFront({
    handler: ({ path }) =>
      path === "/never" ? new Promise<Response>(() => {}) : new Response(
        new ReadableStream({
          start: (controller) => controller.enqueue(new TextEncoder().encode("x")),
        }),
      ),
  });
  using stream = await RawClient.connect(front.port);
  await stream.send(GET);
  await stream.answer();
  using never = await RawClient.connect(front.port);
  await never.send("GET /never HTTP/1.1\r\nHost: h\r\n\r\n");
  const before = performance.now();
  await front.server.stop({ graceMs: 50 });
  assert(performance.now() - before < 3000);
  await stream.rest();
  assertEquals(await never.rest(), "");
});

Deno.test(
  "a stop under load leaves nothing open, and every answer is complete or absent",
  async () => {
    const front = await openFront();
    let answered = 0;
    let stopping = false;
    const clients = Array.from({ length: 20 }, async () => {
      while (!stopping) {
        const response = await fetch(front.url, { method: "POST", body: "x".repeat(5000) })
          .catch(() => undefined);
        const text = await response?.text().catch(() => undefined);
        if (text === undefined) continue;
        assertEquals(JSON.parse(text).body, "5000 bytes");
        answered++;
      }
    });
    while (answered < 200) await new Promise((resolve) => setTimeout(resolve, 1));
    await front.server.stop({ graceMs: 2000 });
    stopping = true;
    await Promise.all(clients);
    assertEquals(front.faults, []);
  },
);

Deno.test("stopping twice is the same as stopping once", async () => {
  const front = await openFront();
  await Promise.all([front.server.stop({ graceMs: 10 }), front.server.stop({ graceMs: 10 })]);
  await front.server.stop({ graceMs: 10 });
});

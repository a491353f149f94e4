/** HTTP/2 connections reserve memory and release it. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { MemoryBudget } from "../../core/memory/budget.ts";
import { Http2Sender } from "../support/floods_http2.ts";
import { openFront, openHeldFront, RawClient } from "../support/raw_http.ts";

/** Reserved for each connection. */
const CONNECTION_BYTES = 131_072;
/** Reserved in addition for each open request and each unread frame. */
const [CALL_BYTES, FRAME_BYTES] = [49_152, 256];

async function until(reached: () => boolean): Promise<void> {
  while (!reached()) await new Promise((resolve) => setTimeout(resolve, 5));
}

Deno.test("an HTTP/2 connection gets ENHANCE_YOUR_CALM when memory is short", async () => {
  const memory = new MemoryBudget({ limitBytes: 1.5 * CONNECTION_BYTES, waitMs: 1 });
  await using front = await openFront({ memory });
  using first = await Http2Sender.open(front.port);
  await until(() => memory.lentBytes === CONNECTION_BYTES);
  {
    using second = await RawClient.connect(front.port);
    await second.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    const said = new TextEncoder().encode(await second.rest()).toHex();
    assertEquals(said, "000000040000000000" + "000008070000000000" + "000000000000000b");
    assertStringIncludes(front.refused[0]!.reason, "memory_limit");
  }
  first[Symbol.dispose]();
  await until(() => memory.lentBytes === 0);
  using third = await Http2Sender.open(front.port);
  assertEquals(await third.status(await third.begin({ ends: true })), 200);
});

Deno.test("endless HTTP/2 bodies count until their client leaves", async () => {
  const memory = new MemoryBudget({ limitBytes: 64_000_000 });
  await using front = await openFront({ memory });
  {
    using sender = await Http2Sender.open(front.port);
    for (let i = 0; i < 5; i++) await sender.begin();
    const pouring = sender.pour(new Uint8Array(50_000));
    await until(() => memory.lentBytes >= CONNECTION_BYTES + 250_000);
    sender[Symbol.dispose]();
    await pouring.catch(() => {});
  }
  await until(() => memory.lentBytes === 0);
});

Deno.test("an HTTP/2 request no longer counts once it is answered", async () => {
  const memory = new MemoryBudget({ limitBytes: 64_000_000 });
  await using front = await openFront({ memory });
  using sender = await Http2Sender.open(front.port);
  for (let i = 0; i < 3; i++) {
    assertEquals(await sender.status(await sender.begin({ ends: true })), 200);
    await until(() => memory.lentBytes === CONNECTION_BYTES);
  }
});

Deno.test("pending HTTP/2 requests count until they are answered or reset", async () => {
  const memory = new MemoryBudget({ limitBytes: 64_000_000 });
  await using front = await openHeldFront({ memory });
  using sender = await Http2Sender.open(front.port);
  const streams: number[] = [];
  for (let i = 0; i < 5; i++) streams.push(await sender.begin({ ends: i !== 0 }));
  await until(() => memory.lentBytes === CONNECTION_BYTES + 5 * CALL_BYTES);
  await sender.reset(streams[0]!);
  front.release();
  for (const stream of streams.slice(1)) assertEquals(await sender.status(stream), 200);
  await until(() => memory.lentBytes === CONNECTION_BYTES);
});

Deno.test("unread empty HTTP/2 frames count, and too many end the connection", async () => {
  const memory = new MemoryBudget({ limitBytes: 8_000_000, waitMs: 1 });
  await using front = await openHeldFront({ memory });
  using sender = await Http2Sender.open(front.port);
  const stream = await sender.begin();
  await sender.empty(stream, 1000);
  await until(() => memory.lentBytes === CONNECTION_BYTES + CALL_BYTES + 1000 * FRAME_BYTES);
  await sender.empty(stream, 50_000).catch(() => {});
  await sender.ended;
  await until(() => memory.lentBytes === 0);
  assertStringIncludes(front.refused[0]!.reason, "memory_limit");
  front.release();
});

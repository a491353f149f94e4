/**
 * Unread responses count against a part of the memory; once it is used up, new responses are refused.
 */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { MemoryBudget } from "../../core/memory/budget.ts";
import { noteHeld } from "../../core/http/answer.ts";
import { AnswerRoom } from "../../core/http/server/wire/answer_room.ts";
import { Http2Sender } from "../support/floods_http2.ts";
import { openFront, RawClient } from "../support/raw_http.ts";

/** Bytes that one response holds here: two of them fill the share. */
const HELD_BYTES = 100_000;
const LIMIT_BYTES = 8 * HELD_BYTES;
const REQUEST = "GET /long HTTP/1.1\r\nHost: localhost\r\n\r\n";

/** Endless responses that hold this much; `/short` is an ordinary one. */
function endless(type = "text/plain"): Response {
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: (controller) => controller.enqueue(new Uint8Array(65_536)),
  });
  return noteHeld(new Response(body, { headers: { "content-type": type } }), HELD_BYTES);
}

async function open(memory: MemoryBudget, type?: string) {
  return await openFront({
    memory,
    answerRoom: new AnswerRoom(memory, { waitMs: 50 }),
    handler: ({ path }) => Promise.resolve(path === "/short" ? new Response("x") : endless(type)),
  });
}

async function until(reached: () => boolean): Promise<void> {
  while (!reached()) await new Promise((resolve) => setTimeout(resolve, 5));
}

async function hold(port: number): Promise<RawClient> {
  const client = await RawClient.connect(port);
  await client.send(REQUEST);
  return client;
}

Deno.test("answers over their memory share are refused until clients free some", async () => {
  const memory = new MemoryBudget({ limitBytes: LIMIT_BYTES });
  await using front = await open(memory);
  const first = await hold(front.port);
  using _second = await hold(front.port);
  await until(() => memory.lentBytes === 2 * HELD_BYTES);
  {
    using third = await hold(front.port);
    const { status, head } = await third.answer();
    assertEquals(status, 503);
    assertStringIncludes(head, "Retry-After: 5");
    assertStringIncludes(front.refused[0]!.reason, "memory_limit");
    await third.send("GET /short HTTP/1.1\r\nHost: localhost\r\n\r\n");
    assertEquals((await third.answer()).body, "x");
  }
  first[Symbol.dispose]();
  await until(() => memory.lentBytes === HELD_BYTES);
  using _fourth = await hold(front.port);
  await until(() => memory.lentBytes === 2 * HELD_BYTES);
});

Deno.test("event streams have their own memory share", async () => {
  const memory = new MemoryBudget({ limitBytes: LIMIT_BYTES });
  await using front = await open(memory, "text/event-stream");
  using _first = await hold(front.port);
  using _second = await hold(front.port);
  await until(() => memory.lentBytes === 2 * HELD_BYTES);
  using third = await hold(front.port);
  assertEquals((await third.answer()).status, 503);
});

Deno.test("an HTTP/2 answer counts what the inner server buffers until its stream ends", async () => {
  const memory = new MemoryBudget({ limitBytes: 64_000_000 });
  await using front = await open(memory);
  using sender = await Http2Sender.open(front.port);
  const stream = await sender.begin({ ends: true });
  await until(() => memory.lentBytes > 524_288 + HELD_BYTES);
  await sender.reset(stream);
  await until(() => memory.lentBytes <= 131_072);
});

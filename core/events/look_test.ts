import { assertEquals, assertRejects } from "@std/assert";
import { createIds } from "../ids.ts";
import type { CapturedEvent, NewEvent } from "./event.ts";
import { type Look, lookUntil } from "./look.ts";
import { MemoryEventStore } from "./store.ts";
import { FitCount, waitForEvents } from "./wait.ts";

const never = new AbortController().signal;

function setUp(capacity = 500_000) {
  return new MemoryEventStore({
    limits: { capacityOf: () => capacity, maxRawBytes: Infinity },
    clock: { now: () => new Date(0) },
    nextId: createIds({ nowMs: () => 0, random: () => 0 }),
    blobs: { release: () => {} },
    onOversize: () => {},
  });
}

function event(summary: string): NewEvent {
  const body = new Uint8Array();
  return { type: "t", summary, payload: 0, raw: { transport: "tcp", text: true, body } };
}

/** A search in steps, which yields to others at each step. */
function* slowly(fits: (event: CapturedEvent) => boolean, event: CapturedEvent) {
  const end = performance.now() + 12;
  while (performance.now() < end) yield;
  return fits(event);
}

Deno.test("a slow wait counts new events while it scans held ones, once and in order", async () => {
  const store = setUp();
  const ids = ["a", "b", "c"].map((summary) => store.add("p", "q", event(summary)).id);
  const wanted = {
    filter: {},
    count: 4,
    match: (one: CapturedEvent) => slowly(() => true, one),
  };
  const waited = waitForEvents(store, wanted, { timeoutMs: 5000, signal: never });
  await new Promise((resolve) => setTimeout(resolve, 15));
  // One event was inspected, the others were not: deleted events do not count either way.
  store.delete(ids[0]!);
  store.delete(ids[2]!);
  for (const summary of ["d", "e", "f"]) store.add("p", "q", event(summary));
  const { met, count, events } = await waited;
  assertEquals([met, count, events.map(({ summary }) => summary)], [true, 4, ["b", "d", "e", "f"]]);
  assertEquals(store.watchers, 0);
});

Deno.test("events that came in time are checked even if the timeout ends first", async () => {
  const store = setUp();
  const match = (one: CapturedEvent) => slowly(({ summary }) => summary === "9", one);
  const waited = waitForEvents(store, { filter: {}, match }, { timeoutMs: 20, signal: never });
  for (let at = 0; at < 10; at++) store.add("p", "q", event(`${at}`));
  assertEquals((await waited).met, true);
});

Deno.test("other work gets its turn while many waits scan events", async () => {
  const store = setUp();
  for (let at = 0; at < 20; at++) store.add("p", "q", event("x"));
  const ended = new AbortController();
  const match = (one: CapturedEvent) => slowly(() => false, one);
  const waits = Array.from(
    { length: 20 },
    () => waitForEvents(store, { filter: {}, match }, { timeoutMs: 0, signal: ended.signal }),
  );
  const gone = Promise.allSettled(waits);
  let turns = 0;
  for (; turns < 10; turns++) await new Promise((resolve) => setTimeout(resolve, 0));
  // Four hundred looks of 12 ms are far from done.
  assertEquals([turns, store.watchers], [10, 0]);
  ended.abort(new Error("nobody is left"));
  for (const { status } of await gone) assertEquals(status, "rejected");
});

Deno.test("a wait rejects with an error thrown by its check, sync or async", async () => {
  for (const slow of [true, false]) {
    const store = setUp();
    const look: Look<true> = {
      filter: {},
      slow,
      begin: () => {},
      wants: () => true,
      *take() {
        yield;
        throw new TypeError("broken");
      },
      result: () => undefined,
    };
    const waited = lookUntil(store, look, { timeoutMs: 5000, signal: never });
    await Promise.resolve();
    store.add("p", "q", event("x"));
    await assertRejects(() => waited, TypeError, "broken");
    assertEquals(store.watchers, 0);
  }
});

Deno.test("a wait that falls too far behind fails instead of buffering more", async () => {
  const store = setUp(10);
  const match = (one: CapturedEvent) => slowly(() => false, one);
  const waited = waitForEvents(store, { filter: {}, match }, { timeoutMs: 5000, signal: never });
  for (let at = 0; at < 100_002; at++) store.add("p", "q", event("x"));
  await assertRejects(() => waited, Error, "Cannot inspect events as fast as they arrive");
});

Deno.test("a quick wait takes any number at once", async () => {
  const store = setUp(10);
  const counted = new FitCount(
    store,
    { filter: {} },
    (count) => count >= 150_000 ? true : undefined,
  );
  const waited = lookUntil(store, counted, { timeoutMs: 5000, signal: never });
  await Promise.resolve();
  for (let at = 0; at < 150_000; at++) store.add("p", "q", event("x"));
  assertEquals(await waited, true);
});

import { assertEquals } from "@std/assert";
import type { CapturedEvent, StreamItem } from "./event.ts";
import { Feed, QUEUE_LIMIT } from "./feed.ts";
import { Subscription } from "./subscription.ts";

function deleted(id: number): StreamItem {
  return { kind: "deleted", id: `${id}`, plugin: "mail" };
}

/** A reader of every second item, and how often it was asked what it wants. */
function follow(feed: Feed, key = "even") {
  let asked = 0;
  const reader = new Subscription(feed, {
    replay: [],
    key,
    wants(item) {
      asked++;
      return item.kind !== "deleted" || Number(item.id) % 2 === 0;
    },
    onEnd: () => {},
  });
  return { reader, asked: () => asked };
}

function idsOf(items: readonly StreamItem[]): string[] {
  return items.map((item) => item.kind === "deleted" ? item.id : item.kind);
}

Deno.test("a reader that reads nothing costs nothing once it has missed an event", () => {
  const feed = new Feed();
  const { reader, asked } = follow(feed);
  for (let id = 0; id < 100 * QUEUE_LIMIT; id++) feed.push(deleted(id));
  assertEquals(reader.behind, true);
  assertEquals(feed.followed, false);
  assertEquals(asked() <= 3 * QUEUE_LIMIT, true, `${asked()}`);
  const taken = idsOf(reader.take(1));
  assertEquals([taken.length, taken[0], taken.at(-2), taken.at(-1)], [257, "0", "510", "gap"]);
  feed.push(deleted(4));
  assertEquals(idsOf(reader.take(1)), ["4"]);
});

Deno.test("readers at the same position with the same filter share one look-up", async () => {
  const feed = new Feed();
  const readers = [follow(feed), follow(feed), follow(feed)];
  const other = follow(feed, "other");
  const ready = [...readers, other].map(({ reader }) => reader.ready());
  for (let id = 0; id < 10; id++) feed.push(deleted(id));
  assertEquals(await Promise.all(ready), [true, true, true, true]);
  for (const { reader } of [...readers, other]) {
    assertEquals(idsOf(reader.take(1)), ["0", "2", "4", "6", "8"]);
  }
  assertEquals(readers.map(({ asked }) => asked()), [10, 0, 0]);
  assertEquals(other.asked(), 10);
});

Deno.test("a batch ends with the item that reaches the requested size", () => {
  const feed = new Feed();
  const reader = new Subscription(feed, {
    replay: [],
    key: "",
    wants: () => true,
    onEnd: () => {},
  });
  const captured = (bytes: number): StreamItem => ({
    kind: "captured",
    event: {
      id: "",
      seq: 0,
      plugin: "mail",
      provider: "smtp",
      type: "mail.message",
      received_at: new Date(0),
      summary: "",
      summary_parts: {},
      meta: {},
      payload: {},
      raw: { transport: "tcp", text: false, body: new Uint8Array(bytes) },
      blobs: [],
    },
  });
  for (const bytes of [60, 60, 60, 1000, 1]) feed.push(captured(bytes));
  assertEquals([1, 2, 3, 4].map(() => reader.take(100).length), [2, 2, 1, 0]);
});

Deno.test("a wait ends with its reader, or when it is woken", async () => {
  const feed = new Feed();
  const { reader } = follow(feed);
  const nudged = reader.ready();
  reader.nudge();
  assertEquals([await nudged, reader.take(1)], [true, []]);
  const waiting = reader.ready();
  feed.push(deleted(1));
  reader.end();
  assertEquals(await waiting, false);
});

function captured(id: number, body: Uint8Array): CapturedEvent {
  return {
    ...{ id: `${id}`, seq: id, plugin: "mail", provider: "smtp", type: "mail.message" },
    ...{ received_at: new Date(0), summary: "", summary_parts: { to: [], title: "" } },
    ...{ meta: {}, payload: {}, blobs: [] },
    raw: { transport: "tcp", text: true, peer_addr: "127.0.0.1:1", headers: [], body },
  };
}

Deno.test("a large event that the store forgot is a gap for readers that have not taken it", () => {
  const feed = new Feed();
  const readers = ["slow", "quick"].map((key) =>
    new Subscription(feed, { replay: [], key, wants: () => true, onEnd: () => {} })
  );
  const events = [captured(0, new Uint8Array(10)), captured(1, new Uint8Array(100_000))];
  events.push({ ...captured(2, new Uint8Array(10)), payload: { html: "x".repeat(100_000) } });
  const watched: StreamItem[] = events.map((event) => ({ kind: "captured", event }));
  for (const item of watched) feed.push(item);
  assertEquals(readers[1]!.take(Infinity).map(({ kind }) => kind), Array(3).fill("captured"));
  for (const event of events) feed.forget(event);
  assertEquals(readers[0]!.take(Infinity).map(({ kind }) => kind), ["captured", "gap"]);
  assertEquals(watched.map(({ kind }) => kind), Array(3).fill("captured"));
});

import { assertEquals } from "@std/assert";
import { Store } from "./store.ts";

const START = new Date("2026-01-31T12:00:00Z");
const answer = { body: { id: "a" }, eventIds: ["e1"] };

function later(hours: number): Date {
  return new Date(START.getTime() + hours * 3_600_000);
}

Deno.test("a key is in flight until its answer is stored, and replays it from then on", () => {
  const store = new Store(() => true);
  assertEquals(store.claim("k", "d", START), { kind: "first" });
  assertEquals(store.claim("k", "d", START), { kind: "in_flight" });
  store.keep("k", answer);
  assertEquals(store.claim("k", "d", later(23)), { kind: "replay", answer });
  assertEquals(store.claim("k", "other", later(23)), { kind: "other_payload" });
  assertEquals(store.claim("k2", "other", START), { kind: "first" });
});

Deno.test("a key is free again after a failure, after a day and once its events are gone", () => {
  const held = new Set(["e1"]);
  const store = new Store((id) => held.has(id));
  store.claim("k", "d", START);
  store.forget("k");
  assertEquals(store.claim("k", "d", START), { kind: "first" });
  store.keep("k", answer);
  assertEquals(store.claim("k", "d", later(24)), { kind: "first" });
  store.keep("k", answer);
  held.clear();
  assertEquals(store.claim("k", "d", later(25)), { kind: "first" });
});

Deno.test("keys and changes are limited, and the oldest are dropped first", () => {
  const store = new Store(() => true);
  for (let i = 0; i <= 10_000; i++) {
    store.claim(String(i), "d", START);
    store.keep(String(i), { body: null, eventIds: [String(i)] });
    store.addChange(String(i), { canceled: true });
  }
  assertEquals(store.claim("10000", "d", START).kind, "replay");
  assertEquals(store.claim("0", "d", START).kind, "first");
  assertEquals([store.change("0"), store.change("1")], [{}, { canceled: true }]);
});

Deno.test("entries of removed events are dropped first", () => {
  const held = new Set(["0"]);
  const store = new Store((id) => held.has(id));
  for (let i = 0; i <= 10_000; i++) {
    store.claim(String(i), "d", START);
    store.keep(String(i), { body: null, eventIds: [String(i)] });
    store.addChange(String(i), { canceled: true });
  }
  assertEquals(store.claim("0", "d", START).kind, "replay");
  assertEquals([store.change("0"), store.change("1")], [{ canceled: true }, {}]);
});

Deno.test("changes to one message add up", () => {
  const store = new Store(() => true);
  store.addChange("e1", { scheduled_at: "in 1 min" });
  store.addChange("e1", { canceled: true });
  assertEquals(store.change("e1"), { scheduled_at: "in 1 min", canceled: true });
});

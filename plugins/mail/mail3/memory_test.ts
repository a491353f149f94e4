import { assertEquals } from "@std/assert";
import { Mail3Memory } from "./memory.ts";

const START = new Date("2026-01-31T12:00:00Z");
const answer = { body: { id: "a" }, eventIds: ["e1"] };

function later(hours: number): Date {
  return new Date(START.getTime() + hours * 3_600_000);
}

Deno.test("a key is in flight until its answer is kept, and then replays it", () => {
  const memory = new Mail3Memory(() => true);
  assertEquals(memory.claim("k", "d", START), { kind: "first" });
  assertEquals(memory.claim("k", "d", START), { kind: "in_flight" });
  memory.keep("k", answer);
  assertEquals(memory.claim("k", "d", later(23)), { kind: "replay", answer });
  assertEquals(memory.claim("k", "other", later(23)), { kind: "other_payload" });
  assertEquals(memory.claim("k2", "other", START), { kind: "first" });
});

Deno.test("a key is free again after a failure, after a day and once its events are gone", () => {
  const held = new Set(["e1"]);
  const memory = new Mail3Memory((id) => held.has(id));
  memory.claim("k", "d", START);
  memory.forget("k");
  assertEquals(memory.claim("k", "d", START), { kind: "first" });
  memory.keep("k", answer);
  assertEquals(memory.claim("k", "d", later(24)), { kind: "first" });
  memory.keep("k", answer);
  held.clear();
  assertEquals(memory.claim("k", "d", later(25)), { kind: "first" });
});

Deno.test("keys and changes are bounded, the oldest go first", () => {
  const memory = new Mail3Memory(() => true);
  for (let i = 0; i <= 10_000; i++) {
    memory.claim(String(i), "d", START);
    memory.keep(String(i), { body: null, eventIds: [String(i)] });
    memory.addChange(String(i), { canceled: true });
  }
  assertEquals(memory.claim("10000", "d", START).kind, "replay");
  assertEquals(memory.claim("0", "d", START).kind, "first");
  assertEquals([memory.change("0"), memory.change("1")], [{}, { canceled: true }]);
});

Deno.test("what belongs to events no longer held goes first", () => {
  const held = new Set(["0"]);
  const memory = new Mail3Memory((id) => held.has(id));
  for (let i = 0; i <= 10_000; i++) {
    memory.claim(String(i), "d", START);
    memory.keep(String(i), { body: null, eventIds: [String(i)] });
    memory.addChange(String(i), { canceled: true });
  }
  assertEquals(memory.claim("0", "d", START).kind, "replay");
  assertEquals([memory.change("0"), memory.change("1")], [{ canceled: true }, {}]);
});

Deno.test("changes to one message add up", () => {
  const memory = new Mail3Memory(() => true);
  memory.addChange("e1", { scheduled_at: "in 1 min" });
  memory.addChange("e1", { canceled: true });
  assertEquals(memory.change("e1"), { scheduled_at: "in 1 min", canceled: true });
});

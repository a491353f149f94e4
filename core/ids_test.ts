import { assertEquals, assertMatch } from "@std/assert";
import { createIds } from "./ids.ts";

Deno.test("ids have 24 hex digits and begin with the clock", () => {
  const next = createIds({ nowMs: () => 0x19_5a3c_4d5e, random: () => 0xdeadbeef });
  assertEquals(next(), "00195a3c4d5e0000deadbeef");
  assertEquals(next(), "00195a3c4d5e0001deadbeef");
});

Deno.test("ids sort by the order they were made, also when the clock steps back or a millisecond overflows", () => {
  let nowMs = 1_000_000;
  const next = createIds({ nowMs: () => nowMs, random: () => Math.random() * 2 ** 32 });
  const ids: string[] = [];
  for (let i = 0; i < 70_000; i++) ids.push(next());
  nowMs -= 5000;
  for (let i = 0; i < 10; i++) ids.push(next());
  assertEquals(ids, [...ids].sort());
  assertEquals(new Set(ids).size, ids.length);
  for (const id of ids.slice(0, 10)) assertMatch(id, /^[0-9a-f]{24}$/);
});

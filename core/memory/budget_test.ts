import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { MemoryFullError } from "../errors.ts";
import { MemoryBudget } from "./budget.ts";

const MB = 1024 * 1024;

function budgetOf(megabytes: number, gauge?: () => boolean): MemoryBudget {
  return new MemoryBudget({
    limitBytes: megabytes * MB,
    waitMs: 60_000,
    ...(gauge === undefined ? {} : { gauge: { hasRoom: gauge } }),
  });
}

Deno.test("a request that does not fit waits until memory is released", async () => {
  const budget = budgetOf(80);
  const first = budget.lease();
  using second = budget.lease();
  assertEquals(first.cover(50 * MB), undefined);
  const waits = second.cover(20 * MB);
  assert(waits !== undefined);
  assertEquals(second.bytes, 0);
  first[Symbol.dispose]();
  await waits;
  assertEquals([budget.lentBytes, second.bytes], [20 * MB, 20 * MB]);
});

Deno.test("a waiter is refused after the timeout and keeps what it had", async () => {
  const budget = new MemoryBudget({ limitBytes: 80 * MB, waitMs: 1 });
  using first = budget.lease();
  using second = budget.lease();
  first.take(50 * MB);
  second.take(5 * MB);
  await assertRejects(async () => await second.cover(30 * MB), MemoryFullError, "memory_limit");
  assertEquals(second.bytes, 5 * MB);
});

Deno.test("in a deadlock the youngest waiter is refused, and the oldest continues", async () => {
  const budget = budgetOf(80);
  using old = budget.lease();
  const young = budget.lease();
  old.take(30 * MB);
  young.take(30 * MB);
  const waits = old.cover(50 * MB);
  const refused = young.cover(50 * MB);
  await assertRejects(async () => await refused, MemoryFullError);
  young[Symbol.dispose]();
  await waits;
  assertEquals(old.bytes, 50 * MB);
});

Deno.test("a long wait for much memory ends by refusing the youngest waiter, whatever else is in flight", async () => {
  const budget = budgetOf(80);
  using busy = budget.lease();
  using old = budget.lease();
  const young = budget.lease();
  busy.take(5 * MB);
  old.take(25 * MB);
  young.take(30 * MB);
  const waits = old.cover(50 * MB);
  const refused = young.cover(60 * MB);
  await assertRejects(async () => await refused, MemoryFullError);
  young[Symbol.dispose]();
  await waits;
});

Deno.test("later requests do not overtake a waiter, unless they are small", async () => {
  const budget = budgetOf(80);
  const holder = budget.lease();
  using old = budget.lease();
  using young = budget.lease();
  using little = budget.lease();
  holder.take(50 * MB);
  const waits = old.cover(30 * MB);
  assertThrows(() => young.take(5 * MB), MemoryFullError);
  little.take(MB);
  holder[Symbol.dispose]();
  await waits;
  young.take(5 * MB);
});

Deno.test("large requests are refused while small ones are still accepted", () => {
  const budget = budgetOf(80);
  using much = budget.lease();
  using more = budget.lease();
  using little = budget.lease();
  much.take(59 * MB);
  assertThrows(() => more.take(2 * MB), MemoryFullError);
  little.take(MB);
});

Deno.test("a single request gets half of the limit, whatever is stored", () => {
  const budget = budgetOf(80, () => false);
  budget.holding().set(80 * MB);
  using alone = budget.lease();
  alone.take(40 * MB);
  assertThrows(() => alone.take(1), MemoryFullError);
  using other = budget.lease();
  assertThrows(() => other.take(1), MemoryFullError);
});

Deno.test("stored data is evicted down to half of the limit", () => {
  const budget = budgetOf(80);
  let kept = 60 * MB;
  const holding = budget.holding((bytes) => holding.set(kept -= bytes));
  holding.set(kept);
  using lease = budget.lease();
  lease.take(MB);
  using other = budget.lease();
  other.take(10 * MB);
  assertEquals(budget.keptBytes, 49 * MB);
  assertThrows(() => other.take(20 * MB), MemoryFullError);
  assertEquals(budget.keptBytes, 40 * MB);
});

Deno.test("when one store grows, another evicts what it can", () => {
  const budget = budgetOf(80);
  let kept = 50 * MB;
  const giving = budget.holding((bytes) => giving.set(kept -= bytes));
  giving.set(kept);
  budget.holding().set(45 * MB);
  assertEquals([budget.keptBytes, kept], [80 * MB, 35 * MB]);
  assertEquals(budget.hasRoomFor(MB), true);
  assertEquals(kept, 34 * MB);
});

Deno.test("memory reported by the platform counts as well", async () => {
  let full = true;
  const budget = budgetOf(80, () => !full);
  using other = budget.lease();
  other.take(MB);
  using lease = budget.lease();
  const waits = lease.cover(5 * MB);
  assert(waits !== undefined);
  full = false;
  await waits;
  assertEquals(lease.bytes, 5 * MB);
});

Deno.test("bytes that a store drops count until the gauge is read", () => {
  let readings = 0;
  const budget = budgetOf(80, () => ++readings > 0);
  const store = budget.holding();
  store.dropped(3 * MB);
  assertEquals(readings, 0);
  store.dropped(3 * MB);
  assertEquals([readings, budget.keptBytes], [1, 0]);
});

Deno.test("an aborted wait takes nothing", async () => {
  const budget = budgetOf(80);
  const holder = budget.lease();
  const left = budget.lease();
  holder.take(50 * MB);
  const waits = left.cover(30 * MB);
  left[Symbol.dispose]();
  await assertRejects(async () => await waits, MemoryFullError);
  holder[Symbol.dispose]();
  assertEquals(budget.lentBytes, 0);
});

Deno.test("memory that moves from in flight to stored counts once, with no gap in between", async () => {
  const budget = budgetOf(80);
  let asked = 0;
  const holding = budget.holding((bytes) => void (asked += bytes));
  const lease = budget.lease();
  using other = budget.lease();
  lease.take(50 * MB);
  const waits = other.cover(30 * MB);
  holding.set(50 * MB, lease);
  assertEquals([budget.keptBytes, budget.lentBytes, lease.bytes], [50 * MB, 0, 0]);
  lease[Symbol.dispose]();
  assertEquals([budget.keptBytes, asked, other.bytes], [50 * MB, 0, 0]);
  holding.set(0);
  await waits;
});

Deno.test("a wait ends when its sender leaves", async () => {
  const budget = budgetOf(80);
  using holder = budget.lease();
  holder.take(50 * MB);
  const gone = new AbortController();
  using left = budget.lease({ gone: gone.signal });
  const waits = left.cover(30 * MB);
  gone.abort();
  await assertRejects(async () => await waits, MemoryFullError);
  await assertRejects(async () => await left.cover(30 * MB), MemoryFullError);
});

Deno.test("answers that waited together for a collection count again", async () => {
  let room = false;
  let readings = 0;
  const budget = budgetOf(80, () => {
    readings++;
    return room;
  });
  // Four times as much garbage: the gauge is read for each.
  const answers = Array.from({ length: 10 }, () => budget.spend(MB));
  assertEquals(readings, 10);
  room = true;
  readings = 0;
  await Promise.all(answers);
  assertEquals(readings, 10);
});

Deno.test("stored data gives way when collections make no room, down to half of the limit", async () => {
  let kept = 79 * MB;
  // A megabyte that is stored takes two.
  const budget = budgetOf(80, () => 2 * kept <= 80 * MB);
  const store = budget.holding((bytes) => {
    kept -= bytes;
    store.set(kept);
  });
  store.set(kept);
  await budget.waste(8 * MB);
  assertEquals(kept, 40 * MB);
  kept = 79 * MB;
  store.set(kept);
  using reader = budget.lease({ stays: true });
  await reader.cover(8 * MB);
  assert(kept <= 40 * MB);
});

Deno.test("unused memory goes before anything stored, and when the gauge shows no room", () => {
  let spare = 0;
  const budget = budgetOf(80, () => spare === 0);
  let kept = 40 * MB;
  const store = budget.holding((bytes) => store.set(kept -= bytes));
  store.set(kept);
  const unused = budget.holding((bytes) => unused.set(spare = Math.max(0, spare - bytes)), {
    isBuffers: true,
    isSpare: true,
  });
  unused.set(spare = 10 * MB);
  assertEquals(spare, 0);
  const counted = new MemoryBudget({ limitBytes: 80 * MB });
  const other = counted.holding((bytes) => other.set(kept -= bytes));
  other.set(kept = 20 * MB);
  const rest = counted.holding((bytes) => rest.set(spare = Math.max(0, spare - bytes)), {
    isBuffers: true,
    isSpare: true,
  });
  rest.set(spare = 30 * MB);
  using lease = counted.lease();
  lease.take(MB);
  lease.take(25 * MB);
  assertEquals([kept, spare, counted.keptBytes], [20 * MB, 14 * MB, 34 * MB]);
  counted.freeSpare();
  assertEquals([spare, counted.keptBytes], [0, 20 * MB]);
});

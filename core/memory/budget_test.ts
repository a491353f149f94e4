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

Deno.test("who finds no room waits until somebody gives some back", async () => {
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

Deno.test("who waits for too long is refused, and holds what it held", async () => {
  const budget = new MemoryBudget({ limitBytes: 80 * MB, waitMs: 1 });
  using first = budget.lease();
  using second = budget.lease();
  first.take(50 * MB);
  second.take(5 * MB);
  await assertRejects(async () => await second.cover(30 * MB), MemoryFullError, "memory_limit");
  assertEquals(second.bytes, 5 * MB);
});

Deno.test("where everybody waits for everybody the youngest is refused, and the oldest goes on", async () => {
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

Deno.test("who has waited long for much is helped by refusing the youngest, whatever else is in flight", async () => {
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

Deno.test("who came later does not overtake who waits, unless it is about little", async () => {
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

Deno.test("much is refused where little is still taken", () => {
  const budget = budgetOf(80);
  using much = budget.lease();
  using more = budget.lease();
  using little = budget.lease();
  much.take(59 * MB);
  assertThrows(() => more.take(2 * MB), MemoryFullError);
  little.take(MB);
});

Deno.test("who is alone gets half of the limit, whatever is kept", () => {
  const budget = budgetOf(80, () => false);
  budget.holding().set(80 * MB);
  using alone = budget.lease();
  alone.take(40 * MB);
  assertThrows(() => alone.take(1), MemoryFullError);
  using other = budget.lease();
  assertThrows(() => other.take(1), MemoryFullError);
});

Deno.test("what is kept makes room down to half of the limit", () => {
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

Deno.test("what one store keeps makes another give up what it can do without", () => {
  const budget = budgetOf(80);
  let kept = 50 * MB;
  const giving = budget.holding((bytes) => giving.set(kept -= bytes));
  giving.set(kept);
  budget.holding().set(45 * MB);
  assertEquals([budget.keptBytes, kept], [80 * MB, 35 * MB]);
  assertEquals(budget.hasRoomFor(MB), true);
  assertEquals(kept, 34 * MB);
});

Deno.test("what the platform says is in use counts as well", async () => {
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

Deno.test("who leaves while it waits takes nothing", async () => {
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

Deno.test("what was in flight and is kept from now on counts once, and nobody gets its room in between", async () => {
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

Deno.test("whose sender has gone waits no longer", async () => {
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

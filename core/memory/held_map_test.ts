import { assertEquals } from "@std/assert";
import { MemoryBudget } from "./budget.ts";
import { HeldMap } from "./held_map.ts";
import { bytesOf } from "./size.ts";

Deno.test("a map drops its oldest entries beyond its bounds, and says which", () => {
  const memory = new MemoryBudget({ limitBytes: 160_000 });
  const dropped: string[] = [];
  const map = new HeldMap<string>(
    { maxEntries: 3, onDrop: (key) => dropped.push(key) },
    memory,
  );
  for (const key of ["a", "b", "c", "d"]) map.set(key, "x");
  map.set("b", "y");
  assertEquals([map.keys(), map.values(), dropped], [["b", "c", "d"], ["y", "x", "x"], ["a"]]);
  map.set("e", "x".repeat(4900));
  assertEquals([map.keys(), dropped], [["e"], ["a", "b", "c", "d"]]);
  map.set("f", "x".repeat(10_000));
  assertEquals([map.keys(), dropped.at(-1)], [["e"], "f"]);
});

Deno.test("a map counts what it holds, and releases it when others need the memory", () => {
  const memory = new MemoryBudget({ limitBytes: 160_000 });
  const map = new HeldMap<string>({ maxEntries: 100 }, memory);
  map.set("a", "x".repeat(1000));
  const one = memory.keptBytes;
  map.set("b", "x".repeat(1000));
  assertEquals(memory.keptBytes, 2 * one);
  assertEquals([map.delete("a"), map.delete("a"), memory.keptBytes], [true, false, one]);
  memory.holding().set(160_000);
  assertEquals([map.size, memory.keptBytes], [0, 160_000]);
  map.set("c", "x");
  map.clear();
  assertEquals([map.size, memory.keptBytes], [0, 160_000]);
});

Deno.test("the size of a value includes all of its texts, however deep", () => {
  let deep: unknown = "x".repeat(1000);
  for (let depth = 0; depth < 100_000; depth++) deep = [deep];
  assertEquals(bytesOf(deep) > 2000, true);
  assertEquals(bytesOf({ ab: "cd", at: new Date(0), none: null, n: 1 }), 230);
});

import { assertEquals, assertThrows } from "@std/assert";
import { StoreFullError } from "../../core/errors.ts";
import { MemoryBudget } from "../../core/memory/budget.ts";
import { MailState } from "./state.ts";

Deno.test("a shelf keeps values by account, in order, until a reset", () => {
  const state = new MailState();
  const shelf = state.shelf<number>();
  shelf.put("a", "one", 1);
  shelf.put("a", "two", 2);
  shelf.put("b", "one", 3);
  shelf.put("a", "one", 4);
  assertEquals([shelf.list("a"), shelf.list("b"), shelf.list("c")], [[4, 2], [3], []]);
  assertEquals([shelf.delete("a", "two"), shelf.delete("a", "two"), shelf.get("a", "two")], [
    true,
    false,
    undefined,
  ]);
  state.reset();
  assertEquals([shelf.list("a"), shelf.list("b")], [[], []]);
});

Deno.test("a shelf refuses what exceeds its room, and has room again after a removal", () => {
  const shelf = new MailState().shelf<string>();
  const half = "x".repeat(29 * 1024 * 1024);
  shelf.put("a", "one", half);
  shelf.put("a", "two", half);
  assertThrows(() => shelf.put("b", "three", half), StoreFullError, '"three"');
  shelf.delete("a", "one");
  shelf.put("b", "three", half);
  shelf.delete("a", "two");
  for (let i = 0; i < 19_999; i++) shelf.put("c", String(i), "");
  assertThrows(() => shelf.put("c", "more", ""), StoreFullError);
});

Deno.test("all shelves together take an eighth of memory_limit, names of accounts included", () => {
  const memory = new MemoryBudget({ limitBytes: 800_000 });
  const state = new MailState({ memory });
  const [one, other] = [state.shelf<string>(), state.shelf<{ text: string }>()];
  one.put("a", "one", "x".repeat(30_000));
  assertThrows(() => other.put("a", "two", { text: "x".repeat(30_000) }), StoreFullError);
  assertThrows(() => other.put("a".repeat(30_000), "two", { text: "" }), StoreFullError);
  one.put("a", "one", "x".repeat(10));
  other.put("a", "two", { text: "x".repeat(30_000) });
  assertEquals(memory.keptBytes > 60_000 && memory.keptBytes < 100_000, true);
  state.reset();
  assertEquals(memory.keptBytes, 0);
  memory.holding().set(800_000);
  assertThrows(() => one.put("a", "one", ""), StoreFullError);
});

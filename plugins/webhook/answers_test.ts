import { assertEquals, assertThrows } from "@std/assert";
import { MemoryBudget } from "../../core/memory/budget.ts";
import { Answers, readAnswer } from "./answers.ts";

Deno.test("scripted answers take a sixteenth of memory_limit, and none once they are removed", () => {
  const memory = new MemoryBudget({ limitBytes: 1_600_000 });
  const answers = new Answers(memory);
  const answer = (name: string, times?: number) =>
    readAnswer({ name, body: "x".repeat(20_000), ...(times !== undefined && { times }) });
  answers.add(answer("a"));
  answers.add(answer("b", 1));
  const { keptBytes } = memory;
  assertThrows(() => answers.add(answer("c")), RangeError, "no room");
  answers.add(answer("a"));
  assertEquals(memory.keptBytes, keptBytes);
  answers.take("b", "GET");
  answers.add(answer("c"));
  assertEquals([answers.remove("a"), answers.list().length], [1, 1]);
  answers.clear();
  assertEquals(memory.keptBytes, 0);
});

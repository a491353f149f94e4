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

Deno.test("header fields of an answer are sent as they are named, or refused", () => {
  const given = JSON.parse('{"__proto__":"a","constructor":"b"}');
  const { headers } = readAnswer({ name: "a", headers: given });
  assertEquals(Object.entries(headers), [["__proto__", "a"], ["constructor", "b"]]);
  for (const name of ["Connection", "Proxy-Connection", "Transfer-Encoding", "TE", "Upgrade"]) {
    const refused = () => readAnswer({ name: "a", headers: { [name]: "x" } });
    assertThrows(refused, RangeError, `Cannot use header ${name}: the listener sets it`);
  }
  const rows: [name: string, value: string][] = [
    ["", "x"],
    ["a b", "x"],
    ["a\r\nb", "x"],
    ["a:", "x"],
    [":status", "200"],
    ["a", "x\r\nb: c"],
    ["a", "x\ny"],
    ["a", "x\0"],
    ["a", "\u20ac"],
  ];
  for (const [name, value] of rows) {
    const refused = () => readAnswer({ name: "a", headers: { [name]: value } });
    assertThrows(refused, TypeError, "it is not a valid field");
  }
});

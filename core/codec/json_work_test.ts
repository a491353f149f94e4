import { assertEquals, assertGreater } from "@std/assert";
import { jsonWork } from "./json_work.ts";

const work = (text: string): number => jsonWork(new TextEncoder().encode(text));

Deno.test("arrays, objects, members and values outside strings count", () => {
  assertEquals(work("[]"), 64);
  assertEquals(work(' \r\n\t{"a":1}'), 64 + 96);
  assertEquals(work("[[],{}]"), 3 * 64 + 16);
  assertEquals(work('["[[{{,,::\\"[[", "\\\\"]'), 64 + 16);
});

Deno.test("a body that is no JSON counts nothing", () => {
  for (const text of ["", "a[,,,", '"[,,"', "To=1&Body=[[[,,,", "--b\r\n[,"]) {
    assertEquals(work(text), 0, text);
  }
});

Deno.test("an unfinished string ends with the body", () => {
  assertEquals(work('["[[['), 64);
  assertEquals(work('["\\"'), 64);
});

Deno.test("many small values count far more than their bytes, but no more than can be parsed", () => {
  const text = `[${"{},".repeat(500_000)}1]`;
  assertGreater(work(text), 20 * text.length);
  assertEquals(work(`[${"{},".repeat(3_000_000)}1]`), 1_000_000 * 64 + 2_000_000 * 16);
});

import { assertEquals, assertThrows } from "@std/assert";
import { loadRegex } from "./regex.ts";

const refusals: readonly (readonly [pattern: string, why: RegExp])[] = [
  ["(?i)(a?){200}a{200}", /compiles to \d+ instructions, at most 1000 are allowed/],
  ["(a{1000})".repeat(100), /at least 100000 instructions, at most 1000/],
  ["((a{30}){30}){30}", /invalid repeat count/],
  ["(?:\\pL{500}|\\pN{600})", /at least 1100 instructions/],
  ["x".repeat(1001), /1001 characters, at most 1000/],
  ["a(?=b)", /invalid or unsupported Perl syntax/],
];

for (const [pattern, why] of refusals) {
  Deno.test(`the pattern ${pattern.slice(0, 30)} is refused with the reason`, async () => {
    const toTest = await loadRegex();
    assertThrows(() => toTest(pattern), Error, undefined, pattern);
    try {
      toTest(pattern);
    } catch (error) {
      assertEquals(why.test((error as Error).message), true, (error as Error).message);
    }
  });
}

Deno.test("braces that are not quantifiers are not mistaken for quantifiers", async () => {
  const toTest = await loadRegex();
  const found: readonly (readonly [pattern: string, text: string])[] = [
    ["\\{1000}{2}", "{1000}}"],
    ["[{1000}]{3}", "01{"],
    ["[]{2000}]{2}x", "]0x"],
    ["\\Qa{1000}b{900}\\E", "-a{1000}b{900}-"],
    ["a{,1000}b{999x}", "a{,1000}b{999x}"],
    ["[[:digit:]{1000}]+z", "12z"],
  ];
  for (const [pattern, text] of found) assertEquals(toTest(pattern)(text), true, pattern);
});

Deno.test("the patterns of one expectation share a limit; those of another do not count", async () => {
  const toTest = await loadRegex();
  for (let at = 0; at < 10; at++) toTest(`a{990}${at}`);
  assertThrows(() => toTest("b{900}"), RangeError, "at most 10000 are allowed in one expectation");
  assertEquals((await loadRegex())("b{3}")("abbb"), true);
});

Deno.test("only the beginning of a text is searched, and less of it for a long pattern", async () => {
  const toTest = await loadRegex();
  const short = toTest("end$|end");
  assertEquals(short(`${"x".repeat(262_141)}end`), true);
  assertEquals(short(`${"x".repeat(262_142)}end`), false);
  const long = toTest("end|[ab]{950}");
  assertEquals(long(`${"x".repeat(12_000)}end`), true);
  assertEquals(long(`${"x".repeat(13_000)}end`), false);
});

Deno.test("patterns still match correctly when there are more than stay compiled", async () => {
  const toTest = await loadRegex();
  const tests = Array.from({ length: 200 }, (_, at) => toTest(`^n${at}$`));
  for (let round = 0; round < 2; round++) {
    tests.forEach((test, at) => assertEquals([test(`n${at}`), test(`n${at}x`)], [true, false]));
  }
});

import { assertEquals } from "@std/assert";
import { fc } from "../../tests/support/fast_check.ts";
import { fuzzed } from "../../tests/support/fuzz.ts";
import { runToEnd } from "../bytes/steps.ts";
import { compileCondition } from "./condition.ts";
import { loadRegex } from "./regex.ts";

const toTest = await loadRegex();
const met = (condition: unknown, ...values: unknown[]): boolean =>
  runToEnd(compileCondition(condition, "here", toTest)(values));

Deno.test("every condition matches what it says", () => {
  const cases: readonly (readonly [condition: unknown, values: unknown[], holds: boolean])[] = [
    ["a", ["a"], true],
    ["a", ["b", "a"], true],
    ["a", [], false],
    [null, [null], true],
    [null, [], false],
    [1, ["1"], false],
    [[1, 2], [[1, 2]], true],
    [[1, 2], [[2, 1]], false],
    [{ equals: { a: 1 } }, [{ a: 1 }], true],
    [{ equals: { a: 1 } }, [{ a: 1, b: undefined }], true],
    [{ equals: { a: 1 } }, [{ a: 1, b: 2 }], false],
    [{ equals: null }, [null], true],
    [{ contains: "b" }, ["abc"], true],
    [{ contains: "" }, [""], true],
    [{ contains: 2 }, [[1, 2]], true],
    [{ contains: "a" }, [["ab"]], false],
    [{ contains: { a: 1 } }, [[{ a: 1, b: 2 }]], true],
    [{ contains: { a: { b: 1 } } }, [{ a: { b: 1, c: 2 } }], true],
    [{ contains: { a: 1 } }, [{ b: 1 }], false],
    [{ contains: "1" }, [123], false],
    [{ regex: "^\\d+$" }, [123], true],
    [{ regex: "x" }, [{ x: 1 }, null], false],
    [{ exists: true }, [], false],
    [{ exists: false }, [], true],
    [{ exists: true, contains: "a" }, ["b", "a"], true],
    // Both of the same value.
    [{ contains: "a", regex: "b" }, ["a", "b"], false],
    [{ not: "a" }, ["a", "b"], false],
    [{ not: "a" }, [], true],
    [{ not: { not: "a" } }, ["a"], true],
  ];
  for (const [condition, values, holds] of cases) {
    assertEquals(met(condition, ...values), holds, JSON.stringify([condition, values]));
  }
});

Deno.test("a RegExp object is used as it is, whatever its lastIndex", () => {
  const regex = /b/g;
  for (let i = 0; i < 3; i++) assertEquals(met({ regex }, "abc"), true);
});

Deno.test("every value equals itself, contains its parts, and does not match its negation", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      const copy = JSON.parse(JSON.stringify(value));
      assertEquals(met({ equals: copy }, value), true);
      assertEquals(met({ not: { equals: copy } }, value), false);
      if (typeof value === "object" && value !== null && !Array.isArray(value)) {
        const [first] = Object.entries(copy);
        if (first !== undefined) {
          assertEquals(met({ contains: Object.fromEntries([first]) }, value), true);
        }
      }
    }),
    fuzzed(),
  );
});

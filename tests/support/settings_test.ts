import { assertEquals, assertThrows } from "@std/assert";
import { isSet, namesFrom, numberFrom, seedFrom } from "./settings.ts";

const VARIABLE = "STANDIN_TEST_SETTING";

function having<T>(text: string | undefined, read: () => T): T {
  if (text !== undefined) Deno.env.set(VARIABLE, text);
  try {
    return read();
  } finally {
    Deno.env.delete(VARIABLE);
  }
}

Deno.test("a setting that is not in the environment has its usual value", () => {
  assertEquals(numberFrom(VARIABLE, 5), 5);
  assertEquals(namesFrom(VARIABLE, ["a"]), undefined);
  assertEquals(isSet(VARIABLE, "full"), false);
});

Deno.test("a setting is read from the environment", () => {
  assertEquals(having("200", () => numberFrom(VARIABLE, 5)), 200);
  assertEquals(having("401", () => seedFrom(VARIABLE)), 401);
  assertEquals(having("b,a", () => namesFrom(VARIABLE, ["a", "b"])), ["b", "a"]);
  assertEquals(having("full", () => isSet(VARIABLE, "full")), true);
});

for (const text of ["", "x", "0", "10000", "1.5", "-1", "1e3", " 1"]) {
  Deno.test(`"${text}" is refused as a number of rounds`, () => {
    assertThrows(() => having(text, () => numberFrom(VARIABLE, 5)), RangeError, `="${text}"`);
  });
}

Deno.test("unknown names and values are refused, with the nearest or the only valid one", () => {
  assertThrows(
    () => having("put-1k,put-1n", () => namesFrom(VARIABLE, ["put-1k", "list"])),
    TypeError,
    `="put-1n": did you mean put-1k?`,
  );
  assertThrows(() => having("ful", () => isSet(VARIABLE, "full")), TypeError, "expected full");
});

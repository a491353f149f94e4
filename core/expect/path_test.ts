import { assertEquals, assertThrows } from "@std/assert";
import { fc } from "../../tests/support/fast_check.ts";
import { fuzzed } from "../../tests/support/fuzz.ts";
import { namesBefore, parsePath, selectValues } from "./path.ts";

const value = {
  a: { b: [{ c: 1 }, { c: 2 }, { d: null }] },
  "odd.name": { "it's": true, 'qu"ote': 2 },
  list: [10, 20, 30],
  empty: "",
};

Deno.test("paths resolve to their values, in order", () => {
  const cases: readonly (readonly [path: string, values: readonly unknown[]])[] = [
    ["a.b[0].c", [1]],
    ["$.a.b[1].c", [2]],
    ["$['a']['b'][1]['c']", [2]],
    ["a.b[*].c", [1, 2]],
    ["a.b.*.c", [1, 2]],
    ["a.b[2].d", [null]],
    ["list[-1]", [30]],
    ["list[3]", []],
    ["list.length", [3]],
    ["*[1]", [20]],
    ["['odd.name'][\"it's\"]", [true]],
    ["['odd.name']['it\\'s']", [true]],
    ["['odd.name']['qu\"ote']", [2]],
    ["empty", [""]],
    ["empty.length", []],
    ["__proto__.toString", []],
    ["constructor", []],
    ["a['b'].0.c", [1]],
  ];
  for (const [path, values] of cases) {
    assertEquals(selectValues(value, parsePath(path)), values, path);
  }
});

Deno.test("an invalid path is refused with an example", () => {
  for (const path of ["", ".", "a.", "a..b", "a[", "a[]", "a[x]", "a b", "a['b", "[1", "a]"]) {
    assertThrows(() => parsePath(path), RangeError, "expected names and places", path);
  }
  assertThrows(() => parsePath("a.".repeat(32) + "a"), RangeError);
});

Deno.test("a missing path lists the keys at its last existing place", () => {
  const near = (path: string) => namesBefore(value, parsePath(path));
  assertEquals(near("a.x"), ["b"]);
  assertEquals(near("a.b[9].c"), ["[0] to [2]"]);
  assertEquals(near("x.y.z"), ["a", "odd.name", "list", "empty"]);
  assertEquals(namesBefore("text", parsePath("x")), []);
});

Deno.test("any name can be reached in quotes", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 20 }), fc.jsonValue(), (name, inner) => {
      const quoted = name.replaceAll(/['\\]/g, "\\$&");
      const root = Object.fromEntries([[name, inner]]);
      const found = selectValues(root, parsePath(`['${quoted}']`));
      assertEquals(found, inner === undefined ? [] : [inner]);
    }),
    fuzzed(),
  );
});

Deno.test("any text is a path or is refused, and any value can be searched", () => {
  const signs = fc.array(fc.constantFrom(..."ab.[]*'\"$-1\\ "), { maxLength: 12 });
  fc.assert(
    fc.property(signs, fc.anything(), (text, root) => {
      let steps;
      try {
        steps = parsePath(text.join(""));
      } catch (error) {
        assertEquals(error instanceof RangeError, true);
        return;
      }
      assertEquals(Array.isArray(selectValues(root, steps)), true);
      assertEquals(Array.isArray(namesBefore(root, steps)), true);
    }),
    fuzzed(300),
  );
});

Deno.test("a path selects ten thousand values at most, whatever it leads through", () => {
  const list = Array.from({ length: 30_000 }, (_, at) => ({ at, inner: [at, at] }));
  const select = (path: string) => selectValues({ list, object: { ...list } }, parsePath(path));
  for (const path of ["list[*].at", "object.*.at"]) {
    assertEquals(select(path), Array.from({ length: 10_000 }, (_, at) => at));
  }
  assertEquals(select("list[*].inner[*]").length, 10_000);
  assertEquals(select("list[-1].at"), [29_999]);
});

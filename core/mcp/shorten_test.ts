import { assert, assertEquals } from "@std/assert";
import { shorten } from "./shorten.ts";

Deno.test("shorten leaves short values as they are", () => {
  for (const value of [null, 1, "a", [], {}, { a: [1, { b: "c" }] }]) {
    assertEquals(shorten(value), value);
  }
});

Deno.test("shorten says how much it omits", () => {
  assertEquals(shorten({ a: "x".repeat(5000) }), {
    a: `${"x".repeat(4000)}… (5000 characters in all)`,
  });
  const list = shorten(Array.from({ length: 150 }, (_, index) => index)) as unknown[];
  assertEquals([list.length, list.at(-1)], [101, "… 150 items in all"]);
  const wide = Object.fromEntries(Array.from({ length: 120 }, (_, index) => [`k${index}`, 1]));
  assertEquals((shorten(wide) as Record<string, unknown>)["…"], "120 members in all");
});

Deno.test("shorten bounds large values in every dimension", () => {
  let deep: unknown = "end";
  for (let left = 200; left > 0; left--) deep = { deep, list: [deep] };
  for (
    const value of [
      deep,
      Array(100).fill("y".repeat(3000)),
      Array(200).fill(Array(200).fill(Array(200).fill("z".repeat(200)))),
      { ["n".repeat(100_000)]: 1 },
    ]
  ) {
    assert(JSON.stringify(shorten(value)).length < 25_000);
  }
});

Deno.test("shorten keeps surrogate pairs whole", () => {
  const text = JSON.stringify(shorten("a" + "😀".repeat(4000)));
  assert(!text.includes("\\ud83d"));
});

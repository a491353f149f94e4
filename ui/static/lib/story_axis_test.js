import { assert, assertEquals } from "@std/assert";
import { axisOf, formatSpan } from "./story_axis.js";

Deno.test("events keep their order and a distance, and pauses are collapsed", () => {
  const { at, pauses, width } = axisOf([0, 0, 100, 86_400_000, 86_400_050]);
  assertEquals(pauses.map(({ ms }) => ms), [86_399_900]);
  assertEquals(pauses[0]?.from, at[2]);
  assertEquals(pauses[0]?.to, at[3]);
  for (const [index, place] of at.slice(1).entries()) assert(place - (at[index] ?? 0) >= 30);
  assert(width < 700);
});

Deno.test("the time between pauses is to scale", () => {
  const { at } = axisOf([0, 100, 300]);
  assertEquals(
    Math.round((at[2] ?? 0) - (at[1] ?? 0)),
    2 * Math.round((at[1] ?? 0) - (at[0] ?? 0)),
  );
});

Deno.test("a single event, and none, have their places", () => {
  assertEquals(axisOf([5]).at.length, 1);
  assertEquals(axisOf([]).at, []);
});

Deno.test("a clock that steps back leaves the order as it is", () => {
  const { at } = axisOf([1000, 500, 600]);
  assertEquals(at.toSorted((a, b) => a - b), [...at]);
});

/** @type {readonly (readonly [number, string])[]} */
const SPANS = [
  [0, "0 ms"],
  [340, "340 ms"],
  [2540, "2.5 s"],
  [9990, "10 s"],
  [12_900, "13 s"],
  [7_199_990, "2 h"],
  [60_000, "1 min"],
  [200_000, "3 min 20 s"],
  [7_500_000, "2 h 5 min"],
  [90_000_000, "1 d 1 h"],
];
for (const [ms, text] of SPANS) {
  Deno.test(`${ms} ms read "${text}"`, () => assertEquals(formatSpan(ms), text));
}

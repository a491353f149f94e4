import { assertEquals } from "@std/assert";
import { compact } from "./compact.ts";

Deno.test("only undefined is left out: null, false, zero and the empty text stay, in their order", () => {
  const values = { b: undefined, z: null, a: 0, c: "", d: false, e: undefined };
  assertEquals(Object.entries(compact(values)), [["z", null], ["a", 0], ["c", ""], ["d", false]]);
});

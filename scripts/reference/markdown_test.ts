import { assertEquals } from "@std/assert";
import { block, code, table, typeOf } from "./markdown.ts";

Deno.test("a cell cannot break its table", () => {
  assertEquals(table(["A"], [["x|y\nz"]]), "| A |\n| --- |\n| x\\|y z |\n");
});

Deno.test("code may hold backquotes", () => {
  assertEquals(code("a`b"), "`` a`b ``");
  assertEquals(block("sh", "```\n"), "````sh\n```\n````\n");
});

Deno.test("types are named in words", () => {
  assertEquals(
    typeOf({ type: "array", items: { $ref: "#/components/schemas/a.B" } }),
    "array of a.B",
  );
  assertEquals(typeOf({ anyOf: [{ const: "x" }, { type: "integer" }] }), '"x" or integer');
  assertEquals(typeOf({ type: "string", format: "date-time" }), "string (date-time)");
  assertEquals(typeOf({ type: ["integer", "string"] }), "integer or string");
  assertEquals(typeOf({}), "any");
});

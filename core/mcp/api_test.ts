import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { ToolError, toQuery } from "./api.ts";

Deno.test("a query has what has a value", () => {
  assertEquals(toQuery({}), "");
  assertEquals(toQuery({ plugin: "mail", search: undefined, limit: 20 }), "?plugin=mail&limit=20");
});

Deno.test("a query too long for a request is refused by the name of its argument", () => {
  assertEquals(toQuery({ search: "x".repeat(16_000) }).length, 16_008);
  const { message } = assertThrows(
    () => toQuery({ plugin: "mail", search: "x".repeat(16_384) }),
    ToolError,
  );
  assertStringIncludes(message, 'Cannot use "search": it has 16384 characters');
});

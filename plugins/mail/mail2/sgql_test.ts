import { assertEquals } from "@std/assert";
import { parseQuery } from "./sgql.ts";

const CONTACT = { email: "ada@example.org", custom_fields: { toString: null } };

for (
  const [query, isFound] of [
    ["email = 'ada@example.org'", true],
    ["custom_fields = 'x'", false],
    ["custom_fields != 'x'", true],
    ["custom_fields IN ('x', 'y')", false],
  ] as const
) {
  Deno.test(`a contact whose custom fields are an object: ${query}`, () => {
    assertEquals(parseQuery(query)?.(CONTACT), isFound);
  });
}

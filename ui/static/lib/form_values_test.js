import { assertEquals } from "@std/assert";
import { sentFor, startOf } from "./form_values.js";

Deno.test("a field begins with its default, and sends null when it is empty", () => {
  const starts = [
    { type: "string" },
    { type: "string", default: "2026-01-31", format: "date" },
    { type: "string", default: 1769860800, format: "date-time" },
    { type: "array", default: ["a"] },
    { type: "array" },
  ].map(startOf);
  assertEquals(starts, ["", "2026-01-31", "2026-01-31T12:00", ["a"], []]);
  assertEquals([...starts, [" U1", ""]].map((value) => sentFor(value)), [
    null,
    "2026-01-31",
    "2026-01-31T12:00",
    ["a"],
    [],
    ["U1"],
  ]);
});

Deno.test("files are sent as objects, and nothing for a field without any", () => {
  const schema = { type: "array", items: { type: "object", format: "file" } };
  const file = { filename: "a.txt", content: "SGk=" };
  assertEquals(sentFor([JSON.stringify(file)], schema), [file]);
  assertEquals([sentFor([], schema), sentFor("", schema)], [[], null]);
});

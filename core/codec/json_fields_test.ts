import { assertEquals } from "@std/assert";
import { type FieldRules, JsonFields, type JsonObject, Violations } from "./json_fields.ts";

function open(members: JsonObject, rules: Partial<FieldRules> = {}) {
  const violations = new Violations(3);
  const fields = new JsonFields(members, {
    report: (path, message) => violations.add(path, message),
    wrongType: (expected, { path, value }) => `${path}: ${expected}, not ${typeof value}`,
    ...rules,
  });
  return { fields, violations };
}

Deno.test("members of the right type are returned; absent ones and null are not errors", () => {
  const { fields, violations } = open({ a: "x", b: 1, c: false, d: { e: "y" }, f: [1], g: null });
  assertEquals(fields.text("a"), "x");
  assertEquals(fields.integer("b"), 1);
  assertEquals(fields.boolean("c"), false);
  assertEquals(fields.child("d")?.text("e"), "y");
  assertEquals(fields.array("f"), [1]);
  assertEquals(fields.text("g"), undefined);
  assertEquals(fields.textOrEmpty("h"), "");
  assertEquals(violations.found, []);
});

Deno.test("a member of another type is reported with its path, in the given words", () => {
  const { fields, violations } = open({ to: [{ email: 1 }, "x"], from: { name: [] } });
  assertEquals(fields.item("to", 0)?.text("email"), undefined);
  assertEquals(fields.item("to", 1), undefined);
  assertEquals(fields.child("from")?.text("name", "No name."), undefined);
  assertEquals(violations.found, [
    { field: "to.0.email", message: "to.0.email: string, not number" },
    { field: "to.1", message: "to.1: object, not string" },
    { field: "from.name", message: "No name." },
  ]);
});

Deno.test("no more errors are listed than requested", () => {
  const { fields, violations } = open({ a: 1 });
  for (let i = 0; i < 5; i++) fields.text("a");
  assertEquals(violations.found.length, 3);
});

Deno.test("a format has its own spellings", () => {
  const { fields } = open({ Subject: "x", other: 1 }, {
    spell: (members, name) => Object.keys(members).find((key) => key.toLowerCase() === name),
  });
  assertEquals(fields.text("subject"), "x");
  assertEquals(fields.value("absent"), undefined);
});

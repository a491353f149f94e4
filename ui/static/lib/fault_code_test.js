import { assertEquals, assertStringIncludes } from "@std/assert";
import { parse } from "smol-toml";
import { fc } from "../../../tests/support/fast_check.ts";
import { ruleOf, toToml } from "./fault_code.js";

const RULE = {
  on: "mail/mail2",
  outcome: ["rate_limit", "reset"],
  match: { "to[*].email": "ada@example.org", subject: { contains: 'it\'s "here"\n' } },
  with: { retry_after: 2 },
  chance: 0.3,
  after: true,
};

Deno.test("a rule is a table of the configuration file", () => {
  assertEquals(
    toToml(RULE),
    String.raw`[[faults]]
on = "mail/mail2"
outcome = ["rate_limit", "reset"]
match = { "to[*].email" = "ada@example.org", subject = { contains = "it's \"here\"\n" } }
with = { retry_after = 2 }
chance = 0.3
after = true`,
  );
  assertStringIncludes(toToml({ on: "mail", match: { a: { equals: null } } }), "TOML has no null");
});

Deno.test("TOML gives back the same rule, whatever it contains", () => {
  const text = fc.string({ unit: "binary" });
  const value = fc.oneof(text, fc.integer(), fc.boolean(), fc.array(text));
  fc.assert(fc.property(fc.dictionary(text, value), text, (match, name) => {
    const rule = { name, on: "mail", match };
    const read = parse(toToml(rule));
    assertEquals(JSON.stringify(read), JSON.stringify({ faults: [rule] }));
  }));
});

Deno.test("what counts is no part of the rule, nor is a name that says the outcome again", () => {
  const counted = {
    id: "f1",
    hits: 1,
    matches: 2,
    from: /** @type {const} */ ("api"),
    spent: true,
  };
  assertEquals(ruleOf({ ...RULE, ...counted, name: "rate_limit" }), RULE);
  assertEquals(ruleOf({ on: "mail", delay: "1s", ...counted, name: "delay" }), {
    on: "mail",
    delay: "1s",
  });
  assertEquals(ruleOf({ ...RULE, ...counted, name: "busy" }), { ...RULE, name: "busy" });
});

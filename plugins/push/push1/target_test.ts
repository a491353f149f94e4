import { assertEquals } from "@std/assert";
import { Violations } from "../../../core/codec/json_fields.ts";
import { fc } from "../../../tests/support/fast_check.ts";
import { fuzzed } from "../../../tests/support/fuzz.ts";
import { isCondition, readTarget } from "./target.ts";

function read(sent: Record<string, unknown>) {
  const violations = new Violations(50);
  const target = readTarget(sent, { sent, violations });
  return target === undefined || violations.found.length > 0 ? violations.found : target;
}

Deno.test("each of the four addresses determines the kind of target", () => {
  assertEquals(read({ token: "t" }), { kind: "device", value: "t", source: "token" });
  assertEquals(read({ fid: "f" }), { kind: "device", value: "f", source: "fid" });
  assertEquals(read({ topic: "news" }), { kind: "topic", value: "news", source: "topic" });
  const condition = "'a' in topics && 'b' in topics";
  assertEquals(read({ condition }), { kind: "condition", value: condition, source: "condition" });
});

Deno.test("a prefix of /topics/ is dropped from a topic, and only there", () => {
  assertEquals(read({ topic: "/topics/news" }), {
    kind: "topic",
    value: "news",
    source: "topic",
  });
  assertEquals(read({ token: "/topics/x" }), {
    kind: "device",
    value: "/topics/x",
    source: "token",
  });
});

Deno.test("none, several and impossible addresses are refused", () => {
  const unset = [{ field: "message", message: "Recipient of the message is not set." }];
  for (const sent of [{}, { token: "" }, { token: null }]) assertEquals(read(sent), unset);
  const second = (name: string) => ({
    field: "message",
    message:
      `Invalid value at 'message' (oneof), oneof field 'target' is already set. Cannot set '${name}'`,
  });
  assertEquals(read({ topic: "t", token: "x" }), [second("token")]);
  assertEquals(read({ token: "x", topic: "t" }), [second("topic")]);
  assertEquals(read({ fid: "f", topic: "t", token: "x" }), [second("topic"), second("token")]);
  for (const topic of ["a b", "ä", "/topics/", "a/b"]) {
    assertEquals(read({ topic }), [
      { field: "message.topic", message: "Invalid topic name provided." },
    ]);
  }
  assertEquals(read({ condition: "'a'" }), [
    { field: "message.condition", message: "Invalid condition expression provided." },
  ]);
});

Deno.test("conditions are expressions over at most five topics", () => {
  for (
    const good of [
      "'a' in topics",
      ' "a" in topics ',
      "!('a' in topics)",
      "'a' in topics && ('b' in topics || 'c' in topics)",
      "('a' in topics&&'b' in topics)||!'c' in topics",
      "'a' in topics || 'b' in topics || 'c' in topics || 'd' in topics || 'e' in topics",
    ]
  ) assertEquals(isCondition(good), true, good);
  for (
    const bad of [
      "",
      " ",
      "a in topics",
      "'a'",
      "'a' in topic",
      "'a' in topicsx",
      "'a' in topics 'b' in topics",
      "'a' in topics &&",
      "&& 'a' in topics",
      "('a' in topics",
      "'a' in topics)",
      "()",
      "'a' in topics !",
      "'a' in topics & 'b' in topics",
      "'' in topics",
      "'a b' in topics",
      "'a' in topics || 'b' in topics || 'c' in topics || 'd' in topics || 'e' in topics || 'f' in topics",
    ]
  ) assertEquals(isCondition(bad), false, bad);
});

Deno.test("a condition with very many brackets is judged without an error", () => {
  assertEquals(isCondition("(".repeat(100_000) + "'a' in topics" + ")".repeat(100_000)), true);
  assertEquals(isCondition("!".repeat(100_000)), false);
  assertEquals(isCondition(" ".repeat(100_000)), false);
});

Deno.test("any text is judged without an error", () => {
  fc.assert(fc.property(fc.string(), (text) => void isCondition(text)), fuzzed(300));
});

Deno.test("every condition built by the rules is valid", () => {
  const leaf = fc.stringMatching(/^[a-z0-9._~%-]{1,8}$/).map((name) => `'${name}' in topics`);
  const two = fc.tuple(leaf, fc.constantFrom(" && ", "||"), leaf).map((parts) => parts.join(""));
  const grouped = two.map((inner) => `!(${inner})`);
  fc.assert(
    fc.property(fc.oneof(leaf, two, grouped), (text) => {
      assertEquals(isCondition(text), true, text);
    }),
    fuzzed(200),
  );
});

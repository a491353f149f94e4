import { assertEquals, assertThrows } from "@std/assert";
import { fc } from "../../tests/support/fast_check.ts";
import { fuzzed } from "../../tests/support/fuzz.ts";
import { WireError } from "../bytes/decoder.ts";
import { decodeForm, formFields } from "./form.ts";

const encode = (text: string) => new TextEncoder().encode(text);

const cases: readonly [body: string, pairs: readonly (readonly [string, string])[]][] = [
  ["", []],
  ["a=1&b=2", [["a", "1"], ["b", "2"]]],
  ["a=1&a=2&b=3&a=4", [["a", "1"], ["a", "2"], ["b", "3"], ["a", "4"]]],
  ["Body=Hi+there%20%26+co", [["Body", "Hi there & co"]]],
  ["To=%2B15558675310", [["To", "+15558675310"]]],
  ["a=%F0%9F%91%8B", [["a", "👋"]]],
  ["a=é", [["a", "é"]]],
  ["a", [["a", ""]]],
  ["=b", [["", "b"]]],
  ["a=b=c", [["a", "b=c"]]],
  ["&&a=1&", [["a", "1"]]],
  ["?a=1", [["?a", "1"]]],
  ["a=100%", [["a", "100%"]]],
  ["a=%FF", [["a", "\ufffd"]]],
  ["__proto__=x", [["__proto__", "x"]]],
];

for (const [body, pairs] of cases) {
  Deno.test(`a form body ${JSON.stringify(body)} reads as its fields`, () => {
    assertEquals(decodeForm(encode(body)).pairs, pairs);
  });
}

Deno.test("a field that repeats has all its values in order", () => {
  const form = decodeForm(encode("MediaUrl=a&Body=x&MediaUrl=b"));
  assertEquals(form.all("MediaUrl"), ["a", "b"]);
  assertEquals(form.first("MediaUrl"), "a");
  assertEquals(form.first("To"), undefined);
  assertEquals(form.all("To"), []);
});

Deno.test("fields from elsewhere read the same way", () => {
  assertEquals(formFields([["a", "1"], ["a", "2"]]).all("a"), ["1", "2"]);
});

Deno.test("a form with too many fields is refused before it is parsed", () => {
  assertThrows(() => decodeForm(encode("&".repeat(10_000))), WireError, "10000 fields");
  assertEquals(decodeForm(encode("&".repeat(9_999))).pairs, []);
});

Deno.test("any fields survive a round trip through a form body", () => {
  const text = fc.string({ unit: "grapheme" });
  fc.assert(
    fc.property(fc.array(fc.tuple(text, text)), (pairs) => {
      const body = new URLSearchParams(pairs.map(([name, value]) => [name, value]));
      assertEquals(decodeForm(encode(body.toString())).pairs, pairs);
    }),
    fuzzed(),
  );
});

Deno.test("any bytes can be read as a form", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => void decodeForm(bytes).pairs),
    fuzzed(),
  );
});

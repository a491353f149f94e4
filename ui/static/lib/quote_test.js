import { assert, assertEquals } from "@std/assert";
import { fc } from "../../../tests/support/fast_check.ts";
import { literal, shellWord } from "./quote.js";

Deno.test("words of a shell are quoted, and what cannot be seen is written by its number", () => {
  assertEquals(shellWord("a b"), "'a b'");
  assertEquals(shellWord("it's"), "'it'\\''s'");
  assertEquals(shellWord("a\nb'\\\u202e"), "$'a\\u000ab\\'\\\\\\u202e'");
});

Deno.test("literals are read back as they were, whatever is in them", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => {
    const written = literal(text);
    assertEquals(JSON.parse(written), text);
    assert(!/[\p{Cc}\u202e]/u.test(written));
  }));
});

import { assertEquals } from "@std/assert";
import { fc } from "../../../tests/support/fast_check.ts";
import { fromBase64, hexRows, toBase64 } from "./bytes.js";

Deno.test("base64 there and back again", () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 20_000 }), (bytes) => {
    assertEquals(fromBase64(toBase64(bytes)), new Uint8Array(bytes));
  }));
});

Deno.test("a dump shows offset, digits and what is printable", () => {
  const [first, second, ...more] = hexRows(
    new TextEncoder().encode("Hello, world! \u00e9\n~x"),
    1000,
  );
  assertEquals(first, {
    offset: "00000000",
    hex: "48 65 6c 6c 6f 2c 20 77  6f 72 6c 64 21 20 c3 a9",
    text: "Hello, world! ··",
  });
  assertEquals([second?.offset, second?.hex.trim(), second?.text], ["00000010", "0a 7e 78", "·~x"]);
  assertEquals(more, []);
});

Deno.test("a dump ends at its limit", () => {
  assertEquals(hexRows(new Uint8Array(1000), 32).length, 2);
});

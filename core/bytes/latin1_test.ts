import { assertEquals } from "@std/assert";
import { fromLatin1, toLatin1 } from "./latin1.ts";

Deno.test("every byte maps to one character and back, at any length", () => {
  for (const length of [0, 1, 8192, 8193, 300_000]) {
    const bytes = Uint8Array.from({ length }, (_, at) => at % 256);
    const text = toLatin1(bytes);
    assertEquals(text.length, length);
    assertEquals(fromLatin1(text), bytes);
  }
  assertEquals(toLatin1(Uint8Array.of(0x80, 0x9f, 0xff)), "\u0080\u009f\u00ff");
});

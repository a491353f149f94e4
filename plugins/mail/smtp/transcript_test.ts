import { assert, assertEquals } from "@std/assert";
import { fc } from "../../../tests/support/fast_check.ts";
import { fuzzed } from "../../../tests/support/fuzz.ts";
import { Transcript } from "./transcript.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

Deno.test("a transcript keeps its bytes until it is cleared", () => {
  const transcript = new Transcript(5000);
  transcript.add(bytes("EHLO a\r\n"));
  transcript.add(bytes("x".repeat(3000)));
  assertEquals(transcript.bytes(), bytes("EHLO a\r\n" + "x".repeat(3000)));
  transcript.clear();
  transcript.add(bytes("QUIT"));
  assertEquals(transcript.bytes(), bytes("QUIT"));
});

Deno.test("a transcript at its limit keeps the last bytes", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 150 }), { maxLength: 30 }), (pieces) => {
      const transcript = new Transcript(100);
      const all: number[] = [];
      for (const piece of pieces) {
        transcript.add(piece);
        all.push(...piece);
      }
      const held = transcript.bytes();
      assert(held.length <= 100 && held.length >= Math.min(all.length, 50));
      assertEquals([...held], all.slice(all.length - held.length));
    }),
    fuzzed(300),
  );
});

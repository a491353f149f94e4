import { assert, assertEquals, assertThrows } from "@std/assert";
import { fc } from "../../tests/support/fast_check.ts";
import { fuzzed } from "../../tests/support/fuzz.ts";
import { ByteGatherer } from "./gatherer.ts";

Deno.test("the result is what was appended, in a buffer of exactly that size", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 20 }), (chunks) => {
      const gatherer = new ByteGatherer();
      const all = chunks.flatMap((chunk) => [...chunk]);
      // Twice: it is empty once its bytes are taken.
      for (let round = 0; round < 2; round++) {
        for (const chunk of chunks) gatherer.append(chunk);
        assertEquals(gatherer.length, all.length);
        assertEquals([...gatherer.view(7)], all.slice(0, 7));
        const taken = gatherer.take();
        assertEquals([...taken], all);
        assertEquals(taken.buffer.byteLength, all.length);
      }
    }),
    fuzzed(200),
  );
});

Deno.test("a chunk is copied: its buffer may be used again, and is not held", () => {
  const buffer = new Uint8Array(65_536);
  const gatherer = new ByteGatherer();
  for (let byte = 1; byte <= 3; byte++) gatherer.append(buffer.fill(byte).subarray(0, 1));
  assert(gatherer.view().buffer !== buffer.buffer);
  assertEquals([...gatherer.take()], [1, 2, 3]);
});

Deno.test("the buffer does not grow beyond the limit", () => {
  const gatherer = new ByteGatherer(10);
  gatherer.append(new Uint8Array(6));
  gatherer.append(new Uint8Array(3));
  assertEquals(gatherer.view().buffer.byteLength, 10);
  assertThrows(() => gatherer.append(new Uint8Array(2)), RangeError);
  assertEquals(gatherer.length, 9);
});

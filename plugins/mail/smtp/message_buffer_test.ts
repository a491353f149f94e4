import { assert, assertEquals } from "@std/assert";
import { fc } from "../../../tests/support/fast_check.ts";
import { fuzzed } from "../../../tests/support/fuzz.ts";
import { MemoryBudget } from "../../../core/memory/budget.ts";
import { MessageBuffer } from "./message_buffer.ts";

Deno.test("a message is returned in a buffer of exactly its size", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 20 }), (pieces) => {
      const buffer = new MessageBuffer(10_000);
      for (const piece of pieces) buffer.add(piece);
      const all = pieces.flatMap((piece) => [...piece]);
      assertEquals([...buffer.head(7)], all.slice(0, 7));
      assertEquals(buffer.total, all.length);
      const taken = buffer.take();
      assertEquals([...taken], all);
      assertEquals(taken.buffer.byteLength, all.length);
    }),
    fuzzed(200),
  );
});

Deno.test("octets over the limit are counted and not stored", () => {
  const buffer = new MessageBuffer(10);
  buffer.add(new Uint8Array(10));
  assert(!buffer.overflowed);
  buffer.add(new Uint8Array(1));
  buffer.add(new Uint8Array(5));
  assert(buffer.overflowed);
  assertEquals([buffer.total, buffer.head(100).length], [16, 0]);
});

Deno.test("a message without enough memory is dropped and returns its memory", async () => {
  const budget = new MemoryBudget({ limitBytes: 1_000_000, waitMs: 1 });
  using other = budget.lease();
  other.take(500_000);
  using buffer = new MessageBuffer(1_000_000, budget.lease());
  await buffer.room(100_000);
  buffer.add(new Uint8Array(100_000));
  await buffer.roomToWork();
  assertEquals([buffer.shortage, budget.lentBytes], [undefined, 900_000]);
  other.take(50_000);
  buffer.add(new Uint8Array(100_000));
  await buffer.roomToWork();
  assert(buffer.shortage !== undefined);
  buffer.add(new Uint8Array(100_000));
  assertEquals([budget.lentBytes, buffer.total, buffer.take().length], [550_000, 300_000, 0]);
});

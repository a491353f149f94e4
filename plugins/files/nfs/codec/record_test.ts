import { assert, assertEquals, assertThrows } from "@std/assert";
import { concat } from "../../../../core/bytes/concat.ts";
import { WireError } from "../../../../core/bytes/decoder.ts";
import { ByteWriter } from "../../../../core/bytes/writer.ts";
import { fc } from "../../../../tests/support/fast_check.ts";
import { fuzzed } from "../../../../tests/support/fuzz.ts";
import { RecordDecoder } from "./record.ts";

const hex = (text: string): Uint8Array => Uint8Array.fromHex(text.replaceAll(/\s/g, ""));

/** Records in fragments, as one stream. */
function toStream(records: readonly (readonly Uint8Array[])[]): Uint8Array {
  const stream: number[] = [];
  for (const fragments of records) {
    for (const [i, fragment] of fragments.entries()) {
      const last = i === fragments.length - 1 ? 0x80 : 0;
      stream.push(last, fragment.length >> 16, (fragment.length >> 8) & 255, fragment.length & 255);
      stream.push(...fragment);
    }
  }
  return Uint8Array.from(stream);
}

Deno.test("records are read whole, however they are fragmented and the stream is cut", () => {
  const fragments = fc.array(fc.uint8Array({ maxLength: 200 }), { minLength: 1, maxLength: 6 });
  const cuts = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1 });
  fc.assert(
    fc.property(fc.array(fragments, { maxLength: 5 }), cuts, (records, cuts) => {
      const stream = toStream(records);
      const decoder = new RecordDecoder({ maxBytes: 2000 });
      const got: number[][] = [];
      for (let at = 0, i = 0; at < stream.length; i++) {
        const count = cuts[i % cuts.length]!;
        for (const record of decoder.push(stream.subarray(at, at + count))) got.push([...record]);
        at += count;
      }
      decoder.end();
      assertEquals(got, records.map((fragments) => fragments.flatMap((part) => [...part])));
    }),
    fuzzed(),
  );
});

Deno.test("long records are read into their buffer, whatever comes before and behind them", () => {
  const record = fc.record({
    fragments: fc.array(fc.nat(150_000), { minLength: 1, maxLength: 3 }),
    seed: fc.nat(255),
  });
  const cuts = fc.array(fc.integer({ min: 1, max: 100_000 }), { minLength: 1 });
  fc.assert(
    fc.property(fc.array(record, { minLength: 1, maxLength: 4 }), cuts, (records, cuts) => {
      const sent = records.map(({ fragments, seed }) =>
        fragments.map((length, i) =>
          Uint8Array.from({ length }, (_, at) => (at >> 8) ^ (at + seed + i))
        )
      );
      const stream = concat(sent.flatMap((parts) =>
        parts.flatMap((part, i) => {
          const last = i === parts.length - 1 ? 0x8000_0000 : 0;
          return [new ByteWriter().u32(last + part.length).take(), part];
        })
      ));
      const decoder = new RecordDecoder({ maxBytes: 500_000 });
      const got: Uint8Array[] = [];
      for (let at = 0, i = 0; at < stream.length; i++) {
        const rest = stream.subarray(at, at + cuts[i % cuts.length]!);
        let chunk: Uint8Array = rest;
        if (decoder.isLong) {
          const size = decoder.bytesWithRoom;
          const room = decoder.room();
          assertEquals(room.buffer.byteLength, size, "counted before it exists");
          chunk = room.subarray(0, Math.min(room.length, rest.length));
          chunk.set(rest.subarray(0, chunk.length));
          assert(chunk.length > 0 && decoder.owns(chunk));
        }
        at += chunk.length;
        for (const record of decoder.push(chunk)) got.push(record.slice());
      }
      decoder.end();
      assertEquals(got, sent.map(concat));
    }),
    fuzzed(50),
  );
});

Deno.test("an empty record behind a long one is a valid view", () => {
  const decoder = new RecordDecoder({ maxBytes: 200_000 });
  const stream = new Uint8Array(4 + 100_000 + 4);
  stream.set(hex("800186a0"));
  stream.set(hex("80000000"), 4 + 100_000);
  const lengths: number[] = [];
  for (const chunk of [stream.subarray(0, 10), stream.subarray(10)]) {
    for (const record of decoder.push(chunk)) lengths.push(record.slice().length);
  }
  assertEquals(lengths, [100_000, 0]);
});

Deno.test("a record that is too long, or never ends, is refused by its announced length", () => {
  const push = (bytes: Uint8Array): number =>
    [...new RecordDecoder({ maxBytes: 100 }).push(bytes)].length;
  assertEquals(push(toStream([[new Uint8Array(100)]])), 1);
  assertThrows(() => push(hex("80000065")), WireError);
  assertThrows(() => push(hex("7fffffff")), WireError);
  assertThrows(() => push(toStream([[new Uint8Array(60), new Uint8Array(41)]])), WireError);
  assertThrows(() => push(new Uint8Array(4 * 2000)), WireError);
  const open = new RecordDecoder({ maxBytes: 100 });
  assertEquals([...open.push(hex("0000000201"))], []);
  assertThrows(() => open.end(), WireError);
});

Deno.test("a record in a thousand fragments is joined", () => {
  const decoder = new RecordDecoder({ maxBytes: 2000 });
  const record = Uint8Array.from({ length: 1000 }, (_, i) => i & 255);
  const got: Uint8Array[] = [];
  for (const byte of toStream([[record]])) got.push(...decoder.push(Uint8Array.of(byte)));
  assertEquals(got, [record]);
});

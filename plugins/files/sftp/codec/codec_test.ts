import { assert, assertEquals, assertThrows } from "@std/assert";
import { fc } from "../../../../tests/support/fast_check.ts";
import { WireError } from "../../../../core/bytes/decoder.ts";
import { ByteWriter } from "../../../../core/bytes/writer.ts";
import {
  decodeRequest,
  encodeData,
  encodeStatus,
  MAX_PACKET_BYTES,
  PacketDecoder,
  STATUS,
} from "./packet.ts";

const text = (value: string): Uint8Array => new TextEncoder().encode(value);

Deno.test("requests are read with their attributes", () => {
  const open = new ByteWriter().u8(3).u32(7).block(text("/a")).u32(0x1a)
    .u32(0x8000_000d).u32(0).u32(5).u32(0o644).u32(1).u32(2).u32(1).block(text("n")).block(
      text("v"),
    );
  assertEquals(decodeRequest(open.take()), {
    type: "OPEN",
    id: 7,
    path: text("/a"),
    flags: 0x1a,
    attrs: { size: 5, mtimeMs: 2000 },
  });
  const write = new ByteWriter().u8(6).u32(8).block(text("h")).u32(1).u32(2).block(text("xyz"));
  assertEquals(decodeRequest(write.take()), {
    type: "WRITE",
    id: 8,
    handle: text("h"),
    offset: 2 ** 32 + 2,
    bytes: text("xyz"),
  });
  assertEquals(decodeRequest(new ByteWriter().u8(1).u32(3).take()), {
    type: "INIT",
    id: 0,
    version: 3,
  });
  assertEquals(decodeRequest(new ByteWriter().u8(20).u32(9).take()), {
    type: "OTHER",
    id: 9,
    code: 20,
  });
});

Deno.test("packets are read whole, however the stream is cut", () => {
  const packets = fc.array(fc.uint8Array({ minLength: 1, maxLength: 300 }), { maxLength: 8 });
  fc.assert(
    fc.property(
      packets,
      fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1 }),
      (sent, cuts) => {
        const stream = new ByteWriter();
        for (const packet of sent) stream.block(packet);
        const bytes = stream.take();
        const decoder = new PacketDecoder();
        const got: Uint8Array[] = [];
        for (let at = 0, i = 0; at < bytes.length; i++) {
          const count = cuts[i % cuts.length]!;
          for (const packet of decoder.push(bytes.subarray(at, at + count))) {
            got.push(packet.slice());
          }
          at += count;
        }
        decoder.end();
        assertEquals(got, sent);
      },
    ),
  );
});

Deno.test("empty and overlong packets are refused before memory is reserved for them", () => {
  for (const length of [0, MAX_PACKET_BYTES + 1, 0xffff_ffff]) {
    const head = new ByteWriter().u32(length).take();
    assertThrows(() => [...new PacketDecoder().push(head)], WireError);
  }
});

Deno.test("no packet throws anything but a WireError", () => {
  const packet = fc.tuple(fc.constantFrom(1, 3, 4, 5, 6, 7, 9, 10, 12, 18, 200), fc.uint8Array())
    .map(([code, rest]) => Uint8Array.of(code, ...rest));
  fc.assert(fc.property(packet, (bytes) => {
    try {
      decodeRequest(bytes);
    } catch (error) {
      assert(error instanceof WireError);
    }
  }));
});

Deno.test("answers begin with their length", () => {
  assertEquals([...encodeData(1, [text("a"), text("b")])], [
    0,
    0,
    0,
    11,
    103,
    0,
    0,
    0,
    1,
    0,
    0,
    0,
    2,
    97,
    98,
  ]);
  const status = encodeStatus(2, STATUS.eof, "End");
  assertEquals(new DataView(status.buffer).getUint32(0), status.length - 4);
});

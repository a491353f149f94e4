import { assert, assertEquals, assertThrows } from "@std/assert";
import { fc } from "../../../../tests/support/fast_check.ts";
import { WireError } from "../../../../core/bytes/decoder.ts";
import { encodeNetascii, NetasciiDecoder } from "./netascii.ts";
import { decodePacket, encodePacket, type Packet } from "./packet.ts";

const bytes = (text: string): Uint8Array => Uint8Array.from(text, (char) => char.charCodeAt(0));

Deno.test("packets are decoded as RFC 1350 and RFC 2347 specify", () => {
  assertEquals(decodePacket(bytes("\0\x01a.txt\0OcTet\0BLKSIZE\x001432\0blksize\x008\0")), {
    type: "RRQ",
    file: bytes("a.txt"),
    mode: "octet",
    options: new Map([["blksize", "1432"]]),
  });
  assertEquals(decodePacket(bytes("\0\x03\x01\x02xy")), {
    type: "DATA",
    block: 258,
    bytes: bytes("xy"),
  });
  assertEquals(decodePacket(bytes("\0\x04\xff\xff")), { type: "ACK", block: 65_535 });
  assertEquals(decodePacket(bytes("\0\x05\0\x01no\0more")), {
    type: "ERROR",
    code: 1,
    message: "no",
  });
  assertEquals(decodePacket(bytes("\0\x05\0\x01no")), { type: "ERROR", code: 1, message: "no" });
});

for (
  const text of [
    "",
    "\0",
    "\0\0",
    "\0\x09x",
    "\0\x01",
    "\0\x01a",
    "\0\x02a\0",
    "\0\x02a\0octet",
    "\0\x01a\0octet\0blksize\0",
    "\0\x03\0",
    "\0\x04",
  ]
) {
  Deno.test(`datagram ${JSON.stringify(text)} is refused`, () => {
    assertThrows(() => decodePacket(bytes(text)), WireError);
  });
}

Deno.test("a request has at most 32 options", () => {
  const request = (count: number) => bytes(`\0\x01a\0octet\0${"x\x001\0".repeat(count)}`);
  assertEquals(decodePacket(request(32)).type, "RRQ");
  assertThrows(() => decodePacket(request(33)), WireError, "more than 32");
});

Deno.test("packets survive a round trip", () => {
  const text = fc.stringMatching(/^[a-z0-9]{1,10}$/);
  const options = fc.array(fc.tuple(text, text), { maxLength: 4 }).map((pairs) => new Map(pairs));
  const u16 = fc.integer({ min: 0, max: 65_535 });
  const packet: fc.Arbitrary<Packet> = fc.oneof(
    fc.record({
      type: fc.constantFrom("RRQ" as const, "WRQ" as const),
      file: text.map(bytes),
      mode: fc.constant("octet"),
      options,
    }),
    fc.record({ type: fc.constant("DATA" as const), block: u16, bytes: fc.uint8Array() }),
    fc.record({ type: fc.constant("ACK" as const), block: u16 }),
    fc.record({ type: fc.constant("ERROR" as const), code: u16, message: text }),
    fc.record({ type: fc.constant("OACK" as const), options }),
  );
  fc.assert(fc.property(packet, (one) => assertEquals(decodePacket(encodePacket(one)), one)));
});

Deno.test("no datagram throws anything but a WireError", () => {
  const datagram = fc.tuple(fc.integer({ min: 0, max: 7 }), fc.uint8Array()).map(([opcode, rest]) =>
    Uint8Array.of(0, opcode, ...rest)
  );
  fc.assert(fc.property(fc.oneof(fc.uint8Array(), datagram), (received) => {
    try {
      decodePacket(received);
    } catch (error) {
      assert(error instanceof WireError);
    }
  }));
});

Deno.test("netascii survives a round trip, cut anywhere", () => {
  assertEquals(encodeNetascii(bytes("a\nb\r\n")), bytes("a\r\nb\r\0\r\n"));
  const byte = fc.constantFrom(0x0d, 0x0a, 0x00, 0x61);
  fc.assert(fc.property(fc.array(byte), fc.integer({ min: 1, max: 5 }), (text, size) => {
    const sent = encodeNetascii(Uint8Array.from(text));
    const decoder = new NetasciiDecoder();
    const got: number[] = [];
    for (let at = 0; at < sent.length; at += size) {
      got.push(...decoder.push(sent.subarray(at, at + size)));
    }
    got.push(...decoder.end());
    assertEquals(got, text);
  }));
  const lone = new NetasciiDecoder();
  assertEquals([...lone.push(bytes("a\rb\r")), ...lone.end()], [...bytes("a\rb\r")]);
});

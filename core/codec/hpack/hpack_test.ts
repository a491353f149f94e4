import { assertEquals, assertThrows } from "@std/assert";
import { decodeHex } from "@std/encoding/hex";
import { fc } from "../../../tests/support/fast_check.ts";
import { fuzzed } from "../../../tests/support/fuzz.ts";
import { WireError } from "../../bytes/decoder.ts";
import { encodeFields, type Field, HpackDecoder } from "./hpack.ts";

const decoder = () => new HpackDecoder({ maxBytes: 65_536 });
const hex = (text: string) => decodeHex(text.replaceAll(/\s/g, ""));

const REQUEST: readonly Field[] = [
  [":method", "GET"],
  [":scheme", "http"],
  [":path", "/"],
  [":authority", "www.example.com"],
];
const SECURE: readonly Field[] = [
  [":method", "GET"],
  [":scheme", "https"],
  [":path", "/index.html"],
  [":authority", "www.example.com"],
  ["custom-key", "custom-value"],
];

/** RFC 7541 appendix C: blocks of one connection, in order. */
const EXAMPLES: readonly (readonly [
  section: string,
  blocks: readonly (readonly [block: string, fields: readonly Field[]])[],
])[] = [
  ["C.2.1", [["400a 6375 7374 6f6d 2d6b 6579 0d63 7573 746f 6d2d 6865 6164 6572", [
    ["custom-key", "custom-header"],
  ]]]],
  ["C.2.2", [["040c 2f73 616d 706c 652f 7061 7468", [[":path", "/sample/path"]]]]],
  ["C.2.3", [["1008 7061 7373 776f 7264 0673 6563 7265 74", [["password", "secret"]]]]],
  ["C.2.4", [["82", [[":method", "GET"]]]]],
  ["C.3", [
    ["8286 8441 0f77 7777 2e65 7861 6d70 6c65 2e63 6f6d", REQUEST],
    ["8286 84be 5808 6e6f 2d63 6163 6865", [...REQUEST, ["cache-control", "no-cache"]]],
    ["8287 85bf 400a 6375 7374 6f6d 2d6b 6579 0c63 7573 746f 6d2d 7661 6c75 65", SECURE],
  ]],
  ["C.4", [
    ["8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff", REQUEST],
    ["8286 84be 5886 a8eb 1064 9cbf", [...REQUEST, ["cache-control", "no-cache"]]],
    ["8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf", SECURE],
  ]],
];
for (const [section, blocks] of EXAMPLES) {
  Deno.test(`the example of RFC 7541 ${section} is read`, () => {
    const reader = decoder();
    for (const [block, fields] of blocks) assertEquals(reader.decode(hex(block)), fields);
  });
}

Deno.test("entries over the table size are evicted: RFC 7541 C.6, with a table of 256 bytes", () => {
  const reader = decoder();
  const first = reader.decode(hex(
    "3fe101 4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8 2005 9504 0b81 66e0 82a6 2d1b" +
      "ff6e 919d 29ad 1718 63c7 8f0b 97c8 e9ae 82ae 43d3",
  ));
  assertEquals(first, [
    [":status", "302"],
    ["cache-control", "private"],
    ["date", "Mon, 21 Oct 2013 20:13:21 GMT"],
    ["location", "https://www.example.com"],
  ]);
  assertEquals(reader.decode(hex("4883 640e ffc1 c0bf"))[0], [":status", "307"]);
  // The fifth entry took the place of the first.
  assertThrows(() => reader.decode(hex("c2")), WireError, "there is no index 66");
});

const BAD: readonly (readonly [what: string, block: string])[] = [
  ["index 0", "80"],
  ["an index beyond the table", "be"],
  ["a string that is cut short", "000a6162"],
  ["an integer without an end", "ffffffffffffffffff"],
  ["a table that is too large", "3fffffff0f"],
  ["the end symbol of the Huffman code", "0084ffffffff00"],
  ["padding of zeros", "008118" + "00"],
  ["a whole octet of padding", "0082ffff00"],
];
for (const [what, block] of BAD) {
  Deno.test(`${what} is refused`, () => {
    assertThrows(() => decoder().decode(hex(block)), WireError);
  });
}

Deno.test("a small block that expands to many bytes is refused", () => {
  const large = encodeFields([["x", "v".repeat(4000)]]);
  large[0] = 0x40;
  const block = new Uint8Array(large.length + 100).fill(0xbe);
  block.set(large);
  assertThrows(() => decoder().decode(block), WireError, "over 65536 bytes");
});

Deno.test("encoded values decode to themselves", () => {
  const text = fc.string({
    unit: fc.integer({ min: 0, max: 255 }).map((c) => String.fromCharCode(c)),
  });
  const long = fc.constantFrom(126, 127, 128, 254, 255, 400).map((length) => "a".repeat(length));
  const field = fc.tuple(text, fc.oneof(text, long));
  fc.assert(
    fc.property(fc.array(field), (fields) => {
      assertEquals(decoder().decode(encodeFields(fields)), fields);
    }),
    fuzzed(),
  );
});

Deno.test("garbage is read, or refused with a WireError", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 200 })), (blocks) => {
      const reader = decoder();
      try {
        for (const block of blocks) reader.decode(block);
      } catch (error) {
        if (!(error instanceof WireError)) throw error;
      }
    }),
    fuzzed(500),
  );
});

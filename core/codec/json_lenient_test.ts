import { assertEquals, assertThrows } from "@std/assert";
import { fc } from "../../tests/support/fast_check.ts";
import { fuzzed } from "../../tests/support/fuzz.ts";
import { WireError } from "../bytes/decoder.ts";
import { decodeJson, isJsonObject, jsonType } from "./json_lenient.ts";

const utf8 = new TextEncoder();

function utf16(text: string, littleEndian: boolean): Uint8Array {
  const view = new DataView(new ArrayBuffer(text.length * 2));
  for (let i = 0; i < text.length; i++) view.setUint16(i * 2, text.charCodeAt(i), littleEndian);
  return new Uint8Array(view.buffer);
}

Deno.test("decodeJson() reads what JSON.stringify() writes", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      const text = JSON.stringify(value);
      assertEquals(JSON.stringify(decodeJson(utf8.encode(text))), text);
    }),
    fuzzed(),
  );
});

const READABLE: readonly (readonly [string, Uint8Array, string | null])[] = [
  ["a UTF-8 byte order mark", utf8.encode('\ufeff"ü"'), null],
  ["little-endian UTF-16 with a mark", utf16('\ufeff"ü"', true), null],
  ["big-endian UTF-16 with a mark", utf16('\ufeff"ü"', false), "application/json"],
  ["a charset parameter", Uint8Array.of(0x22, 0xfc, 0x22), "application/json; charset=ISO-8859-1"],
  ["a quoted charset parameter", utf8.encode('"ü"'), 'application/json;charset="UTF-8"'],
  ["an unknown charset as UTF-8", utf8.encode('"ü"'), "application/json; charset=klingon"],
  [
    "a UTF-8 mark whatever the charset says",
    utf8.encode('\ufeff"ü"'),
    "application/json; charset=latin1",
  ],
  ["another media type", utf8.encode('"ü"'), "text/plain"],
];
for (const [title, body, contentType] of READABLE) {
  Deno.test(`decodeJson() accepts ${title}`, () => {
    assertEquals(decodeJson(body, contentType), "ü");
  });
}

Deno.test("decodeJson() says where the error is", () => {
  const error = assertThrows(() => decodeJson(utf8.encode('{"a":1,}')), WireError);
  assertEquals(error.code, "syntax");
  assertEquals(/^Cannot read the body as JSON: .*position 7/.test(error.message), true);
});

Deno.test("decodeJson() refuses an empty body, broken UTF-8 and endless nesting", () => {
  for (const body of [new Uint8Array(), Uint8Array.of(0x22, 0xff, 0x22)]) {
    assertEquals(assertThrows(() => decodeJson(body), WireError).code, "syntax");
  }
  const deep = (levels: number) => utf8.encode("[".repeat(levels) + "]".repeat(levels));
  assertEquals(Array.isArray(decodeJson(deep(256))), true);
  assertEquals(assertThrows(() => decodeJson(deep(257)), WireError).code, "limit");
  assertEquals(assertThrows(() => decodeJson(deep(1_000_000)), WireError).code, "limit");
});

Deno.test("decodeJson() refuses more than a million arrays and objects, but takes long lists", () => {
  const list = (item: string, count: number) => utf8.encode(`[${Array(count).fill(item).join()}]`);
  assertEquals((decodeJson(list("{}", 999_999)) as unknown[]).length, 999_999);
  assertEquals(assertThrows(() => decodeJson(list("[]", 1_000_000)), WireError).code, "limit");
  assertEquals((decodeJson(list("7", 2_000_000)) as unknown[]).length, 2_000_000);
  assertEquals(assertThrows(() => decodeJson(list("7", 2_000_002)), WireError).code, "limit");
});

Deno.test("decodeJson() refuses more than 300 000 members, in one object or in many", () => {
  const whole = (count: number) => `{${Array.from({ length: count }, (_, i) => `"${i}":":"`)}}`;
  assertEquals(Object.keys(decodeJson(utf8.encode(whole(300_000))) as object).length, 300_000);
  for (const text of [whole(300_001), `[${Array(150_001).fill('{"a":1,"b":2}')}]`]) {
    assertEquals(assertThrows(() => decodeJson(utf8.encode(text)), WireError).code, "limit");
  }
});

Deno.test("decodeJson() counts no brackets inside strings", () => {
  const text = JSON.stringify(`\\"${"[{".repeat(1000)}`);
  assertEquals(decodeJson(utf8.encode(text)), JSON.parse(text));
});

Deno.test("decodeJson() gives a value or a WireError for any bytes", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.string(), (body, contentType) => {
      try {
        decodeJson(body, contentType);
      } catch (error) {
        assertEquals(error instanceof WireError, true, String(error));
      }
    }),
    fuzzed(500),
  );
});

Deno.test("jsonType() and isJsonObject() tell the types apart", () => {
  const types = [[], true, 1, null, 1.5, {}, "", undefined].map(jsonType);
  assertEquals(types, [
    "array",
    "boolean",
    "integer",
    "null",
    "number",
    "object",
    "string",
    "null",
  ]);
  assertEquals([[], null, "", 1, {}].map(isJsonObject), [false, false, false, false, true]);
});

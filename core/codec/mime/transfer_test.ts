import { assertEquals } from "@std/assert";
import { fc } from "../../../tests/support/fast_check.ts";
import { runToEnd } from "../../bytes/steps.ts";
import { fuzzed } from "../../../tests/support/fuzz.ts";
import { decodeTransfer } from "./transfer.ts";
import { Warnings } from "./warnings.ts";

function decode(text: string, encoding: string): readonly [string, number] {
  const warnings = new Warnings();
  const bytes = Uint8Array.from(text, (char) => char.charCodeAt(0));
  const decoded = runToEnd(decodeTransfer(bytes, encoding, warnings));
  return [Array.from(decoded, (byte) => String.fromCharCode(byte)).join(""), warnings.list.length];
}

Deno.test.each([
  ["lines", "SGVs\r\nbG8=\r\n", "Hello", 0],
  ["no padding", "SGVsbG8", "Hello", 0],
  ["blanks", " SG Vs\tbG8 = ", "Hello", 0],
  ["nothing", "", "", 0],
  ["padding in the middle", "SGVsbA==\r\nbw==\r\n", "Hello", 1],
  ["foreign characters", "SGVs-bG8!=\0", "Hello", 1],
  ["octets beyond ASCII", "SGVs\xffbG8=", "Hello", 1],
  ["a character too many", "SGVsbG8hQ", "Hello!", 1],
  ["only foreign characters", "!!!", "", 1],
])("base64 with %s", (_name, text, decoded, warnings) => {
  assertEquals(decode(text, "base64"), [decoded, warnings]);
});

Deno.test.each([
  ["escapes", "gr=C3=BC=c3=9fe", "gr\xc3\xbc\xc3\x9fe", 0],
  ["soft breaks", "one=\r\n two=\n three= \t\r\n!", "one two three!", 0],
  ["blanks at line ends", "a \t\r\nb  \n c\r\n", "a\r\nb\n c\r\n", 0],
  ["blanks at the end", "a  ", "a", 0],
  ["blanks within a line", "a  b", "a  b", 0],
  ["a soft break at the end", "a=", "a", 0],
  ["an equals sign that escapes nothing", "a=b=XY", "a=b=XY", 1],
  ["octets beyond ASCII", "\xfc", "\xfc", 0],
])("quoted-printable with %s", (_name, text, decoded, warnings) => {
  assertEquals(decode(text, "quoted-printable"), [decoded, warnings]);
});

Deno.test("identity encodings keep every octet; an unknown one does too, with a warning", () => {
  for (const encoding of ["", "7bit", "8bit", "binary"]) {
    assertEquals(decode("a\r\n\0\xff\n", encoding), ["a\r\n\0\xff\n", 0]);
  }
  assertEquals(decode("begin 644 a", "x-uuencode"), ["begin 644 a", 1]);
});

Deno.test("encoded octets decode to themselves", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
      const base64 = bytes.toBase64().replace(/.{60}/g, "$&\r\n");
      assertEquals(decode(base64, "base64")[0], text);
      const quoted = Array.from(
        bytes,
        (byte) => `=${byte.toString(16).toUpperCase().padStart(2, "0")}`,
      ).join("").replace(/.{72}/g, "$&=\r\n");
      assertEquals(decode(quoted, "quoted-printable")[0], text);
    }),
    fuzzed(200),
  );
});

Deno.test("any octets can be decoded", () => {
  const text = fc.string({ unit: fc.constantFrom(..."=AbZ09+/ \t\r\n\xff\0") });
  fc.assert(
    fc.property(text, (text) => {
      for (const encoding of ["base64", "quoted-printable"]) {
        assertEquals(decode(text, encoding)[0].length <= text.length, true);
      }
    }),
    fuzzed(300),
  );
});

import { assertEquals } from "@std/assert";
import { isText, toLine, toSummary } from "./text.ts";

Deno.test.each<[string, readonly number[], boolean]>([
  ["nothing", [], true],
  ["ASCII with tab and line ends", [0x41, 0x09, 0x0a, 0x0c, 0x0d, 0x7e], true],
  ["UTF-8", [0xc3, 0xbc, 0xe2, 0x98, 0xba, 0xf0, 0x9f, 0x98, 0x80], true],
  ["NUL", [0x41, 0x00], false],
  ["escape", [0x1b, 0x5b], false],
  ["vertical tab", [0x0b], false],
  ["delete", [0x7f], false],
  ["Latin-1", [0x67, 0xfc], false],
  ["a character cut short", [0x41, 0xe2, 0x98], false],
  ["a surrogate", [0xed, 0xa0, 0x80], false],
])("%s is told from binary", (_name, bytes, text) => {
  assertEquals(isText(Uint8Array.from(bytes)), text);
});

Deno.test("every byte is recognized anywhere in a text, aligned or not", () => {
  const isAllowed = (byte: number) =>
    (byte >= 0x20 && byte < 0x7f) || [0x09, 0x0a, 0x0c, 0x0d].includes(byte);
  for (let byte = 0; byte < 256; byte++) {
    for (let at = 0; at < 11; at++) {
      for (const offset of [0, 3]) {
        const bytes = new Uint8Array(16).fill(0x20).subarray(offset, offset + 11);
        bytes[at] = byte;
        assertEquals(isText(bytes), isAllowed(byte), `${byte} at ${at} of ${offset}`);
      }
    }
  }
});

const LONG = "a".repeat(139);

const CASES: readonly (readonly [about: string, text: string, line: string])[] = [
  ["nothing", "", ""],
  ["words", "one two", "one two"],
  ["white space of every kind", " one\r\n\ttwo\u00a0 three ", "one two three"],
  ["more than a line", LONG + "bcd", LONG + "b"],
  ["a space where it is cut", LONG + "  b", LONG + " "],
  ["much white space in front", " ".repeat(1900) + "one", "one"],
  ["no more than its beginning", " ".repeat(2100) + "one", ""],
  ["a character of two units where it is cut", LONG + "\u{1f600}", LONG],
  ["half a character", "one \ud83d two", "one \ufffd two"],
];

for (const [about, text, line] of CASES) {
  Deno.test(`a text on one line: ${about}`, () => assertEquals(toLine(text), line));
}

const SUMMARIES: readonly (readonly [text: string, summary: string])[] = [
  ["", ""],
  ["a@example.org -> b@example.org: Hello  you", "a@example.org -> b@example.org: Hello  you"],
  [" both ends ", "both ends"],
  ["ends", "ends"],
  ["ends ", "ends"],
  ["two\r\nlines\tand\u0000more", "two lines and more"],
  ["del\u007f and \u0085 and \u2028", "del  and   and"],
  ["\u00a0Grüße 😀 ", "Grüße 😀"],
  ["half \ud83d", "half \ufffd"],
  ["x".repeat(200), "x".repeat(200)],
  ["x".repeat(201), `${"x".repeat(200)}…`],
  ["😀".repeat(200), "😀".repeat(200)],
  ["😀".repeat(201), `${"😀".repeat(200)}…`],
];
for (const [text, summary] of SUMMARIES) {
  Deno.test(`the summary of ${JSON.stringify(text.slice(0, 40))}, ${text.length} long`, () => {
    assertEquals(toSummary(text), summary);
  });
}

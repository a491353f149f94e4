import { assertEquals } from "@std/assert";
import { toLine, toSummary } from "./line.ts";

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

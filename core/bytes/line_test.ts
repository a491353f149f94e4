import { assertEquals } from "@std/assert";
import { toLine } from "./line.ts";

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

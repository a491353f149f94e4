import { assertEquals } from "@std/assert";
import { toSummary } from "./summary.ts";

const cases: readonly (readonly [text: string, summary: string])[] = [
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
for (const [text, summary] of cases) {
  Deno.test(`the summary of ${JSON.stringify(text.slice(0, 40))}, ${text.length} long`, () => {
    assertEquals(toSummary(text), summary);
  });
}

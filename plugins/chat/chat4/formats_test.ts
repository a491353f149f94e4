import { assertEquals, assertThrows } from "@std/assert";
import { fc } from "../../../tests/support/fast_check.ts";
import { fuzzed } from "../../../tests/support/fuzz.ts";
import { Refused } from "../../../core/result.ts";
import { type Formatted, readFormatted } from "./formats.ts";
import type { VendorRefusal } from "./refusals.ts";

/** Entities in short form: `bold 0+4`. */
function brief({ text, entities }: Formatted): string {
  const parts = entities.map(({ type, offset, length, url, language }) =>
    [`${type} ${offset}+${length}`, url, language].filter(Boolean).join(" ")
  );
  return [text, ...parts].join(" | ");
}

const texts: readonly [mode: string, source: string, brief: string][] = [
  ["", "*a* <b>", "*a* <b>"],
  ["HTML", "<b>Hi</b> &lt;x&gt; &#233;", "Hi <x> é | bold 0+2"],
  ["html", '<a href="https://e.example/?a=1">l</a>', "l | text_link 0+1 https://e.example/?a=1"],
  ["HTML", "<b><i>x</i>y</b>", "xy | italic 0+1 | bold 0+2"],
  ["HTML", "a & b &unknown;", "a & b &unknown;"],
  [
    "MarkdownV2",
    "*b* _i_ __u__ ~s~ ||p||",
    "b i u s p | bold 0+1 | italic 2+1 | underline 4+1 | " +
    "strikethrough 6+1 | spoiler 8+1",
  ],
  ["MarkdownV2", "1\\.5 \\*", "1.5 *"],
  ["MarkdownV2", "[t](https://e.example/\\))", "t | text_link 0+1 https://e.example/)"],
  ["MarkdownV2", "`a_b` ```js\nx\n```", "a_b x\n | code 0+3 | pre 4+2 js"],
  ["MarkdownV2", ">quote", "quote"],
  [
    "Markdown",
    "*b* _i_ `c` [l](https://e.example)",
    "b i c l | bold 0+1 | italic 2+1 | code 4+1 | " +
    "text_link 6+1 https://e.example",
  ],
  ["Markdown", "a.b! \\_", "a.b! _"],
];

for (const [mode, source, wanted] of texts) {
  Deno.test(`${mode || "plain"} text ${JSON.stringify(source)} is read with its formats`, () => {
    assertEquals(brief(readFormatted(source, mode)), wanted);
  });
}

const refused: readonly [mode: string, source: string, reason: string][] = [
  ["HTML", "<x>a</x>", 'Unsupported start tag "x" at byte offset 0'],
  ["HTML", "é<b>a", `Can't find end tag corresponding to start tag "b"`],
  ["HTML", "a</b>", "Unexpected end tag at byte offset 1"],
  [
    "HTML",
    "<b>a</i>",
    'Unmatched end tag at byte offset 4, expected "</b>", found "</i>"',
  ],
  [
    "MarkdownV2",
    "v1.5",
    "Character '.' is reserved and must be escaped with the preceding '\\'",
  ],
  ["MarkdownV2", "é *b", "Can't find end of Bold entity at byte offset 3"],
  ["Markdown", "a _b", "Can't find end of the entity starting at byte offset 2"],
];

for (const [mode, source, reason] of refused) {
  Deno.test(`${mode} text ${JSON.stringify(source)} is refused as the vendor does`, () => {
    const error = assertThrows(() => readFormatted(source, mode), Refused);
    assertEquals(
      (error.refusal as VendorRefusal).description,
      `Bad Request: can't parse entities: ${reason}`,
    );
  });
}

Deno.test("any text in any mode is read or refused, and its formats lie within it", () => {
  const marks = fc.array(
    fc.constantFrom("*", "_", "`", "[", "](", ")", "<b>", "</b>", "&", ";", "\\", "é", "|", "\n"),
  );
  fc.assert(
    fc.property(marks, fc.constantFrom("HTML", "MarkdownV2", "Markdown"), (parts, mode) => {
      try {
        const { text, entities } = readFormatted(parts.join(""), mode);
        for (const { offset, length } of entities) {
          assertEquals(offset >= 0 && length > 0 && offset + length <= text.length, true);
        }
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
      }
    }),
    fuzzed(),
  );
});

import { assertEquals, assertThrows } from "@std/assert";
import { fc } from "../../../tests/support/fast_check.ts";
import { fuzzed } from "../../../tests/support/fuzz.ts";
import { Refused } from "../../../core/result.ts";
import type { Formatted } from "./entities.ts";
import { readFormatted } from "./formats.ts";
import type { VendorRefusal } from "./refusals.ts";

/** Entities in short form: `bold 0+4`. */
function brief({ text, entities }: Formatted): string {
  const parts = entities.map(({ type, offset, length, ...members }) =>
    [`${type} ${offset}+${length}`, ...Object.values(members)]
      .map((one) => typeof one === "object" ? `user ${one.id}` : one).join(" ")
  );
  return [text, ...parts].join(" | ");
}

const texts: readonly [mode: string, source: string, brief: string][] = [
  ["", "*a* <b>", "*a* <b>"],
  ["HTML", "<b>Hi</b> &lt;x&gt; &#233;", "Hi <x> é | bold 0+2"],
  ["html", '<a href="https://e.example/?a=1">l</a>', "l | text_link 0+1 https://e.example/?a=1"],
  ["HTML", "<b><i>x</i>y</b>", "xy | bold 0+2 | italic 0+1"],
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
  ["MarkdownV2", ">quote", "quote | blockquote 0+5"],
  // The two quotes of https://core.telegram.org/bots/api#markdownv2-style
  [
    "MarkdownV2",
    ">a\n>b\n**>c\n>d||",
    "a\nb\nc\nd | blockquote 0+4 | expandable_blockquote 4+3",
  ],
  ["MarkdownV2", ">a||\nb", "a\nb | expandable_blockquote 0+2"],
  ["MarkdownV2", ">*a*\\.\nb", "a.\nb | blockquote 0+3 | bold 0+1"],
  [
    "MarkdownV2",
    "![x](tg://emoji?id=5368324170671202286) ![y](tg://time?unix=1647531900&format=wDT)",
    "x y | custom_emoji 0+1 5368324170671202286 | date_time 2+1 1647531900 wDT",
  ],
  ["MarkdownV2", "[e\\.example/a] [b](no)", "e.example/a b | text_link 0+11 http://e.example/a"],
  ["HTML", '<a href="tg://user?id=42">x</a>', "x | text_mention 0+1 user 42"],
  [
    "HTML",
    '<pre><code class="language-js">x</code></pre><code class="language-js">y</code>',
    "xy | pre 0+1 js | code 1+1",
  ],
  [
    "HTML",
    '<blockquote expandable>a</blockquote><tg-time unix="9" format="r">b</tg-time>',
    "ab | expandable_blockquote 0+1 | date_time 1+1 9 r",
  ],
  [
    "HTML",
    '<span class="tg-spoiler">a</span><tg-emoji emoji-id="7">b</tg-emoji>',
    "ab | spoiler 0+1 | custom_emoji 1+1 7",
  ],
  ["HTML", "a > b &lt c &amp;lt;", "a > b < c &lt;"],
  [
    "HTML",
    '<a href="https://e.example/?a=1&amp;b=2">l</a>',
    "l | text_link 0+1 https://e.example/?a=1&b=2",
  ],
  ["none", "*a*", "*a*"],
  ["unknown", "", ""],
  [
    "Markdown",
    "*b* _i_ `c` [l](https://e.example)",
    "b i c l | bold 0+1 | italic 2+1 | code 4+1 | " +
    "text_link 6+1 https://e.example/",
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
  ["HTML", "5 < 6", 'Unsupported start tag "" at byte offset 2'],
  ["HTML", "é <b", "Unclosed start tag at byte offset 3"],
  ["HTML", "<b", "Unclosed start tag at byte offset 0"],
  ["HTML", "a<br/>b", 'Unsupported start tag "br/" at byte offset 1'],
  ["HTML", "<span>a</span>", 'Tag "span" must have class "tg-spoiler" at byte offset 0'],
  ["HTML", "<b /x>a</b>", 'Empty attribute name in the tag "b" at byte offset 0'],
  ["HTML", "<a href=https://e.example>a</a>", "Unexpected end of name token at byte offset 8"],
  ["HTML", '<a href="x>a</a>', "Unclosed start tag at byte offset 0"],
  ["HTML", "<b>a</b", "Unclosed end tag at byte offset 4"],
  ["HTML", "<tg-emoji>a</tg-emoji>", "Invalid custom emoji identifier specified"],
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
  ["MarkdownV2", "a>b", "Character '>' is reserved and must be escaped with the preceding '\\'"],
  ["MarkdownV2", "[a](b", "Can't find end of a URL at byte offset 4"],
  ["MarkdownV2", "![a](b)", "Invalid tg://emoji or tg://time URL specified"],
  ["MarkdownV2", "a [b", "Can't find end of TextUrl entity at byte offset 2"],
  ["MarkdownV2", ">*a\nb*", "Can't find end of Bold entity at byte offset 1"],
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
    fc.constantFrom(
      ...["*", "_", "`", "[", "](", ")", "<b>", "</b>", "&", ";", "\\", "é", "|", "\n"],
      ...[">", "**>", "||", "![", "(tg://time?unix=1)", "<", "<a href=", '"', "&#x41", "```"],
    ),
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

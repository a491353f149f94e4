import { assertEquals, assertLess } from "@std/assert";
import { fc } from "../../../tests/support/fast_check.ts";
import { fuzzed } from "../../../tests/support/fuzz.ts";
import { textOfAttachments, textOfBlocks } from "./readable_text.ts";

const plain = (text: string) => ({ type: "plain_text", text });

const blocks: readonly [what: string, block: unknown, text: string][] = [
  ["a header", { type: "header", text: plain("Title") }, "Title"],
  ["a section", { type: "section", text: { type: "mrkdwn", text: "*b*" } }, "*b*"],
  ["fields", { type: "section", fields: [plain("a"), plain("b")] }, "a\nb"],
  [
    "an accessory",
    { type: "section", text: plain("t"), accessory: { type: "button", text: plain("Go") } },
    "t\nGo",
  ],
  [
    "a context",
    { type: "context", elements: [plain("a"), { type: "image", alt_text: "pic" }] },
    "a pic",
  ],
  ["an image", { type: "image", alt_text: "alt", title: plain("Pic") }, "Pic"],
  ["an image without a title", { type: "image", alt_text: "alt" }, "alt"],
  [
    "actions",
    { type: "actions", elements: [{ text: plain("Yes") }, { text: plain("No") }] },
    "Yes No",
  ],
  ["an input", { type: "input", label: plain("Name") }, "Name"],
  ["markdown", { type: "markdown", text: "**x**" }, "**x**"],
  ["a divider", { type: "divider" }, ""],
  ["what is no block", 5, ""],
  [
    "rich text",
    {
      type: "rich_text",
      elements: [{
        type: "rich_text_section",
        elements: [
          { type: "text", text: "Hi " },
          { type: "user", user_id: "U1" },
          { type: "text", text: " see " },
          { type: "link", url: "https://example.com" },
          { type: "emoji", name: "wave" },
          { type: "channel", channel_id: "C1" },
          { type: "broadcast", range: "here" },
        ],
      }, {
        type: "rich_text_list",
        elements: [{ type: "rich_text_section", elements: [{ type: "text", text: "one" }] }],
      }],
    },
    "Hi <@U1> see https://example.com:wave:<#C1>@here one",
  ],
];

for (const [what, block, text] of blocks) {
  Deno.test(`the readable text of ${what} is its texts in order`, () => {
    assertEquals(textOfBlocks([block]), text);
  });
}

Deno.test("each block is one line, and a text stays short", () => {
  assertEquals(
    textOfBlocks([{ text: plain("a") }, { type: "divider" }, { text: plain("b") }]),
    "a\nb",
  );
  assertLess(textOfBlocks(Array(10_000).fill({ text: plain("a".repeat(100)) })).length, 4001);
});

Deno.test("an attachment is read by its fallback, title, text or blocks", () => {
  assertEquals(
    textOfAttachments([
      { fallback: "f", title: "t" },
      { title: "t", text: "x" },
      { text: "x" },
      { blocks: [{ text: plain("b") }] },
      {},
      3,
    ]),
    "f\nt\nx\nb",
  );
});

Deno.test("any JSON has some readable text", () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue({ maxDepth: 8 })), (items) => {
      assertEquals(typeof (textOfBlocks(items) + textOfAttachments(items)), "string");
    }),
    fuzzed(),
  );
});

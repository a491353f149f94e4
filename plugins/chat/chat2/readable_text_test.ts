import { assertEquals, assertLess } from "@std/assert";
import { fc } from "../../../tests/support/fast_check.ts";
import { fuzzed } from "../../../tests/support/fuzz.ts";
import { textOfCard } from "./readable_text.ts";

const cards: readonly [what: string, card: unknown, text: string][] = [
  [
    "an Adaptive Card",
    {
      type: "AdaptiveCard",
      body: [
        { type: "TextBlock", text: "Title" },
        { type: "RichTextBlock", inlines: ["a ", { type: "TextRun", text: "b" }] },
        { type: "FactSet", facts: [{ title: "Who:", value: "Ada" }] },
        {
          type: "ColumnSet",
          columns: [{ items: [{ text: "left" }] }, { items: [{ text: "right" }] }],
        },
        { type: "Container", items: [{ type: "Image", url: "https://x/y", altText: "pic" }] },
        { type: "Table", rows: [{ cells: [{ items: [{ text: "cell" }] }] }] },
      ],
      actions: [{ type: "Action.OpenUrl", title: "Open" }],
    },
    "Title\na b\nWho: Ada\nleft\nright\npic\ncell\nOpen",
  ],
  [
    "a MessageCard",
    {
      title: "T",
      sections: [{
        activityTitle: "A",
        activitySubtitle: "s",
        text: "body",
        facts: [{ name: "n", value: "v" }],
      }],
    },
    "T\nA\ns\nbody\nn: v",
  ],
  ["a hero card", { title: "H", subtitle: "s", text: "t" }, "H\ns\nt"],
  ["nothing", {}, ""],
  ["what is no card", 5, ""],
];

for (const [what, card, text] of cards) {
  Deno.test(`the readable text of ${what} is its texts in order`, () => {
    assertEquals(textOfCard(card), text);
  });
}

Deno.test("a readable text stays short", () => {
  const body = Array(10_000).fill({ type: "TextBlock", text: "a".repeat(100) });
  assertLess(textOfCard({ body }).length, 4001);
});

Deno.test("any JSON has some readable text", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
      assertEquals(typeof textOfCard(value), "string");
    }),
    fuzzed(),
  );
});

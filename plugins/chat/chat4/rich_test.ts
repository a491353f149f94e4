import { assertEquals } from "@std/assert";
import { Params } from "./params.ts";
import { readRich, richText, withMedia } from "./rich.ts";

const FROM = { params: new Params(new Map(), []) };

Deno.test("paragraphs of HTML and Markdown are blocks with their source", () => {
  assertEquals(readRich({ markdown: "# A\n\nb\nc\n", is_rtl: true }, FROM), {
    blocks: [{ type: "paragraph", text: "# A" }, { type: "paragraph", text: "b\nc" }],
    is_rtl: true,
  });
});

Deno.test("items of lists get labels, and media of inner blocks are replaced", () => {
  const photo = { type: "photo", photo: { type: "photo", media: "id" } };
  const { blocks } = readRich({
    blocks: [{
      type: "list",
      items: [{ blocks: [{ type: "paragraph", text: "a" }] }, { value: 7, blocks: [photo] }],
    }],
  }, FROM);
  assertEquals(
    withMedia(blocks as readonly Record<string, unknown>[], (kind, { media }) => [kind, media]),
    [{
      type: "list",
      items: [
        { label: "•", blocks: [{ type: "paragraph", text: "a" }] },
        { value: 7, label: "7.", blocks: [{ type: "photo", photo: ["photo", "id"] }] },
      ],
    }],
  );
});

Deno.test("the text of blocks has a line for each", () => {
  const blocks = [
    { type: "heading", text: "Report", size: 1 },
    { type: "paragraph", text: ["All ", { type: "bold", text: "green" }, "."] },
    { type: "table", cells: [[{ text: "a" }, { text: "b" }]] },
  ];
  assertEquals(richText({ blocks }), "Report\nAll green.\na\nb");
});

import { assertEquals } from "@std/assert";
import { linesOf, runsOf } from "./formatted.ts";
import type { Content } from "./model.ts";

const content = (json: unknown): { contents: Content[] } => ({
  contents: [{ format: "chat1.blocks", data: "", json }],
});
const words = (json: unknown, markup: "mrkdwn" | "markdown" = "mrkdwn") =>
  linesOf(content(json), markup).map((line) =>
    line.map(({ look, text }) => look === undefined ? text : `${look}(${text})`).join("")
  );

Deno.test("mrkdwn is shown without its marks", () => {
  for (
    const [text, runs] of [
      [
        "*Deploy* of `shop` ~failed~ _again_",
        "strong(Deploy) of code(shop) strike(failed) em(again)",
      ],
      ["a*b*c 2 * 3 * 4 snake_case_name", "a*b*c 2 * 3 * 4 snake_case_name"],
      [
        "<https://a.example|the page> <https://a.example>",
        "the page (https://a.example) https://a.example",
      ],
      ["<@U1> <#C1|general> <!here> <no link>", "@U1 #general @here <no link>"],
      ["1 &lt; 2 &amp;amp; `&gt;`", "1 < 2 &amp; code(>)"],
      ["*a\nb*", "*a\nb*"],
      ["", ""],
    ] as const
  ) {
    const shown = runsOf(text, "mrkdwn")
      .map(({ look, text }) => look === undefined ? text : `${look}(${text})`).join("");
    assertEquals(shown, runs);
  }
  const long = "*x* ".repeat(10_000);
  assertEquals(runsOf(long, "mrkdwn"), [{ text: long }]);
});

Deno.test("blocks are read in order", () => {
  assertEquals(
    words([
      { type: "header", text: { type: "plain_text", text: "Live" } },
      { type: "section", text: { type: "mrkdwn", text: "*4.2* is out" }, fields: [{ text: "a" }] },
      { type: "actions", elements: [{ type: "button", text: { text: "Roll back" }, value: "x" }] },
      { type: "image", image_url: "https://a.example/x.png", alt_text: "A chart" },
    ]),
    ["strong(Live)", "strong(4.2) is out", "a", "code(Roll back)", "A chart"],
  );
});

Deno.test("cards and attachments are read in order", () => {
  assertEquals(
    words({
      body: [
        { type: "TextBlock", text: "Order", weight: "Bolder" },
        { type: "TextBlock", text: "**New** [page](https://a.example)" },
        { type: "FactSet", facts: [{ title: "Total", value: "24.90" }] },
      ],
      actions: [{ type: "Action.OpenUrl", title: "Open", url: "https://a.example" }],
    }, "markdown"),
    ["strong(Order)", "strong(New) page (https://a.example)", "strong(Total )24.90", "code(Open)"],
  );
  assertEquals(
    words([{ pretext: "Look", title: "T", text: "_x_", fields: [{ title: "a", value: "b" }] }]),
    [
      ...["Look", "strong(T)", "em(x)", "strong(a )b"],
    ],
  );
});

Deno.test("deep and large contents are truncated", () => {
  let deep: unknown = { text: "bottom" };
  for (let depth = 0; depth < 1000; depth++) deep = { elements: [deep] };
  assertEquals(words(deep), []);
  assertEquals(words(Array.from({ length: 10_000 }, () => ({ text: "x" }))).length, 1999);
  for (const odd of [null, 1, "x", [null], { type: "button" }, { title: 1, value: {} }]) {
    assertEquals(words(odd), []);
  }
});

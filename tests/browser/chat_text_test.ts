import { assertEquals } from "@std/assert";
import { fc } from "../support/fast_check.ts";
import { parseEntities, parseMarkdown, parseMrkdwn } from "../../ui/static/lib/chat_markup.js";
import { toThreads } from "../../ui/static/tabs/chat/threads.js";
import { cutAt, toConversations } from "../../ui/static/tabs/sms/conversations.js";
import { fuzzed } from "../support/fuzz.ts";

type Tokens = ReturnType<typeof parseMrkdwn>;

/** Spans in short form: `[kind text]`; plain text unchanged. */
function brief(tokens: Tokens): string {
  return tokens.map((token) => {
    if (token.kind === "text") return token.text;
    const inner = "children" in token ? brief(token.children) : token.text;
    return `[${token.kind} ${inner}${token.kind === "link" ? ` -> ${token.href}` : ""}]`;
  }).join("");
}

const mrkdwn: readonly [text: string, pieces: string][] = [
  ["plain", "plain"],
  ["*b* _i_ ~s~ `c`", "[strong b] [em i] [strike s] [code c]"],
  ["2*3*4 snake_case_name a~b~c", "2*3*4 snake_case_name a~b~c"],
  ["* b * and *", "* b * and *"],
  ["*_both_*", "[strong [em both]]"],
  ["`*not bold*`", "[code *not bold*]"],
  ["<https://e.com|label>", "[link label -> https://e.com]"],
  ["<https://e.com?a=1&amp;b=2>", "[link https://e.com?a=1&b=2 -> https://e.com?a=1&b=2]"],
  [
    "<@U1> <@U1|ada> <#C1|general> <!here>",
    "[mention @U1] [mention @ada] [mention #general] [mention @here]",
  ],
  ["<b> <not a link|x>", "<b> <not a link|x>"],
  ["1 &lt; 2 &amp;&amp; 3 &gt; 2", "1 < 2 && 3 > 2"],
  ["&amp;lt;", "&lt;"],
  ["> one\n> two\nthree", "[quote one\ntwo]three"],
  ["&gt; quoted", "[quote quoted]"],
  ["a\n```\nx *y*\n```\nb", "a\n[pre x *y*]\nb"],
  ["*a*\n*b*", "[strong a]\n[strong b]"],
];

for (const [text, pieces] of mrkdwn) {
  Deno.test(`mrkdwn ${JSON.stringify(text)} is split into its parts`, () => {
    assertEquals(brief(parseMrkdwn(text)), pieces);
  });
}

const markdown: readonly [text: string, pieces: string][] = [
  ["**b** *i* _i_ ~~s~~ `c`", "[strong b] [em i] [em i] [strike s] [code c]"],
  ["[label](https://e.com)", "[link label -> https://e.com]"],
  ["# Title\nbody", "[heading Title]body"],
  ["a * b * c and x_y_z", "a * b * c and x_y_z"],
];

for (const [text, pieces] of markdown) {
  Deno.test(`Markdown ${JSON.stringify(text)} is split into its parts`, () => {
    assertEquals(brief(parseMarkdown(text)), pieces);
  });
}

const formatted: readonly [text: string, entities: unknown[], pieces: string][] = [
  ["Reminder: 📦", [{ type: "bold", offset: 0, length: 8 }], "[strong Reminder]: 📦"],
  [
    "📦 a b c",
    [
      { type: "bold", offset: 3, length: 5 },
      { type: "italic", offset: 5, length: 1 },
      { type: "text_link", offset: 7, length: 1, url: "https://e.com" },
    ],
    "📦 [strong a [em b] [link c -> https://e.com]]",
  ],
  ["/go @ada x=1", [
    { type: "bot_command", offset: 0, length: 3 },
    { type: "mention", offset: 4, length: 4 },
    { type: "code", offset: 9, length: 3 },
  ], "[mention /go] [mention @ada] [code x=1]"],
  ["abc", [
    { type: "bold", offset: 1, length: 9 },
    { type: "bold", offset: -1, length: 2 },
    { type: "__proto__", offset: 0, length: 1 },
    null,
  ], "abc"],
];

for (const [text, entities, pieces] of formatted) {
  Deno.test(`the parts of ${JSON.stringify(text)} that Telegram names are formatted`, () => {
    assertEquals(brief(parseEntities(text, entities)), pieces);
  });
}

Deno.test("any parts leave the text as it is, however many there are", () => {
  const entity = fc.record({
    type: fc.constantFrom("bold", "italic", "code", "text_link", "mention", "blockquote", "other"),
    offset: fc.integer({ min: -2, max: 40 }),
    length: fc.integer({ min: -2, max: 40 }),
  });
  const words = (tokens: Tokens): string =>
    tokens.map((token) => "children" in token ? words(token.children) : token.text).join("");
  fc.assert(
    fc.property(fc.string({ maxLength: 40 }), fc.array(entity), (text, entities) => {
      assertEquals(words(parseEntities(text, entities)), text);
    }),
    fuzzed(300),
  );
  const many = Array.from({ length: 40_000 }, (_, i) => ({ type: "bold", offset: i, length: 1 }));
  assertEquals(parseEntities("x".repeat(40_000), many).length, 40_000);
});

Deno.test("any text is parsed quickly, and loses nothing but its marks", () => {
  const text = fc.string({ unit: fc.constantFrom(..."*_~`<>|[]()#!@ ab\n&;"), maxLength: 200 });
  fc.assert(
    fc.property(text, (text) => {
      const letters = (all: string) => all.replace(/[^ab]/g, "");
      const shown = (tokens: Tokens): string =>
        tokens.map((token) => "children" in token ? shown(token.children) : token.text).join("");
      const plain = text.replace(/<[^<>\n]*>|```\w*\n|\[[^\]]*\]\([^)]*\)/g, "");
      for (const parse of [parseMrkdwn, parseMarkdown]) {
        const left = letters(shown(parse(text)));
        // Every letter outside of links and fences is shown.
        assertEquals(left.length >= letters(plain).length, true, text);
      }
    }),
    fuzzed(300),
  );
  for (const mark of ["*", "_", "~", "`", "<", "[", "> ", "*a ", "[a](", "**a"]) {
    const start = performance.now();
    parseMrkdwn(mark.repeat(40_000 / mark.length));
    parseMarkdown(mark.repeat(40_000 / mark.length));
    assertEquals(performance.now() - start < 2000, true, mark);
  }
});

Deno.test("a stream is in order of its roots, with replies oldest first", () => {
  const view = (id: string, thread_key: string, reply: boolean) =>
    ({ id, thread_key, reply, root_id: "", message: {} }) as Parameters<
      typeof toThreads
    >[0][number];
  const threads = toThreads([
    view("6", "lost", true),
    view("5", "a", true),
    view("4", "b", false),
    view("3", "a", true),
    view("2", "b", true),
    view("1", "a", false),
  ]);
  assertEquals(
    threads.map(({ root, replies }) => [root?.id, ...replies.map(({ id }) => id)]),
    [["1", "3", "5"], ["4", "2"], [undefined, "6"]],
  );
});

Deno.test("conversations are by number pair, whichever way a message goes", () => {
  const view = (id: string, message: Record<string, string>) =>
    ({ id, message }) as unknown as Parameters<typeof toConversations>[0][number];
  const found = toConversations([
    view("3", { to: "us", from: "them", direction: "inbound" }),
    view("2", { to: "them", messaging_service: "MG", direction: "outbound" }),
    view("1", { to: "them", from: "us", direction: "outbound" }),
  ]);
  assertEquals(found.map(({ us, messages }) => [us, messages.map(({ id }) => id)]), [
    ["us", ["1", "3"]],
    ["MG", ["2"]],
  ]);
});

Deno.test("a body is cut where its segments end", () => {
  assertEquals(cutAt("abcdef", [2, 4]), ["ab", "cd", "ef"]);
  assertEquals(cutAt("", []), [""]);
});

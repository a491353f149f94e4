import { assert, assertEquals } from "@std/assert";
import { fc } from "../../../tests/support/fast_check.ts";
import { hasRemoteImages, linksOf, safeHref, splitLinks, splitUnseen } from "./text.js";

Deno.test("what cannot be seen is spelled by its number", () => {
  const parts = splitUnseen("a\u202Eb\u0000\tc\n");
  assertEquals(parts.map(({ kind, text }) => `${kind}:${text}`), [
    "text:a",
    "unseen:U+202E",
    "text:b",
    "unseen:U+0000",
    "text:\tc\n",
  ]);
});

Deno.test("no character that reorders text is left in any part", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => {
    for (const part of [...splitUnseen(text), ...splitLinks(text)]) {
      assert(!/[\u202a-\u202e\u2066-\u2069]|(?![\t\r\n])\p{Cc}/u.test(part.text));
    }
  }));
});

Deno.test("splitting loses nothing that can be seen", () => {
  fc.assert(fc.property(fc.string(), (text) => {
    assertEquals(splitLinks(text).map((part) => part.text).join(""), text);
  }));
});

/** @type {readonly (readonly [string, readonly string[]])[]} */
const LINKS = [
  ["see https://a.example/b?c=d.", ["https://a.example/b?c=d"]],
  ["(http://a.example/x)", ["http://a.example/x"]],
  ["javascript:alert(1) data:text/html,x ftp://a.example", []],
  ["http://a\u202e.example", []],
  [String.raw`{"a":"https://a.example/\"}`, ["https://a.example/"]],
  ["https://", []],
  ["xhttps://a.example", []],
];
for (const [text, expected] of LINKS) {
  Deno.test(`links in ${JSON.stringify(text)}`, () => {
    const links = splitLinks(text).filter(({ kind }) => kind === "link");
    assertEquals(links.map((link) => link.text), expected);
  });
}

/** @type {readonly (readonly [string, boolean])[]} */
const HREFS = [
  ["http://a.example/", true],
  [" HTTPS://a.example", true],
  ["mailto:a@b.example", true],
  ["javascript:alert(1)", false],
  ["JaVaScRiPt:alert(1)", false],
  ["java\nscript:alert(1)", false],
  ["data:text/html,x", false],
  ["blob:http://a.example/x", false],
  ["file:///etc/passwd", false],
  ["//a.example", false],
  ["/api/v1/events", false],
  ["", false],
];
for (const [url, isSafe] of HREFS) {
  Deno.test(`${JSON.stringify(url)} ${isSafe ? "may" : "may not"} be followed`, () => {
    assertEquals(safeHref(url) !== undefined, isSafe);
  });
}

Deno.test("the links of an HTML body are listed once each, decoded", () => {
  const source = `<a href="https://a.example/?x=1&amp;y=2">1</a><A class=b HREF='#top'>2</A>
    <a href=http://b.example>3</a><a href="https://a.example/?x=1&amp;y=2">4</a>
    <a href="&#106;avascript:alert(1)">5</a><area href="https://no.example">`;
  assertEquals(linksOf(source), [
    "https://a.example/?x=1&y=2",
    "http://b.example",
    "javascript:alert(1)",
  ]);
});

Deno.test("a body made to be slow is searched quickly", () => {
  const began = performance.now();
  linksOf("<a ".repeat(300_000));
  linksOf(`<a href="${"x".repeat(1_000_000)}`);
  linksOf("<a href=".repeat(100_000));
  hasRemoteImages("src= ".repeat(200_000));
  assert(performance.now() - began < 1500);
});

/** @type {readonly (readonly [string, boolean])[]} */
const PICTURES = [
  [`<img src="http://a.example/x.png">`, true],
  [`<img src='//a.example/x.png'>`, true],
  [`<td background=https://a.example/x>`, true],
  [`<style>a { background: url( "https://a.example/x" ) }</style>`, true],
  [`<img src="cid:logo">`, false],
  [`<img src="data:image/png;base64,AA==">`, false],
  [`<a href="https://a.example">src</a>`, false],
];
for (const [source, isRemote] of PICTURES) {
  Deno.test(`${source} ${isRemote ? "asks" : "does not ask"} for pictures elsewhere`, () => {
    assertEquals(hasRemoteImages(source), isRemote);
  });
}

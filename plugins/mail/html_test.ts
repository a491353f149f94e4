import { assertEquals } from "@std/assert";
import { assertLinear } from "../../tests/support/growth.ts";
import { fc } from "../../tests/support/fast_check.ts";
import { fuzzed } from "../../tests/support/fuzz.ts";
import { runToEnd } from "../../core/bytes/steps.ts";
import { rewriteCids } from "./html.ts";

const resolve = (cid: string) => cid === "a@b" ? "/x?inline=1&y" : undefined;

/** A body and the expected result; unchanged if only one is given. */
const CASES: readonly (readonly [string, string?])[] = [
  ['<img src="cid:a@b">', '<img src="/x?inline=1&amp;y">'],
  ["<img SRC = 'CID:a%40b' alt=\"cid:a@b\">", '<img SRC = "/x?inline=1&amp;y" alt="cid:a@b">'],
  ["<img src=cid:a@b>", '<img src="/x?inline=1&amp;y">'],
  ['<img src=" cid:a@b ">', '<img src="/x?inline=1&amp;y">'],
  ['<img src="c&#105;d&colon;a&commat;b">', '<img src="/x?inline=1&amp;y">'],
  ['<td background="cid:a@b">', '<td background="/x?inline=1&amp;y">'],
  ['<image xlink:href="cid:a@b"/>', '<image xlink:href="/x?inline=1&amp;y"/>'],
  [
    '<img srcset="cid:a@b 1x,\n cid:z 2x">',
    '<img srcset="/x?inline=1&amp;y 1x,\n cid:z 2x">',
  ],
  [
    "<p style=\"background:url('cid:a@b')\">url(cid:a@b)",
    '<p style="background:url(&quot;/x?inline=1&amp;y&quot;)">url(cid:a@b)',
  ],
  [
    '<style>p{background:URL( cid:a@b )} a<b url("cid:a@b") url(cid:z)</style>',
    '<style>p{background:url("/x?inline=1&y")} a<b url("/x?inline=1&y") url(cid:z)</style>',
  ],
  ["<style>url(cid:a@b)", '<style>url("/x?inline=1&y")'],
  ['<a href="cid:a@b">link</a>'],
  ['<img src="cid:unknown">'],
  ['<img src="cid:%zz">'],
  ['<img src="xcid:a@b"><img src><img src=><img src="">'],
  ['<!-- <img src="cid:a@b"> -->'],
  ["<script>\"<img src='cid:a@b'>\"</script>"],
  ['<textarea><img src="cid:a@b"></textarea>'],
  ['src="cid:a@b"'],
  ['<img src="cid:a@b'],
  ["&amp; no picture at all \u{1f600}\r\n<p a=b>"],
];

Deno.test("rewriteCids() replaces the addresses of pictures and nothing else", () => {
  for (const [body, expected] of CASES) {
    assertEquals(runToEnd(rewriteCids(body, resolve)), expected ?? body, body);
  }
});

Deno.test("rewriteCids() leaves any text alone when no part has the id", () => {
  const pieces = fc.constantFrom(
    ..."<>\"'=/& \n".split(""),
    "cid:a",
    "src",
    "style",
    "url(",
    ")",
    "<img ",
    "<style>",
    "</style>",
    "&#9",
    "&amp",
    "\u{1f600}",
    "\0",
    "x",
  );
  fc.assert(
    fc.property(fc.array(pieces), (parts) => {
      const body = parts.join("");
      assertEquals(runToEnd(rewriteCids(body, () => undefined)), body);
    }),
    fuzzed(1000),
  );
});

Deno.test("rewriteCids() replaces an address whatever surrounds it", () => {
  const text = fc.string({ unit: "grapheme" }).map((value) => value.replace(/[<&]/g, ""));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const body = `${before}<img src="cid:a@b">${after}`;
      assertEquals(
        runToEnd(rewriteCids(body, resolve)),
        `${before}<img src="/x?inline=1&amp;y">${after}`,
      );
    }),
    fuzzed(),
  );
});

Deno.test("rewriteCids() takes time in proportion to hostile input", () => {
  const hostile = ["<b a='cid:a@b' ", "<style>url( cid:", "<svg><style>", "<img src='cid:a@b'"];
  for (const piece of hostile) {
    assertLinear((count) => runToEnd(rewriteCids(piece.repeat(count), resolve)), 10_000);
  }
});

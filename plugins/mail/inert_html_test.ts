import { assert, assertEquals } from "@std/assert";
import { assertLinear } from "../../tests/support/growth.ts";
import { fc } from "../../tests/support/fast_check.ts";
import { Tokenizer } from "htmlparser2";
import { fuzzed } from "../../tests/support/fuzz.ts";
import { runToEnd } from "../../core/bytes/steps.ts";
import { toInertHtml } from "./inert_html.ts";

/** A body and the expected result in a frame; unchanged if only one is given. */
const CASES: readonly (readonly [string, string?])[] = [
  [`<!DOCTYPE html><p class="a" style="color:red">x</p>`],
  [
    `<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">`,
  ],
  [`<!DOCTYPE html [<!ENTITY a "b">]>x`, "]&gt;x"],
  ["a &lt; b &amp;amp; c \u{1f600} &nbsp;\r\n", "a &lt; b &amp;amp; c \u{1f600} \u00a0\r\n"],
  ["a < b <3 </ >", "a &lt; b &lt;3 "],
  [`<P CLASS=a title='"x"'>x<BR/>y`, `<p class="a" title="&quot;x&quot;">x<br/>y`],
  [`<img src=a.png alt>`, `<img src="a.png" alt="">`],
  [`<img src="cid:a@b">`],
  // Elements and attributes that load or connect without a click.
  [`a<link rel=preconnect href=//evil>b`, "ab"],
  [`<LINK REL="stylesheet preconnect" HREF=//evil><base href=//evil>`, ""],
  [`<iframe src=//evil>x</iframe>y`, "y"],
  [`<iframe srcdoc="<link rel=preconnect href=//evil>">`, ""],
  [`<frameset><frame src=//evil></frameset>`, ""],
  [`<object data=//evil>instead</object><embed src=//evil>`, "instead"],
  [`<script>document.write("<link rel=preconnect href=//evil>")</script>x`, "x"],
  [`<script type=speculationrules>{"prefetch":[{"urls":["//evil"]}]}</script>`, ""],
  [`<meta http-equiv=refresh content="0;url=//evil"><meta charset=utf-7>`, ""],
  [`<meta http-equiv=x-dns-prefetch-control content=on>`, ""],
  [`<meta name=referrer content=unsafe-url><meta name=viewport name=referrer>`, ""],
  [
    `<meta name=Viewport content="width=device-width" http-equiv=refresh>`,
    `<meta name="Viewport" content="width=device-width">`,
  ],
  [`<p onclick=x() ONMOUSEOVER=x() id=a>`, `<p id="a">`],
  [`<img src=a attributionsrc=//evil referrerpolicy=unsafe-url>`, `<img src="a">`],
  [`<form action=//evil><button formaction=//evil>x</form>`, `<form><button>x</form>`],
  [`<div><template shadowrootmode=open>x</template></div>`, `<div><template>x</template></div>`],
  [`<html manifest=//evil>`, `<html>`],
  // Links show their target.
  [
    `<a href="https://evil/?a&amp;b" ping=//evil target=_blank title=bank>x</a>`,
    `<a title="https://evil/?a&amp;b" href="#" title="bank">x</a>`,
  ],
  [
    `<a href="#top">x</a><a href=mailto:a@b>y</a>`,
    `<a href="#top">x</a><a href="mailto:a@b">y</a>`,
  ],
  [`<a href=" javascript:x()">x</a>`, `<a title="javascript:x()" href="#">x</a>`],
  [
    `<area href=//evil><mi href=//evil>`,
    `<area title="//evil" href="#"><mi title="//evil" href="#">`,
  ],
  [
    `<svg><a xlink:href=//evil></a><use href="#a"/><set attributeName=href to=//evil></svg>`,
    `<svg><a title="//evil" xlink:href="#"></a><use href="#a"/><set to="//evil"></svg>`,
  ],
  // Places where a browser could see a tag that this reader does not.
  [
    `<svg><style><b><link rel=preconnect href=//evil></style>`,
    `<svg><style>\\3c b>\\3c link rel=preconnect href=//evil></style>`,
  ],
  [`<style><!-- p{color:red} --></style>`, `<style> p{color:red} --></style>`],
  [`<style><!<!---- <link></style>`, `<style>\\3c !-- \\3c link></style>`],
  [`<style>@media (100px < width){}</style>`],
  [`<style>p{}`],
  [
    `<noscript><p title="</noscript><link rel=preconnect href=//evil>">`,
    `<noscript><p title="&lt;/noscript&gt;&lt;link rel=preconnect href=//evil&gt;">`,
  ],
  [`<title><link rel=preconnect></title>`, `<title>&lt;link rel=preconnect&gt;</title>`],
  [`<textarea><link></textarea>`, `<textarea>&lt;link&gt;</textarea>`],
  [`<xmp><link></xmp><plaintext><link>`, `<pre>&lt;link&gt;</pre>&lt;link&gt;`],
  [`<noembed><link></noembed><noframes><link></noframes>x`, `x`],
  [`<!-- <link> --><!--><b>x</b>--><!bogus <link>><?pi <link>>`, `<b>x</b>--&gt;&gt;&gt;`],
  [`<svg><![CDATA[><link rel=preconnect>]]>`, `<svg>`],
  [`<a"b c"d=e f<g=h>x`, `x`],
  [`<p <link rel=preconnect>x`, `<p rel="preconnect">x`],
  [`x<link rel=preconnect href=//evil`, "x"],
];

Deno.test("toInertHtml() keeps visible content, and nothing that contacts another machine", () => {
  for (const [body, expected] of CASES) {
    assertEquals(runToEnd(toInertHtml(body, "inert")), expected ?? body, body);
  }
});

Deno.test("toInertHtml() keeps web addresses in live links", () => {
  assertEquals(
    runToEnd(
      toInertHtml(`<a href=https://a/ target=_blank>x</a><a href="javascript:x()">y</a>`, "live"),
    ),
    `<a href="https://a/">x</a><a title="javascript:x()" href="#">y</a>`,
  );
});

const pieces = fc.constantFrom(
  ..."<>\"'=/&!-? \n".split(""),
  ...["<a ", "href", "link", "<link rel=preconnect>", "<p ", "x", "on", "<style>", "</style>"],
  ...["<svg>", "</svg>", "<title>", "</title>", "<!--", "-->", "<![CDATA[", "]]>", "<script>"],
  ...["</script>", "<iframe", "</iframe>", "&lt;", "&#60;", "&amp", "<template ", "</", "/>", "\0"],
);

Deno.test("toInertHtml() removes nothing from its own output", () => {
  fc.assert(
    fc.property(fc.array(pieces), (parts) => {
      const once = runToEnd(toInertHtml(parts.join(""), "inert"));
      assertEquals(runToEnd(toInertHtml(once, "inert")), once);
    }),
    fuzzed(2000),
  );
});

Deno.test("toInertHtml() writes < only to begin a tag", () => {
  fc.assert(
    fc.property(fc.array(pieces), (parts) => {
      const html = runToEnd(toInertHtml(parts.join(""), "inert"));
      const tags = new Set<number>();
      const ignore = () => {};
      const tokenizer = new Tokenizer({}, {
        onopentagname: (start) => tags.add(start - 1),
        onclosetag: (start) => tags.add(start - 2),
        ondeclaration: (start) => tags.add(html.lastIndexOf("<", start)),
        onattribdata: ignore,
        onattribend: ignore,
        onattribentity: ignore,
        onattribname: ignore,
        oncdata: ignore,
        oncomment: ignore,
        onend: ignore,
        onopentagend: ignore,
        onprocessinginstruction: ignore,
        onselfclosingtag: ignore,
        ontext: ignore,
        ontextentity: ignore,
      });
      tokenizer.write(html);
      tokenizer.end();
      for (let at = html.indexOf("<"); at >= 0; at = html.indexOf("<", at + 1)) {
        // In a style sheet, `<` may compare numbers.
        assert(tags.has(at) || !/^<[a-z!/?]/i.test(html.slice(at)), html);
      }
    }),
    fuzzed(2000),
  );
});

Deno.test("toInertHtml() takes time in proportion to hostile input", () => {
  for (
    const piece of ["<b a='", "<style><!--", "<svg><style>", "<a href=x ", "<!", "&#", "<p x=y "]
  ) {
    assertLinear((count) => runToEnd(toInertHtml(piece.repeat(count), "inert")), 10_000);
  }
});

Deno.test("toInertHtml() writes the same wherever the reading pauses", () => {
  const hostile =
    `a &lt; b &amp;amp; <3 <!-- <x> --><a href="http://a/?b=1&amp;c" onclick='x'>y</a>` +
    "<style>p { color: red }</style><script>if (a < b) c()</script><title>t &lt; u</title></p >z";
  const inert = runToEnd(toInertHtml(hostile, "inert"));
  for (let before = 0; before <= hostile.length; before++) {
    const text = "x".repeat(32 * 1024 - before);
    const html = runToEnd(toInertHtml(text + hostile, "inert"));
    assertEquals(html.slice(text.length), inert, `${before}`);
  }
});

import { assertEquals } from "@std/assert";
import { fc } from "../../../tests/support/fast_check.ts";
import { fuzzed } from "../../../tests/support/fuzz.ts";
import { readMediaLink } from "./media_link.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

const cases: readonly [link: string, expected: ReturnType<typeof readMediaLink>][] = [
  ["https://e.com/a.png", {
    url: "https://e.com/a.png",
    content_type: "image/png",
    filename: "a.png",
  }],
  ["HTTP://e.com/A%20b.JPG?x", {
    url: "HTTP://e.com/A%20b.JPG?x",
    content_type: "image/jpeg",
    filename: "A b.JPG",
  }],
  ["https://e.com/", { url: "https://e.com/" }],
  ["https://e.com/%zz", { url: "https://e.com/%zz" }],
  ["https://e.com/a.unknown", { url: "https://e.com/a.unknown", filename: "a.unknown" }],
  ["https://", undefined],
  ["ftp://e.com/a.png", undefined],
  ["javascript:alert(1)", undefined],
  ["a.png", undefined],
  ["data:,Hi%20there", { bytes: bytes("Hi there"), content_type: "text/plain" }],
  ["data:image/gif;base64,SGk=", { bytes: bytes("Hi"), content_type: "image/gif" }],
  ["data:;charset=utf-8,x", { bytes: bytes("x"), content_type: "text/plain;charset=utf-8" }],
  ["data:image/gif;base64,!", undefined],
  ["data:image/gif", undefined],
  ["data:,%zz", undefined],
];

for (const [link, expected] of cases) {
  Deno.test(`the media link ${link} is parsed`, () => {
    assertEquals(readMediaLink(link), expected);
  });
}

Deno.test("any text is a media link or none", () => {
  const text = fc.oneof(
    fc.string(),
    fc.webUrl({ withQueryParameters: true, withFragments: true }),
    fc.string().map((rest) => `data:${rest}`),
  );
  fc.assert(fc.property(text, (link) => void readMediaLink(link)), fuzzed(300));
});

import { assertEquals } from "@std/assert";
import { fc } from "../../tests/support/fast_check.ts";
import { fuzzed } from "../../tests/support/fuzz.ts";
import { HttpOpening, type Opening } from "./http_opening.ts";

const bytesOf = (text: string): Uint8Array => Uint8Array.from(text, (char) => char.charCodeAt(0));

/** The beginning of a stream, and what it is. */
const CASES: readonly (readonly [string, Opening])[] = [
  ["GET / HTTP/1.1\r\nHost: a\r\n", "http"],
  ["POST /a?b=%0d HTTP/1.0", "http"],
  ["PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "http"],
  ["OPTIONS http://a/b HTTP/1.1\n", "http"],
  ["X-any!method \xc3\xa9 HTTP/3", "http"],
  ["\r\n\r\nGET / HTTP/1.1\r\n", "http"],
  [`GET /${"a".repeat(100_000)} HTTP/1.1\r\n`, "http"],
  ["GET / HTTP/", "undecided"],
  ["GET /", "undecided"],
  ["EHLO", "undecided"],
  ["\r\n", "undecided"],
  ["", "undecided"],
  ["EHLO client.example\r\nHTTP/1.1", "other"],
  ["MAIL FROM:<a@b> SIZE=1", "other"],
  ["USER anonymous\r\n", "other"],
  ["USER  HTTP/1.1\r\n", "other"],
  ["GET /a b HTTP/1.1\r\n", "other"],
  ["GET / HTTP\r\n", "other"],
  ["GET / http/1.1\r\n", "other"],
  ["GET / HTTP/x", "other"],
  ["GET\t/ HTTP/1.1\r\n", "other"],
  [" GET / HTTP/1.1\r\n", "other"],
  ["SSH-2.0-OpenSSH_9.2p1 Debian-2+deb12u3\r\n", "other"],
  ["\x0bMSH|^~\\&|GET / HTTP/1.1\x1c\r", "other"],
  ["\x80\x00\x00\x28", "other"],
  ["\x16\x03\x01", "other"],
];

Deno.test("HttpOpening distinguishes an HTTP request line from anything else", () => {
  for (const [text, expected] of CASES) {
    assertEquals([text.slice(0, 50), new HttpOpening().push(bytesOf(text))], [
      text.slice(0, 50),
      expected,
    ]);
  }
});

Deno.test("HttpOpening decides the same wherever the stream is split, and returns its beginning", () => {
  const cases = fc.constantFrom(...CASES.filter(([text]) => text.length < 1000));
  fc.assert(
    fc.property(cases, fc.array(fc.nat({ max: 60 })), ([text, expected], cuts) => {
      const opening = new HttpOpening();
      const ends = [...cuts.toSorted((a, b) => a - b), text.length];
      let from = 0;
      let fed = "";
      for (const end of ends) {
        if (opening.opening !== "undecided") break;
        const piece = text.slice(from, end);
        opening.push(bytesOf(piece));
        fed += piece;
        from = Math.max(from, end);
      }
      assertEquals(opening.opening, expected);
      assertEquals(opening.begun, bytesOf(expected === "other" ? "" : fed));
    }),
    fuzzed(),
  );
});

Deno.test("HttpOpening keeps the first 64 KiB of a stream, however long its first line is", () => {
  const opening = new HttpOpening();
  opening.push(bytesOf("GET /"));
  for (let i = 0; i < 100; i++) opening.push(bytesOf("a".repeat(10_000)));
  assertEquals(opening.opening, "undecided");
  assertEquals(opening.begun.length, 65_536);
  assertEquals(opening.push(bytesOf(" HTTP/1.1\r\n")), "http");
});

import { assertEquals } from "@std/assert";
import { classify, type FirstBytes } from "./classify.ts";

const PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

const cases: readonly (readonly [text: string, kind: FirstBytes])[] = [
  ["P", "undecided"],
  ["PR", "undecided"],
  [PREFACE.slice(0, 23), "undecided"],
  [PREFACE, "http2"],
  [`${PREFACE}\0\0\0\x04`, "http2"],
  ["PRI / HTTP/1.1\r\n\r\n", "http1"],
  ["POST", "http1"],
  ["G", "http1"],
  ["\r\nGET", "http1"],
  ["\x16\x03\x01", "tls"],
  ["\x16", "tls"],
  ["\0", "http1"],
];
for (const [text, kind] of cases) {
  Deno.test(`classify() takes ${JSON.stringify(text)} for ${kind}`, () => {
    assertEquals(classify(Uint8Array.from(text, (char) => char.charCodeAt(0))), kind);
  });
}

import { assertEquals } from "@std/assert";
import { runToEnd } from "../../core/bytes/steps.ts";
import { toDocument } from "./document.ts";
import { readEntity } from "./mime.ts";

function documentOf(text: string, recovered = false) {
  const inner = readEntity(new TextEncoder().encode(text));
  return runToEnd(toDocument({ inner, recovered, layers: [], issues: [] }));
}

const formats: readonly (readonly [content: string, format: string | undefined])[] = [
  ["UNA:+.? 'UNB+UNOA:1'", "edifact"],
  ["UNB+UNOA:1'", "edifact"],
  ["UNB\u001dUNOB\u001f1\u001c", "edifact"],
  ["\r\n UNB+UNOA:1'", "edifact"],
  ["UNANIMOUS", "text"],
  ["UNBROKEN", "text"],
  ["ISA*00*", "x12"],
  ["\ufeffISA|00|", "x12"],
  ["ISAAC", "text"],
  ["ISA is the header", "text"],
  ["MSH|^~\\&|A", "hl7"],
  ["<?xml version='1.0'?><a/>", "xml"],
  ["<order/>", "xml"],
  ["< 3", "text"],
  ['{"a":1}', "json"],
  ["{not json", "text"],
  ["plain", "text"],
  ["", undefined],
  ["\0\u0001", undefined],
];

for (const [content, format] of formats) {
  Deno.test(`a document that begins with ${JSON.stringify(content)} is ${format ?? "unknown"}`, () => {
    assertEquals(documentOf(`\r\n${content}`).about.format, format);
  });
}

Deno.test("the transfer encoding of a document is decoded, that of a multipart or a closed layer is not", () => {
  const base64 = documentOf("Content-Transfer-Encoding: base64\r\n\r\nSVNBKg==\r\n");
  assertEquals(new TextDecoder().decode(base64.bytes), "ISA*");
  assertEquals([base64.about.format, base64.about.transfer_encoding], ["x12", "base64"]);
  const parts = "--b\r\n\r\nx\r\n--b--\r\n";
  const head = "Content-Type: multipart/related; boundary=b\r\nContent-Transfer-Encoding: base64";
  assertEquals(new TextDecoder().decode(documentOf(`${head}\r\n\r\n${parts}`).bytes), parts);
  const closed = documentOf("Content-Transfer-Encoding: base64\r\n\r\nSVNBKg==", true);
  assertEquals(new TextDecoder().decode(closed.bytes), "SVNBKg==");
  assertEquals([closed.about.recovered, base64.about.recovered], [true, false]);
});

Deno.test("a document is named by its disposition, else by its type, and its beginning is shown", () => {
  const both = "Content-Type: text/plain; name=type.txt\r\nContent-Disposition: inline; filename=";
  assertEquals(documentOf(`${both}a.txt\r\n\r\nx`).about.filename, "a.txt");
  assertEquals(
    documentOf("Content-Type: text/plain; name=type.txt\r\n\r\nx").about.filename,
    "type.txt",
  );
  assertEquals(documentOf(`\r\n${"y".repeat(5000)}`).about.preview, "y".repeat(1024));
});

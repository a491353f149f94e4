import { assertEquals } from "@std/assert";
import { fc } from "../../../tests/support/fast_check.ts";
import { fuzzed } from "../../../tests/support/fuzz.ts";
import { parseParameterized } from "./parameters.ts";
import { Warnings } from "./warnings.ts";

function parse(body: string): readonly [string, Record<string, string>] {
  const { value, parameters } = parseParameterized(body, new Warnings());
  return [value, Object.fromEntries(parameters)];
}

Deno.test.each([
  ["text/plain", "text/plain", {}],
  ["", "", {}],
  ["Text/HTML; Charset=UTF-8", "text/html", { charset: "UTF-8" }],
  ['multipart/mixed; boundary="a;b=c"', "multipart/mixed", { boundary: "a;b=c" }],
  ["multipart/mixed ;boundary = x ; y=z", "multipart/mixed", { boundary: "x", y: "z" }],
  ['attachment; filename="a \\"b\\".txt"', "attachment", { filename: 'a "b".txt' }],
  ['attachment; filename="C:\\temp\\a.txt"', "attachment", { filename: "C:\\temp\\a.txt" }],
  ["attachment; filename=my file (1).pdf; size=3", "attachment", {
    filename: "my file (1).pdf",
    size: "3",
  }],
  ["attachment; filename=report(1).pdf", "attachment", { filename: "report(1).pdf" }],
  ["text/plain (comment; a=b); charset=utf-8", "text/plain", { charset: "utf-8" }],
  ["text/plain; charset=us-ascii (Plain text)", "text/plain", { charset: "us-ascii" }],
  ["multipart/mixed; flag; boundary=x", "multipart/mixed", { boundary: "x" }],
  ["multipart/mixed; boundary=x; boundary=y", "multipart/mixed", { boundary: "x" }],
  ['multipart/mixed; boundary="x" junk; a=b', "multipart/mixed", { boundary: "x", a: "b" }],
  ['multipart/mixed; boundary="never closed', "multipart/mixed", { boundary: "never closed" }],
  ["text/plain; = ; =x; a=b", "text/plain", { a: "b" }],
  ["text/plain; (never closed; charset=utf-8", "text/plain", { charset: "utf-8" }],
])("%j is read", (body, value, parameters) => {
  assertEquals(parse(body), [value, parameters]);
});

Deno.test.each([
  ["one extended value", "a; filename*=UTF-8''gr%C3%BC%C3%9Fe.txt", "grüße.txt"],
  ["a language", "a; filename*=iso-8859-1'de'gr%FC%DFe.txt", "grüße.txt"],
  ["plain sections", 'a; filename*0="long "; filename*1="name.txt"', "long name.txt"],
  [
    "extended sections with plain ones",
    "a; filename*0*=utf-8''%E2%98; filename*1*=%BA; filename*2=%20.txt",
    "☺%20.txt",
  ],
  ["sections in any order", "a; filename*1=b; filename*0=a; filename*2=c", "abc"],
  ["the extended form beside a plain one", "a; filename=\"x\"; filename*=utf-8''y", "y"],
  ["a plain form after the extended one", "a; filename*=utf-8''y; filename=x", "y"],
  ["a section that is missing", "a; filename*0=a; filename*2=c", "a"],
  ["bad percent signs", "a; filename*=utf-8''50%25%zz%4", "50%%zz%4"],
  ["no character set", "a; filename*=gr%C3%BC", "grü"],
])("RFC 2231: %s", (_name, body, filename) => {
  assertEquals(parse(body)[1].filename, filename);
});

Deno.test("a parameter in an unknown character set keeps each octet, with a warning", () => {
  const warnings = new Warnings();
  const { parameters } = parseParameterized("a; filename*=x-none''%FC", warnings);
  assertEquals(parameters.get("filename"), "ü");
  assertEquals(warnings.list.length, 1);
});

Deno.test("any text is parsed, and quoted values survive", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(..."a;=\"\\()*0'% ,\t") }), (text) => {
      parse(text);
      const quoted = text.replace(/["\\]/g, "\\$&");
      assertEquals(parse(`a; filename="${quoted}"; b=c`)[1], { filename: text, b: "c" });
    }),
    fuzzed(300),
  );
});

Deno.test("a false first section is ignored, and the number of parameters is limited", () => {
  assertEquals(parse("a/b; n*00=x; n*0x=y; m*0*=utf-8''a; m*1=b"), ["a/b", { m: "ab" }]);
  const warnings = new Warnings();
  const many = Array.from({ length: 6000 }, (_, at) => `p${at}=x`).join("; ");
  assertEquals(parseParameterized(`a/b; ${many}`, warnings).parameters.size, 5000);
  assertEquals(warnings.list, ["More than 5000 parameters in a field: the rest were left out"]);
});

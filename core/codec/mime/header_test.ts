import { assert, assertEquals } from "@std/assert";
import { fc } from "../../../tests/support/fast_check.ts";
import { fuzzed } from "../../../tests/support/fuzz.ts";
import { decodeFieldText, fieldValue, fieldValues, readHeaderBlock } from "./header.ts";
import { Warnings } from "./warnings.ts";

function toBytes(text: string): Uint8Array {
  return Uint8Array.from(text, (char) => char.charCodeAt(0));
}

function read(text: string) {
  const warnings = new Warnings();
  const bytes = toBytes(text);
  const block = readHeaderBlock(bytes, warnings);
  return {
    fields: block.fields.map(({ name, value }) => [name, value]),
    body: text.slice(block.bodyStart),
    block,
    warnings: warnings.list,
  };
}

Deno.test("a block gives its fields in order, as spelled, duplicates included", () => {
  const { fields, body, warnings } = read("X-b: 1\r\nx-A:2\r\nX-B:  3 \r\n\r\nbody\r\n");
  assertEquals(fields, [["X-b", "1"], ["x-A", "2"], ["X-B", "3"]]);
  assertEquals(body, "body\r\n");
  assertEquals(warnings, []);
});

Deno.test("folded values are joined, and the white space of the fold is kept", () => {
  const { fields } = read("Subject: one\r\n two\r\n\tthree\r\nTo: a\r\n\r\n");
  assertEquals(fields, [["Subject", "one two\tthree"], ["To", "a"]]);
});

Deno.test("bare LF ends lines, and a bare CR does not", () => {
  const { fields, body } = read("A: 1\nB: 2\rC: 3\n\nbody");
  assertEquals(fields, [["A", "1"], ["B", "2 C: 3"]]);
  assertEquals(body, "body");
});

Deno.test.each([
  ["nothing", "", [], ""],
  ["an empty line first", "\r\nbody", [], "body"],
  ["only fields", "A: 1\r\n", [["A", "1"]], ""],
  ["a field without line end", "A: 1", [["A", "1"]], ""],
  ["an empty value", "A:\r\n\r\n", [["A", ""]], ""],
  ["blanks before the colon", "A : 1\r\n\r\n", [["A", "1"]], ""],
  ["a colon in the value", "A: b:c\r\n\r\n", [["A", "b:c"]], ""],
  ["a blank line of white space that folds", "A: 1\r\n \r\n\r\nb", [["A", "1"]], "b"],
])("a block may hold %s", (_name, text, fields, body) => {
  const found = read(text);
  assertEquals([found.fields, found.body, found.warnings], [fields, body, []]);
});

Deno.test("the first line that is not a field begins the body", () => {
  const { fields, body, warnings } = read("A: 1\r\nHello there\r\nB: 2\r\n\r\n");
  assertEquals(fields, [["A", "1"]]);
  assertEquals(body, "Hello there\r\nB: 2\r\n\r\n");
  assertEquals(warnings, ["No empty line between header and body"]);
});

Deno.test("an mbox separator before the fields is skipped", () => {
  assertEquals(read("From a@b Sat Jan  1\nA: 1\n\nbody").fields, [["A", "1"]]);
});

Deno.test("fields in UTF-8 are decoded, and others keep every octet", () => {
  assertEquals(read("Subject: gr\xc3\xbc\xc3\x9fe\r\n\r\n").fields, [["Subject", "grüße"]]);
  const { fields, warnings } = read("A: gr\xc3\xbc\r\nSubject: gr\xfc\xdfe\r\n\r\n");
  assertEquals(fields, [["A", "grü"], ["Subject", "grüße"]]);
  assertEquals(warnings.length, 1);
});

Deno.test("the bytes of the block are those sent, without the empty line", () => {
  const { block } = read("A: 1\r\n b\r\n\r\nbody");
  assertEquals(new TextDecoder().decode(block.bytes), "A: 1\r\n b\r\n");
});

Deno.test("fields are found regardless of case", () => {
  const { block } = read("X-One: 1\r\nx-one: 2\r\nX-OnE-2: 3\r\n\r\n");
  assertEquals(fieldValues(block, "X-ONE"), ["1", "2"]);
  assertEquals(fieldValue(block, "missing"), undefined);
});

Deno.test("a header beyond the limits is truncated, with a warning", () => {
  const many = read("A: 1\r\n".repeat(6000) + "\r\nbody");
  assertEquals([many.fields.length, many.body], [5000, "body"]);
  assertEquals(many.warnings.length, 1);
  const large = read("A: 1\r\n" + `B: ${"x".repeat(1024 * 1024)}\r\n\r\nbody`);
  assertEquals(large.fields, [["A", "1"]]);
  assertEquals(large.warnings.length, 1);
});

Deno.test.each([
  ["=?utf-8?Q?gr=C3=BC=C3=9Fe?=", "grüße"],
  ["=?UTF-8?B?Z3LDvMOfZQ==?= you", "grüße you"],
  ["=?iso-8859-1?q?gr=FC=DFe?=", "grüße"],
  ["=?utf-8?b?4pi6?= =?utf-8?b?4pi7?=", "☺☻"],
  ["=?iso-2022-jp?B?GyRCRnxLXBsoQg==?=", "日本"],
  ["=?utf-8*de?q?=C3=BC?=", "ü"],
  ["not =? encoded", "not =? encoded"],
])("encoded words of %j are decoded", (value, text) => {
  const warnings = new Warnings();
  assertEquals(decodeFieldText(value, warnings), text);
  assertEquals(warnings.list, []);
});

Deno.test("an encoded word in an unknown character set keeps each octet, with a warning", () => {
  const warnings = new Warnings();
  assertEquals(decodeFieldText("=?x-unheard-of?q?a=FCb?=", warnings), "aüb");
  assertEquals(warnings.list.length, 1);
});

Deno.test("any octets parse as a header block and a body", () => {
  const text = fc.array(
    fc.constantFrom("A", ":", " ", "\r\n", "\n", "\r", "\t", "\0", "\xfc", "=?"),
    {
      maxLength: 40,
    },
  ).map((parts) => parts.join(""));
  fc.assert(
    fc.property(text, (text) => {
      const { block, body } = read(text);
      assert(block.bytes.length <= block.bodyStart && block.bodyStart <= text.length);
      assertEquals(body.length, text.length - block.bodyStart);
    }),
    fuzzed(300),
  );
});

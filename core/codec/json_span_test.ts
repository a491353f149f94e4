import { assert, assertEquals, assertThrows } from "@std/assert";
import { fc } from "../../tests/support/fast_check.ts";
import { fuzzed } from "../../tests/support/fuzz.ts";
import { WireError } from "../bytes/decoder.ts";
import { elementSpans, type JsonSpan, memberSpans, scanJson, sliceJson } from "./json_span.ts";

const accepted = (text: string): boolean => {
  try {
    scanJson(text);
    return true;
  } catch (error) {
    assert(error instanceof WireError, `${error}`);
    return false;
  }
};

const parses = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

const texts: readonly string[] = [
  ...[
    "",
    " ",
    "{",
    "}",
    "[",
    "]",
    "[1",
    "[1,",
    "[1,]",
    "[,1]",
    "{,}",
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
  ],
  ...[
    '{"a":1 "b":2}',
    "{a:1}",
    "[1 2]",
    "1 2",
    "[]]",
    "[}",
    "{]",
    "[[]",
    '"',
    '"\\"',
    '"\\x"',
    '"\\u12"',
  ],
  ...[
    "01",
    "-",
    "-01",
    "1.",
    ".5",
    "1e",
    "1e+",
    "+1",
    "NaN",
    "tru",
    "truex",
    "nul",
    "'a'",
    '"\t"',
    '"\u0000"',
  ],
  ...["\u00a01", "\ufeff1", "//", "[1]//", "undefined", "Infinity", "0x10", "1_0"],
  ...[
    "0",
    "-0",
    "1.50",
    "1E5",
    "-1.5e-10",
    "true",
    "false",
    "null",
    '""',
    '"\\u00e9\\n\\/"',
    '"é\u2028"',
  ],
  ...["[]", "{}", "[[],{},[{}]]", " \r\n\t[ 1 , 2 ] \n", '{ "a" : { "b" : [ ] } }', '{"":{"":1}}'],
];

for (const text of texts) {
  Deno.test(`the scanner agrees with the parser on ${JSON.stringify(text)}`, () => {
    assertEquals(accepted(text), parses(text));
  });
}

Deno.test("a slice is the text as sent", () => {
  const text = ' { "a" : [ 1.50, 12345678901234567890 , "\\u00e9" ] , "b":{"k":1,"k" : 2} } ';
  const root = scanJson(text);
  const members = memberSpans(text, root);
  assertEquals(Array.from(members, ([name]) => name), ["a", "b"]);
  assertEquals(sliceJson(text, members.get("a")!), '[ 1.50, 12345678901234567890 , "\\u00e9" ]');
  assertEquals(sliceJson(text, members.get("b")!), '{"k":1,"k" : 2}');
  assertEquals(
    elementSpans(text, members.get("a")!).map((span) => sliceJson(text, span)),
    ["1.50", "12345678901234567890", '"\\u00e9"'],
  );
  assertEquals(sliceJson(text, memberSpans(text, members.get("b")!).get("k")!), "2");
});

Deno.test("a value of another type has neither members nor elements", () => {
  for (const text of ["[1]", '"a"', "1", "null"]) {
    assertEquals(memberSpans(text, scanJson(text)).size, 0);
  }
  for (const text of ["{}", '"[1]"', "1", "null"]) {
    assertEquals(elementSpans(text, scanJson(text)), []);
  }
});

Deno.test("nesting is bounded", () => {
  assert(accepted("[".repeat(256) + "]".repeat(256)));
  const error = assertThrows(() => scanJson("[".repeat(257) + "]".repeat(257)), WireError);
  assertEquals(error.code, "limit");
  assertThrows(() => scanJson('{"a":'.repeat(1_000_000)), WireError, "deeper");
});

Deno.test("every part of any JSON text parses to the same part of its value", () => {
  const spacing = fc.constantFrom(undefined, 1, "\t", "\r\n ");
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), spacing, (value, space) => {
      const text = ` ${JSON.stringify(value, null, space)}\n`;
      compare(text, scanJson(text), JSON.parse(text));
    }),
    fuzzed(300),
  );
});

Deno.test("any change to a JSON text is judged as the parser judges it", () => {
  const change = fc.constantFrom(...'{}[]",:\\ 0-+.eEtfn\u0001\n/u');
  fc.assert(
    fc.property(
      fc.json({ maxDepth: 4 }),
      fc.nat(),
      change,
      fc.boolean(),
      (json, place, by, drop) => {
        const at = place % (json.length + 1);
        const text = json.slice(0, at) + by + json.slice(drop ? at + 1 : at);
        assertEquals(accepted(text), parses(text), text);
      },
    ),
    fuzzed(500),
  );
});

Deno.test("any text is judged as the parser judges it", () => {
  const text = fc.string({ unit: fc.constantFrom(...'{}[]",: 01.eatrufls\\n-\n'), maxLength: 12 });
  fc.assert(
    fc.property(text, (text) => assertEquals(accepted(text), parses(text), text)),
    fuzzed(1000),
  );
});

function compare(text: string, span: JsonSpan, value: unknown): void {
  assertEquals(JSON.parse(sliceJson(text, span)), value);
  if (Array.isArray(value)) {
    const elements = elementSpans(text, span);
    assertEquals(elements.length, value.length);
    for (const [i, element] of elements.entries()) compare(text, element, value[i]);
  } else if (typeof value === "object" && value !== null) {
    const members = memberSpans(text, span);
    assertEquals(Array.from(members, ([name]) => name).sort(), Object.keys(value).sort());
    for (const [name, member] of members) {
      compare(text, member, (value as Record<string, unknown>)[name]);
    }
  }
}

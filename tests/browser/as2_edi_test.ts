/** EDI documents as the AS2 tab parses them. */
import { assert, assertEquals } from "@std/assert";
import { fc } from "../support/fast_check.ts";
import { parseEdi } from "../../ui/static/tabs/as2/edi.js";
import { elementName, placeName, segmentName } from "../../ui/static/tabs/as2/edi_names.js";
import { fuzzed } from "../support/fuzz.ts";

const ISA =
  "ISA*00*          *00*          *ZZ*ACME           *ZZ*STANDIN        *240101*1200*^*00501*000000905*0*T*:~";
const X12 = `${ISA}\r\nGS*PO*A*B*20240101*1200*1*X*005010~\r\nST*850*0001~\r\n` +
  "PO1*1*2*EA***CB^VN*A:B:^C~\r\nSE*3*0001~\r\nGE*1*1~\r\nIEA*1*000000905~\r\n";
const EDIFACT = "UNA:+.? 'UNB+UNOC:3+A:14+B+240101:1200+9'UNH+1+ORDERS:D:01B:UN'" +
  "FTX+AAI+++What??: it?'s 5 ?+ 5'UNT+3+1'UNZ+1+9'";

/**
 * A document in short form: `tag depth element|element`, components with `/`, repetitions with `&`.
 */
function brief(text: string): string[] {
  return parseEdi(text)!.segments.map(({ tag, depth, elements }) =>
    [
      tag,
      depth,
      elements.map(({ repetitions }) => repetitions.map((one) => one.join("/")).join("&"))
        .join("|"),
    ].join(" ")
  );
}

Deno.test("X12 is split by its own separators, and nested by envelope", () => {
  const document = parseEdi(X12)!;
  assertEquals(document.separators, {
    element: "*",
    component: ":",
    segment: "~",
    repetition: "^",
  });
  assertEquals([document.standard, document.complete], ["x12", true]);
  assertEquals(brief(X12).slice(1), [
    "GS 1 PO|A|B|20240101|1200|1|X|005010",
    "ST 2 850|0001",
    "PO1 3 1|2|EA|||CB&VN|A/B/&C",
    "SE 2 3|0001",
    "GE 1 1|1",
    "IEA 0 1|000000905",
  ]);
  // The header declares the separators, so they do not separate inside it.
  const isa = document.segments[0]!;
  assertEquals([isa.tag, isa.depth, isa.elements.length], ["ISA", 0, 16]);
  assertEquals([isa.elements[10]?.text, isa.elements[15]?.text], ["^", ":"]);
});

Deno.test("EDIFACT is split by its service string advice, and escaped characters are content", () => {
  const document = parseEdi(EDIFACT)!;
  assertEquals(document.separators, { element: "+", component: ":", segment: "'", release: "?" });
  assertEquals(brief(EDIFACT), [
    "UNA 0 ",
    "UNB 0 UNOC/3|A/14|B|240101/1200|9",
    "UNH 1 1|ORDERS/D/01B/UN",
    "FTX 2 AAI|||What?/ it's 5 + 5",
    "UNT 1 3|1",
    "UNZ 0 1|9",
  ]);
});

const separators: readonly (readonly [name: string, text: string, segments: string[]])[] = [
  ["a header of another length", "ISA|1|2|3|4|5|6|7|8|9|10|11|12|13|14|15|>\nST|850|1\n", [
    "ISA 0 1|2|3|4|5|6|7|8|9|10|11|12|13|14|15|>",
    "ST 1 850|1",
  ]],
  ["other characters in UNA", "UNA;!,\\@#UNB!UNOA;1!A@B\\@!C#", [
    "UNA 0 ",
    "UNB 0 UNOA/1|A&B@|C",
  ]],
  ["no UNA", "UNB+UNOA:1+A+B'", ["UNB 0 UNOA/1|A|B"]],
  ["version 4 without UNA", "UNB+UNOC:4+A*B+C'", ["UNB 0 UNOC/4|A&B|C"]],
  ["UNA without a release character", "UNA:+.  'UNB+UNOA:1+A?'", ["UNA 0 ", "UNB 0 UNOA/1|A?"]],
  ["syntax level B", "UNB\x1dUNOB\x1f1\x1dA'B\x1cUNZ\x1d1\x1c", [
    "UNB 0 UNOB/1|A'B",
    "UNZ 0 1",
  ]],
  ["a byte order mark and blank lines before it", "\ufeff\r\n UNB+UNOA:1'\r\n\r\nUNZ+1'", [
    "UNB 0 UNOA/1",
    "UNZ 0 1",
  ]],
  ["messages that never end", "UNB+UNOA:1'UNH+1'BGM+1'UNH+2'BGM+2'UNZ+1'", [
    "UNB 0 UNOA/1",
    "UNH 1 1",
    "BGM 2 1",
    "UNH 1 2",
    "BGM 2 2",
    "UNZ 0 1",
  ]],
];

for (const [name, text, segments] of separators) {
  Deno.test(`an EDI document with ${name} is parsed`, () => {
    assertEquals(brief(text), segments);
  });
}

Deno.test("other text is not parsed as EDI, and a truncated document is marked", () => {
  for (const text of ["", "ISA", "ISA*1*2~", "ISAAC NEWTON", "UNA:+.", "hello", "UNBOUND"]) {
    assertEquals(parseEdi(text), undefined, text);
  }
  const cut = parseEdi(X12.slice(0, 130))!;
  assertEquals(cut.segments.map(({ ended }) => ended), [true, false]);
  const many = parseEdi(`${ISA}${"N9*1~".repeat(30_000)}`)!;
  assertEquals([many.segments.length, many.complete], [20_000, false]);
});

Deno.test("segments and elements have their standard names", () => {
  assertEquals(segmentName("x12", "N1"), "Party");
  assertEquals(segmentName("edifact", "NAD"), "Name and address");
  assertEquals(segmentName("edifact", "constructor"), "");
  assertEquals(elementName("x12", "BEG", 3), "Order number");
  assertEquals(elementName("x12", "N1", 99), "");
  assertEquals(placeName("x12", "PO1", { position: 7, repetition: 2, component: 1 }), "PO107[2]-1");
  assertEquals(placeName("edifact", "NAD", { position: 2, component: 1 }), "NAD+2.1");
});

Deno.test("segments follow each other in the text, whatever it holds", () => {
  const start = fc.constantFrom("UNA", "UNB+", "UNB\x1d", ISA, X12, EDIFACT);
  const rest = fc.string({
    unit: fc.constantFrom(...":+.? '*~^\r\nABISAUNZ\u{1f600}\ufeff".split("")),
  });
  fc.assert(
    fc.property(start, rest, (start, rest) => {
      const text = start + rest;
      const document = parseEdi(text);
      let end = 0;
      for (const { from, to, depth } of document?.segments ?? []) {
        assert(from >= end && to > from && to <= text.length && depth >= 0 && depth <= 6);
        end = to;
      }
    }),
    fuzzed(300),
  );
});

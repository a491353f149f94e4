import { assertEquals, assertLess } from "@std/assert";
import { fc } from "../../../tests/support/fast_check.ts";
import { fuzzed } from "../../../tests/support/fuzz.ts";
import { decodeText } from "./charset.ts";
import { unescapeText } from "./escape.ts";
import { parsePath, valuesAt } from "./path.ts";
import { MAX_PARTS, parseSegments, segmentTexts } from "./segment.ts";
import { DEFAULT_SEPARATORS, readSeparators } from "./separators.ts";

const NONE = { component: "", repetition: "", escape: "", subcomponent: "" };

Deno.test.each([
  { line: "MSH|^~\\&|A", separators: DEFAULT_SEPARATORS, faults: [] },
  { line: "MSH|^~\\&", separators: DEFAULT_SEPARATORS, faults: [] },
  { line: "MSH|^~\\&#|A", separators: DEFAULT_SEPARATORS, faults: [] },
  {
    line: "BHS#@*!%#A",
    separators: { field: "#", component: "@", repetition: "*", escape: "!", subcomponent: "%" },
    faults: [],
  },
  {
    line: "MSH|^~|A",
    separators: { ...NONE, field: "|", component: "^", repetition: "~" },
    faults: [],
  },
  { line: "MSH||A", separators: { ...NONE, field: "|" }, faults: ["no-encoding-characters"] },
  { line: "MSH|LAB|A", separators: { ...NONE, field: "|" }, faults: ["no-encoding-characters"] },
  {
    line: "MSH|^^\\^|A",
    separators: { ...DEFAULT_SEPARATORS, repetition: "", subcomponent: "" },
    faults: ["duplicate-separator", "duplicate-separator"],
  },
  { line: "MSH|^|\\&|A", separators: { ...NONE, field: "|", component: "^" }, faults: [] },
])("the separators of $line are read", ({ line, separators, faults }) => {
  const read = readSeparators(line);
  assertEquals(read?.separators, separators);
  assertEquals(read?.faults.map(({ code }) => `${code}`), [...faults]);
});

Deno.test.each([{ line: "MSH" }, { line: "MSH A" }, { line: "MSHA|B" }, { line: "MSH\u00a7^" }])(
  "$line declares nothing that could separate",
  ({ line }) => assertEquals(readSeparators(line), undefined),
);

Deno.test.each([
  { text: "plain", plain: "plain" },
  { text: "a\\F\\b\\S\\c\\T\\d\\R\\e\\E\\f", plain: "a|b^c&d~e\\f" },
  { text: "one\\.br\\two", plain: "one\ntwo" },
  { text: "\\X0D0A\\", plain: "\r\n" },
  { text: "\\XC3BC\\", plain: "ü" },
  { text: "\\XFC\\", plain: "ü" },
  { text: "\\X0\\ \\Xzz\\ \\X\\", plain: "\\X0\\ \\Xzz\\ \\X\\" },
  { text: "\\H\\bold\\N\\", plain: "\\H\\bold\\N\\" },
  { text: "C:\\temp", plain: "C:\\temp" },
  { text: "a\\zz\\F\\b", plain: "a\\zz|b" },
  { text: "\\", plain: "\\" },
])("$text means what the standard says", ({ text, plain }) => {
  assertEquals(unescapeText(text, DEFAULT_SEPARATORS), plain);
});

Deno.test("escapes use the message's own separators, and mean nothing without an escape character", () => {
  const own = { field: "#", component: "@", repetition: "*", escape: "!", subcomponent: "%" };
  assertEquals(unescapeText("!F!S!S!", own), "#S@");
  assertEquals(unescapeText("\\F\\", { ...own, escape: "" }), "\\F\\");
});

Deno.test("a segment is parsed down to subcomponents", () => {
  const [msh, pid, nte] = parseSegments(
    "MSH|^~\\&|A|B\rPID|1||4711^^^H&1.2&ISO~0815||Doe^J\\S\\r||\r\nNTE\n",
    DEFAULT_SEPARATORS,
  );
  assertEquals(msh, {
    id: "MSH",
    index: 1,
    occurrence: 1,
    fields: [
      { position: 1, value: "|" },
      { position: 2, value: "^~\\&" },
      { position: 3, value: "A", repetitions: [{ value: "A", components: [{ value: "A" }] }] },
      { position: 4, value: "B", repetitions: [{ value: "B", components: [{ value: "B" }] }] },
    ],
  });
  assertEquals(pid?.fields.map(({ position, value }) => [position, value]), [
    [1, "1"],
    [2, ""],
    [3, "4711^^^H&1.2&ISO~0815"],
    [4, ""],
    [5, "Doe^J\\S\\r"],
    [6, ""],
    [7, ""],
  ]);
  assertEquals(pid?.fields[1], { position: 2, value: "" });
  assertEquals(pid?.fields[2]?.repetitions, [
    {
      value: "4711^^^H&1.2&ISO",
      components: [
        { value: "4711" },
        { value: "" },
        { value: "" },
        { value: "H&1.2&ISO", subcomponents: ["H", "1.2", "ISO"] },
      ],
    },
    { value: "0815", components: [{ value: "0815" }] },
  ]);
  assertEquals(pid?.fields[4]?.repetitions?.[0]?.components[1]?.value, "J^r");
  assertEquals(nte, { id: "NTE", index: 3, occurrence: 1, fields: [] });
});

Deno.test("equal segments are counted", () => {
  const segments = parseSegments("OBX|1\rNTE|1\rOBX|2", DEFAULT_SEPARATORS);
  assertEquals(segments.map(({ id, index, occurrence }) => [id, index, occurrence]), [
    ["OBX", 1, 1],
    ["NTE", 2, 1],
    ["OBX", 3, 2],
  ]);
});

Deno.test("segments of one name keep their numbers among those of the same name", () => {
  const text = "MSH|^~\\&|A\rOBX|1\rNTE|x\robx|3\rOBX|2\rOBXX|4\rOBX";
  const all = parseSegments(text, DEFAULT_SEPARATORS);
  for (const name of ["MSH", "OBX", "NTE", "PID"]) {
    const named = [...segmentTexts(text, DEFAULT_SEPARATORS, name)];
    assertEquals(
      named.filter(({ id }) => id === name).map(({ occurrence }) => occurrence),
      all.filter(({ id }) => id === name).map(({ occurrence }) => occurrence),
    );
  }
  const ids = segmentTexts(text, DEFAULT_SEPARATORS, "obx").map(({ id }) => id);
  assertEquals([...ids], ["OBX", "obx", "OBX", "OBX"]);
});

Deno.test("a message of nothing but separators is parsed up to a limit", () => {
  for (const character of ["|", "~", "^", "&", "\r"]) {
    const segments = parseSegments(
      `PID|x${character.repeat(3_000_000)}y\rPID|z`,
      DEFAULT_SEPARATORS,
    );
    assertLess(JSON.stringify(segments).length, 100 * MAX_PARTS);
  }
});

Deno.test("any text is parsed without an error, and its fields give the text back", () => {
  const line = fc.string({ unit: fc.constantFrom(..."|^~\\&#AZ\r\n é"), maxLength: 60 });
  fc.assert(
    fc.property(line, (text) => {
      const lines = text.split(/[\r\n]+/).filter((part) => part !== "");
      const back = parseSegments(text, DEFAULT_SEPARATORS)
        .map(({ id, fields }) => [id, ...fields.map(({ value }) => value)].join("|"));
      assertEquals(back, lines);
    }),
    fuzzed(500),
  );
});

Deno.test.each([
  { path: "PID-3", found: ["PID[1]-3=4711^^^H~0815"] },
  { path: "pid-3.1", found: ["PID[1]-3[1].1=4711", "PID[1]-3[2].1=0815"] },
  { path: "PID-3[2]", found: ["PID[1]-3[2]=0815"] },
  { path: "PID-3[2].1", found: ["PID[1]-3[2].1=0815"] },
  { path: "PID-3[3].1", found: [] },
  { path: "PID-3[1].2", found: [] },
  { path: "OBX-5", found: ["OBX[1]-5=A\\F\\B", "OBX[2]-5=C&D"] },
  { path: "OBX[2]-5", found: ["OBX[2]-5=C&D"] },
  { path: "OBX-5.1", found: ["OBX[1]-5[1].1=A|B", "OBX[2]-5[1].1=C&D"] },
  { path: "OBX[2]-5.1.2", found: ["OBX[2]-5[1].1.2=D"] },
  { path: "OBX[1]-5.1.1", found: ["OBX[1]-5[1].1.1=A|B"] },
  { path: "OBX[1]-5.1.2", found: [] },
  { path: "ZZZ-1", found: [] },
  { path: "PID-99", found: [] },
])("$path finds what stands there", ({ path, found }) => {
  const text = "PID|1||4711^^^H~0815\rOBX|1||||A\\F\\B\rOBX|2||||C&D";
  assertEquals(valuesIn(text, path), [...found]);
});

function valuesIn(text: string, place: string): string[] {
  const path = parsePath(place)!;
  const segments = segmentTexts(text, DEFAULT_SEPARATORS, path.segment);
  return [...valuesAt(segments, path, DEFAULT_SEPARATORS)]
    .map(({ path, value }) => `${path}=${value}`);
}

Deno.test("values at a place are those of the parsed segments", () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.stringMatching(/^(?:MSH\|\^~\\&|PID)(?:\|[ab^~&\\F]{0,12}){0,4}$/),
        { minLength: 1, maxLength: 4 },
      ),
      fc.constantFrom("MSH", "PID"),
      fc.nat(4),
      fc.constantFrom("", ".1", ".2", ".1.1", ".2.2"),
      (lines, id, field, below) => {
        const text = lines.join("\r");
        const [component, part] = below.split(".").slice(1).map(Number);
        const expected = parseSegments(text, DEFAULT_SEPARATORS).flatMap((segment) => {
          const found = segment.fields[field];
          if (segment.id !== id || found === undefined) return [];
          const place = `${id}[${segment.occurrence}]-${field + 1}`;
          if (component === undefined) return [`${place}=${found.value}`];
          return (found.repetitions ?? []).map(({ components }, at) => {
            const { value, subcomponents } = components[component - 1] ?? { value: "" };
            const chosen = part === undefined ? value : (subcomponents ?? [value])[part - 1];
            return `${place}[${at + 1}]${below}=${chosen ?? ""}`;
          });
        });
        assertEquals(
          valuesIn(text, `${id}-${field + 1}${below}`),
          expected.filter((text) => !text.endsWith("=")),
        );
      },
    ),
    fuzzed(500),
  );
});

Deno.test.each([
  { path: "" },
  { path: "PID" },
  { path: "PID-" },
  { path: "PID-0" },
  { path: "PID[0]-1" },
  { path: "PIDX-1" },
  { path: "PID-1.0" },
  { path: "PID-1.1.1.1" },
  { path: "PID-3[]" },
  { path: "1ID-3" },
])('"$path" is no place', ({ path }) => assertEquals(parsePath(path), undefined));

Deno.test.each([
  { declared: "", bytes: [0x41], text: "A", encoding: "ascii", problem: false },
  { declared: "", bytes: [0xc3, 0xbc], text: "ü", encoding: "utf-8", problem: false },
  { declared: "", bytes: [0xfc], text: "ü", encoding: "latin-1", problem: false },
  { declared: "ASCII", bytes: [0xfc], text: "ü", encoding: "latin-1", problem: true },
  { declared: "UNICODE UTF-8", bytes: [0xc3, 0xbc], text: "ü", encoding: "utf-8", problem: false },
  { declared: "unicode utf-8", bytes: [0xfc], text: "ü", encoding: "latin-1", problem: true },
  { declared: "8859/1", bytes: [0xfc], text: "ü", encoding: "iso-8859-1", problem: false },
  { declared: "8859/2", bytes: [0xb1], text: "ą", encoding: "iso-8859-2", problem: false },
  { declared: "8859/15", bytes: [0xa4], text: "€", encoding: "iso-8859-15", problem: false },
  { declared: "8859/12", bytes: [0xfc], text: "ü", encoding: "latin-1", problem: true },
  {
    declared: "GB 18030-2000",
    bytes: [0xc4, 0xe3],
    text: "你",
    encoding: "gb18030",
    problem: false,
  },
  { declared: "EBCDIC", bytes: [0x41], text: "A", encoding: "latin-1", problem: true },
])("bytes $bytes declared as '$declared' read as $text", ({ declared, bytes, ...expected }) => {
  const { text, encoding, problem } = decodeText(Uint8Array.from(bytes), declared);
  assertEquals({ text, encoding, problem: problem !== undefined }, expected);
});

Deno.test("escape sequences are decoded up to a limit, and the rest stays as it is", () => {
  const [obx] = parseSegments(`OBX|1||${"\\X41\\".repeat(200_001)}`, DEFAULT_SEPARATORS);
  const value = obx!.fields[2]!.repetitions![0]!.components[0]!.value;
  assertEquals(value, `${"A".repeat(200_000)}\\X41\\`);
});

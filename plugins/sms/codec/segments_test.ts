import { assert, assertEquals } from "@std/assert";
import { fc } from "../../../tests/support/fast_check.ts";
import { fuzzed } from "../../../tests/support/fuzz.ts";
import { septetsOf } from "./gsm7.ts";
import { countSegments } from "./segments.ts";

const repeat = (text: string, times: number) => text.repeat(times);

const cases: readonly [
  what: string,
  text: string,
  expected: { count: number; encoding: string; units: number; capacity: number; remaining: number },
][] = [
  ["nothing", "", gsm(1, 0, 160, 160)],
  ["one character", "a", gsm(1, 1, 160, 159)],
  ["160 characters", repeat("a", 160), gsm(1, 160, 160, 0)],
  ["161 characters", repeat("a", 161), gsm(2, 161, 153, 145)],
  ["306 characters", repeat("a", 306), gsm(2, 306, 153, 0)],
  ["307 characters", repeat("a", 307), gsm(3, 307, 153, 152)],
  ["80 euro signs", repeat("€", 80), gsm(1, 160, 160, 0)],
  ["81 euro signs", repeat("€", 81), gsm(2, 162, 153, 143)],
  // 76 of them fill 152 of 153 septets; the 77th does not fit into the remaining one.
  ["153 euro signs", repeat("€", 153), gsm(3, 306, 153, 151)],
  ["152 euro signs", repeat("€", 152), gsm(2, 304, 153, 1)],
  [
    "an escape pair at the boundary",
    repeat("a", 152) + "€" + repeat("a", 10),
    gsm(2, 164, 153, 141),
  ],
  [
    "an escape pair before the boundary",
    repeat("a", 151) + "€" + repeat("a", 10),
    gsm(2, 163, 153, 143),
  ],
  ["70 characters of Cyrillic", repeat("ж", 70), ucs(1, 70, 70, 0)],
  ["71 characters of Cyrillic", repeat("ж", 71), ucs(2, 71, 67, 63)],
  ["134 characters of Cyrillic", repeat("ж", 134), ucs(2, 134, 67, 0)],
  ["one wave", "👋", ucs(1, 2, 70, 68)],
  ["35 waves", repeat("👋", 35), ucs(1, 70, 70, 0)],
  // 33 of them fill 66 of 67 units.
  ["67 waves", repeat("👋", 67), ucs(3, 134, 67, 65)],
  ["one character outside the alphabet", repeat("a", 70) + "ç", ucs(2, 71, 67, 63)],
  ["a lone surrogate", "\ud83d", ucs(1, 1, 70, 69)],
  ["a backtick", "`", ucs(1, 1, 70, 69)],
  ["an escape character", "\u001b", ucs(1, 1, 70, 69)],
];

for (const [what, text, expected] of cases) {
  Deno.test(`the segments of ${what} are counted`, () => {
    const { ends: _, forcedBy: __, ...counted } = countSegments(text);
    assertEquals(counted, { ...expected } as typeof counted);
  });
}

Deno.test("the ends of the segments and the character that forces UCS-2 are named", () => {
  assertEquals(countSegments(repeat("a", 152) + "€a").ends, []);
  assertEquals(countSegments(repeat("a", 152) + "€" + repeat("a", 10)).ends, [152]);
  assertEquals(countSegments(repeat("👋", 67)).ends, [66, 132]);
  assertEquals(countSegments("plain ç and é and 👋").forcedBy, "ç");
  assertEquals(countSegments("👋").forcedBy, "👋");
  assertEquals(countSegments("plain").forcedBy, undefined);
});

Deno.test("the ten characters of the extension table cost two septets", () => {
  for (const character of "^{}\\[~]|€\f") assertEquals(septetsOf(character), 2);
});

Deno.test("the default alphabet has 127 characters of one septet", () => {
  let count = 0;
  for (let code = 0; code <= 0xffff; code++) {
    if (septetsOf(String.fromCharCode(code)) === 1) count++;
  }
  assertEquals(count, 127);
});

/**
 * An independent implementation of the rules: the text is split into indivisible characters, each
 * with its cost by code point range, and parts are filled while the next one fits.
 */
function independently(text: string): { parts: string[]; units: number; limit: number } {
  const extension = [0x0c, 0x5b, 0x5c, 0x5d, 0x5e, 0x7b, 0x7c, 0x7d, 0x7e, 0x20ac];
  const latin = [0xa1, 0xa3, 0xa4, 0xa5, 0xa7, 0xbf, 0xc4, 0xc5, 0xc6, 0xc7, 0xc9, 0xd1, 0xd6];
  latin.push(0xd8, 0xdc, 0xdf, 0xe0, 0xe4, 0xe5, 0xe6, 0xe8, 0xe9, 0xec, 0xf1, 0xf2, 0xf6, 0xf8);
  latin.push(0xf9, 0xfc, 0x393, 0x394, 0x398, 0x39b, 0x39e, 0x3a0, 0x3a3, 0x3a6, 0x3a8, 0x3a9);
  const gsm = (point: number): number => {
    if (extension.includes(point)) return 2;
    const ascii = point >= 0x20 && point <= 0x7a && point !== 0x60 || point === 10 || point === 13;
    return ascii || latin.includes(point) ? 1 : 0;
  };
  const characters = Array.from(text);
  const all7 = characters.every((c) => gsm(c.codePointAt(0)!) > 0);
  const cost = (c: string) => all7 ? gsm(c.codePointAt(0)!) : c.codePointAt(0)! > 0xffff ? 2 : 1;
  const units = characters.reduce((sum, c) => sum + cost(c), 0);
  if (units <= (all7 ? 160 : 70)) return { parts: [text], units, limit: all7 ? 160 : 70 };
  const limit = all7 ? 153 : 67;
  const parts: string[] = [];
  for (let rest = characters; rest.length > 0;) {
    let taken = 0;
    let sum = 0;
    while (taken < rest.length && sum + cost(rest[taken]!) <= limit) sum += cost(rest[taken++]!);
    parts.push(rest.slice(0, taken).join(""));
    rest = rest.slice(taken);
  }
  return { parts, units, limit };
}

const gsmText = fc.string({ unit: fc.constantFrom(..."aB 1€^{}\\[~]|\f\n@Δ§"), maxLength: 400 });
const anyText = fc.string({ unit: fc.constantFrom(..."aé€ж👋😀{ç`"), maxLength: 250 });
const wild = fc.string({ unit: "binary", maxLength: 250 });

for (const [what, texts] of [["GSM-7", gsmText], ["mixed", anyText], ["any", wild]] as const) {
  Deno.test(`${what} texts cost what an independent implementation of the rules computes`, () => {
    fc.assert(
      fc.property(texts, (text) => {
        const counted = countSegments(text);
        const { parts, units, limit } = independently(text);
        assertEquals(counted.count, parts.length);
        assertEquals([counted.units, counted.capacity], [units, limit]);
        const cuts = [0, ...counted.ends, text.length];
        assertEquals(cuts.slice(1).map((end, i) => text.slice(cuts[i], end)), parts);
        assert(counted.remaining >= 0 && counted.remaining <= counted.capacity);
      }),
      fuzzed(300),
    );
  });
}

function gsm(count: number, units: number, capacity: number, remaining: number) {
  return { count, encoding: "GSM-7", units, capacity, remaining };
}

function ucs(count: number, units: number, capacity: number, remaining: number) {
  return { count, encoding: "UCS-2", units, capacity, remaining };
}

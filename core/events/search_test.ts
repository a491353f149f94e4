import { assert, assertEquals } from "@std/assert";
import { fc } from "../../tests/support/fast_check.ts";
import { fuzzed } from "../../tests/support/fuzz.ts";
import type { CapturedEvent, SummaryParts } from "./event.ts";
import { matches } from "./query.ts";
import { textTest } from "./search.ts";

/** The reference implementation of a search. */
function naive(text: string, search: string): boolean {
  return text.toLowerCase().includes(search.toLowerCase());
}

/** Characters with special case rules, and those with a meaning in patterns. */
const SPECIAL = [
  ..."aAiIkKsSzß ẞıİſKÅåΩωΣσςϴθDždžDŽﬁЖж.*+?^$()[]{}|\\/-\n",
  "\u0307",
  "\u0345",
  "𐐀",
  "𐐨",
  "\ud801",
  "\udc00",
];

const special = fc.array(fc.constantFrom(...SPECIAL), { maxLength: 8 })
  .map((characters) => characters.join(""));
const anyText = fc.oneof(special, fc.string({ unit: "binary", maxLength: 12 }));

Deno.test("a search matches a lower-case comparison", () => {
  fc.assert(
    fc.property(anyText, anyText, (text, search) => {
      assertEquals(textTest(search)(text), naive(text, search));
    }),
    fuzzed(5000),
  );
});

Deno.test("a search finds any part of a text, in either case", () => {
  fc.assert(
    fc.property(anyText, fc.nat(12), fc.nat(12), (text, from, length) => {
      const part = text.slice(from, from + length);
      for (const search of [part, part.toUpperCase(), part.toLowerCase()]) {
        assertEquals(textTest(search)(text), naive(text, search));
      }
    }),
    fuzzed(5000),
  );
});

Deno.test("every 16-bit character is found exactly as in a lower-case comparison", () => {
  for (let code = 0; code <= 0xffff; code++) {
    const character = String.fromCharCode(code);
    const searches = new Set([character, character.toLowerCase(), character.toUpperCase()]);
    for (const search of searches) {
      for (const text of [character, `a${character}b`]) {
        if (textTest(search)(text) !== naive(text, search)) {
          assertEquals(textTest(search)(text), naive(text, search), `U+${code.toString(16)}`);
        }
      }
    }
  }
});

Deno.test("a search longer than any summary is answered as well", () => {
  const long = "Ab[".repeat(50_000);
  assert(textTest(long)(`x${long.toUpperCase()}x`));
  assert(!textTest(long)(long.slice(1)));
});

function event(summary: string, parts: SummaryParts): CapturedEvent {
  return {
    id: "1",
    seq: 1,
    plugin: "mail",
    provider: "mail3",
    type: "mail.message",
    received_at: new Date(0),
    summary,
    summary_parts: parts,
    meta: {},
    payload: {},
    raw: { transport: "http", text: true, body: new Uint8Array() },
    blobs: [],
  };
}

Deno.test("an event is found by each of its parts, and by no text across two of them", () => {
  const text = fc.string({ maxLength: 6 });
  const partsOf = fc.record(
    { from: text, to: fc.array(text, { maxLength: 3 }), title: text, snippet: text },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(
      text,
      partsOf,
      fc.string({ minLength: 1, maxLength: 3 }),
      (summary, parts, search) => {
        const { from, to = [], title, snippet } = parts;
        const texts = [summary, "mail.message", from, ...to, title, snippet];
        assertEquals(
          matches(event(summary, parts), { search }),
          texts.some((part) => part !== undefined && naive(part, search)),
        );
      },
    ),
    fuzzed(1000),
  );
  const about = event("Bill", { from: "Ada", to: ["Eve", "Bob"], title: "Due", snippet: "Now" });
  for (const search of ["bil", "MAIL.", "ada", "eve", "BOB", "due", "now"]) {
    assert(matches(about, { search }), search);
  }
  for (const search of ["EveBob", "Eve\nBob", "Bill\nmail", "duenow"]) {
    assert(!matches(about, { search }), search);
  }
});

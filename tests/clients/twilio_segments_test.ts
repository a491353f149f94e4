/** Segments and GSM-7 twins, compared with Twilio's own calculator. */
import { assertEquals } from "@std/assert";
import { SegmentedMessage } from "npm:sms-segments-calculator@1.3.0";
import SMART from "npm:sms-segments-calculator@1.3.0/dist/libs/SmartEncodingMap.js";
import { gsmTwinOf } from "../../plugins/sms/checks/gsm_twin.ts";
import { countSegments } from "../../plugins/sms/codec/segments.ts";
import { fc } from "../support/fast_check.ts";
import { fuzzed } from "../support/fuzz.ts";

Deno.test("texts take the segments that Twilio's own calculator counts", () => {
  // It keeps what looks like one character in one segment; these are all of one code point.
  const unit = fc.constantFrom(..."aB 1€^{}\\[~]|\f\r\n@Δ§éñØç’«жŁ中👋😀\u00a0`");
  fc.assert(
    fc.property(
      fc.array(unit, { maxLength: 700 }),
      fc.array(unit, { minLength: 1 }),
      (all, few) => {
        for (const text of [all.join(""), few.join("").repeat(20)]) {
          const theirs = new SegmentedMessage(text, "auto");
          const { count, encoding } = countSegments(text);
          assertEquals([count, encoding], [theirs.segmentsCount, theirs.encodingName], text);
        }
      },
    ),
    fuzzed(300),
  );
});

/** What Twilio replaces, by the data of its calculator. */
const TWILIO: Readonly<Record<string, string>> = "default" in SMART
  ? SMART.default as Record<string, string>
  : SMART;

/** Deliberately another one. */
const OTHERS: Readonly<Record<string, string | undefined>> = {
  "\ufe10": ",", // A comma of vertical text, and no apostrophe.
  "\u2028": "\n", // Line and paragraph separators.
  "\u2029": "\n",
};

Deno.test("each character that Twilio replaces has the same twin", () => {
  const differing = Object.entries(TWILIO).filter(([character, twin]) => {
    const own = gsmTwinOf(character);
    if (Object.hasOwn(OTHERS, character)) return own !== OTHERS[character];
    // Accents may be left out; Twilio writes some of them after their letter.
    if (/^\p{Mn}$/u.test(character)) return own === undefined;
    // Twilio writes two spaces for most of those that are not ASCII, and for control characters of old code pages.
    if (/^[ ]+$/.test(twin)) return own !== " " && !/[\x80-\x9f]/.test(character);
    return own !== twin;
  });
  assertEquals(differing, []);
});

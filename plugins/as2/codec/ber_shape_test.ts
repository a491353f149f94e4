import { assertEquals, assertThrows } from "@std/assert";
import { fc } from "../../../tests/support/fast_check.ts";
import { fuzzed } from "../../../tests/support/fuzz.ts";
import { WireError } from "../../../core/bytes/decoder.ts";
import { encodeDer, readBer } from "./asn1.ts";
import { checkShape } from "./ber_shape.ts";

const LIMITS = { maxNodes: 10, maxDepth: 3 };
const hex = (text: string): Uint8Array => Uint8Array.fromHex(text);

Deno.test("a value within its limits passes, definite or not, whatever follows it", () => {
  const passing = [
    ...["0500", "30003080", "3080050000000500", "30060201010201020201", "308030800000000006"],
    // A long tag, and a length of four octets.
    ...["bf8a7f020500", "308400000002050030803080308030803080"],
    // None of them is BER; the parser reports that.
    ...["", "30", "3082ff", "0680", "1f8181"],
    // Ten values, three levels.
    "3012" + "0500".repeat(4) + "3008" + "3004" + "05000500" + "0500",
  ];
  for (const text of passing) checkShape(hex(text), LIMITS);
  // Signed or encrypted content may be long, also under its own tag.
  for (const tag of [0x04, 0x03, 0x80]) checkShape(encodeDer(tag, new Uint8Array(70_000)), LIMITS);
});

Deno.test("too many values, levels and octets of an identifier are refused by name", () => {
  const refused: readonly (readonly [bytes: Uint8Array, why: string])[] = [
    [encodeDer(0x30, ...Array(10).fill(hex("0500"))), "it has more than 10 values"],
    [hex("3080" + "0500".repeat(11)), "it has more than 10 values"],
    [hex("3080".repeat(4)), "it is nested deeper than 3 levels"],
    [encodeDer(0x30, encodeDer(0x06, new Uint8Array(257))), "an object identifier has more than"],
    [encodeDer(0x30, encodeDer(0x0d, new Uint8Array(257))), "an object identifier has more than"],
    [encodeDer(0x30, encodeDer(0x1e, new Uint8Array(65_537))), "a text, number or time has more"],
    [encodeDer(0x02, new Uint8Array(65_537)), "a text, number or time has more than 65536 octets"],
  ];
  for (const [bytes, why] of refused) {
    assertThrows(() => checkShape(bytes, LIMITS), WireError, why);
  }
  // Would be twenty million objects.
  const bytes = encodeDer(0x30, encodeDer(0x06, new Uint8Array(20_000_000).fill(1)));
  assertThrows(() => readBer(bytes), WireError, "an object identifier has more than 256 octets");
});

Deno.test("any bytes pass or are refused, and the parser counts the same values", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      try {
        checkShape(bytes, LIMITS);
      } catch (error) {
        assertEquals(error instanceof WireError && error.code, "limit");
      }
    }),
    fuzzed(),
  );
});

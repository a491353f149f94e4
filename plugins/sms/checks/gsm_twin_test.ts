import { assertEquals } from "@std/assert";
import { septetsOf } from "../codec/gsm7.ts";
import { gsmTwinOf } from "./gsm_twin.ts";

Deno.test("a twin is written in GSM-7, and a character of GSM-7 has none", () => {
  for (let point = 0; point <= 0x1ffff; point++) {
    if (point >= 0xd800 && point <= 0xdfff) continue;
    const character = String.fromCodePoint(point);
    const twin = gsmTwinOf(character);
    if (twin === undefined || septetsOf(character) !== undefined) continue;
    const left = [...twin].filter((one) => septetsOf(one) === undefined);
    assertEquals(left, [], `U+${point.toString(16)}`);
  }
});

Deno.test("a spacing accent has no twin: it is not a space", () => {
  for (const accent of "¨¸˘˙˛˝") assertEquals(gsmTwinOf(accent), undefined);
});

/**
 * Number of messages that a text costs (3GPP TS 23.038 for the alphabets; TS 23.040 section 9.2.3.24.1 for the header
 * that joins the parts, 6 octets of 140).
 *
 * ```
 *          one message   each of several
 * GSM-7    160 septets   153 septets
 * UCS-2     70 units      67 units, UTF-16
 * ```
 *
 * A character of two units is never split, so a part may end one unit short.
 */
import type { Segments } from "../model.ts";
import { septetsOf } from "./gsm7.ts";

/** The segments of a text. */
export interface SegmentCount
  extends Pick<Segments, "count" | "encoding" | "units" | "capacity" | "remaining"> {
  readonly ends: readonly number[];
  readonly forcedBy?: string;
}

const CAPACITY = {
  "GSM-7": { single: 160, joined: 153 },
  "UCS-2": { single: 70, joined: 67 },
} as const;

/** Counts the segments of a text, packed one after the other. */
export function countSegments(text: string): SegmentCount {
  const forcedBy = firstOutside(text);
  const encoding = forcedBy === undefined ? "GSM-7" : "UCS-2";
  const unitsOf = encoding === "GSM-7"
    ? (character: string) => septetsOf(character) ?? 0
    : (character: string) => character.length;
  const { single, joined } = CAPACITY[encoding];
  const forced = forcedBy === undefined ? {} : { forcedBy };
  let units = 0;
  for (const character of text) units += unitsOf(character);
  const counted = { encoding, units, ...forced } as const;
  if (units <= single) {
    return { ...counted, count: 1, capacity: single, remaining: single - units, ends: [] };
  }
  const ends: number[] = [];
  let used = 0;
  let index = 0;
  for (const character of text) {
    const cost = unitsOf(character);
    if (used + cost > joined) {
      ends.push(index);
      used = 0;
    }
    used += cost;
    index += character.length;
  }
  const count = ends.length + 1;
  return { ...counted, count, capacity: joined, remaining: joined - used, ends };
}

function firstOutside(text: string): string | undefined {
  for (const character of text) if (septetsOf(character) === undefined) return character;
  return undefined;
}

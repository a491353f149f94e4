/**
 * How many messages a text costs (3GPP TS 23.038 for the alphabets; TS 23.040 section 9.2.3.24.1 for the header that
 * joins the parts, 6 octets of 140).
 *
 * ```
 *          one message   each of several
 * GSM-7    160 septets   153 septets
 * UCS-2     70 units      67 units, UTF-16
 * ```
 *
 * A character of two units stands in one part or in the next, never in both, so that a part may end one unit short.
 *
 * @module
 */
import { septetsOf } from "./gsm7.ts";

/** What a text costs. */
export interface SegmentCount {
  /** At least 1, for an empty text too. */
  readonly count: number;
  readonly encoding: "GSM-7" | "UCS-2";
  /** Septets, or UTF-16 code units. */
  readonly units: number;
  /** Units that each part has room for. */
  readonly capacity: number;
  /** Units still free in the last part. */
  readonly remaining: number;
  /** Where each part but the last ends, as an index into the text. */
  readonly ends: readonly number[];
  /** First character that the GSM alphabet lacks, when there is one. */
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
  if (units <= single) {
    return {
      count: 1,
      encoding,
      units,
      capacity: single,
      remaining: single - units,
      ends: [],
      ...forced,
    };
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
  return { count, encoding, units, capacity: joined, remaining: joined - used, ends, ...forced };
}

function firstOutside(text: string): string | undefined {
  for (const character of text) if (septetsOf(character) === undefined) return character;
  return undefined;
}

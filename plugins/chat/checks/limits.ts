/** Limits that a vendor documents for the members of an object. */
import { lengthOf } from "./walk.ts";

/** Maximum characters, or entries, of a member. */
export interface Limit {
  readonly member: string;
  readonly most: number;
  readonly counts: "characters" | "entries";
  /** Last part of the URL of the vendor's page. */
  readonly page: string;
}

/** A limit that a value exceeds. */
export interface Exceeded extends Limit {
  readonly length: number;
}

/** Limits the characters of a text, or of a text object. */
export function characters(member: string, most: number, page: string): Limit {
  return { member, most, counts: "characters", page };
}

/** Limits the entries of a list. */
export function entries(member: string, most: number, page: string): Limit {
  return { member, most, counts: "entries", page };
}

/** Yields the limits that an object exceeds. */
export function* exceeded(
  value: Readonly<Record<string, unknown>>,
  limits: readonly Limit[],
): Generator<Exceeded> {
  for (const limit of limits) {
    const inner = value[limit.member];
    const length = limit.counts === "characters"
      ? lengthOf(inner)
      : Array.isArray(inner)
      ? inner.length
      : 0;
    if (length > limit.most) yield { ...limit, length };
  }
}

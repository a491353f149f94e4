/** Where components of Discord may be, and values of their numbers: https://docs.discord.com/developers/components/reference */
import type { Placed } from "./walk.ts";

/** Types inside others, and at the top of a message with the flag `IS_COMPONENTS_V2`. */
const INSIDE: ReadonlyMap<string, readonly number[]> = new Map([
  ["", [1, 9, 10, 12, 13, 14, 17]],
  ["1.components", [2, 3, 5, 6, 7, 8]],
  ["9.components", [10]],
  ["9.accessory", [2, 11]],
  ["17.components", [1, 9, 10, 12, 13, 14]],
]);

/** Remembers the types of components, outer ones first. */
export class Places {
  readonly #types = new Map<string, unknown>();

  /** Adds a component; returns why it cannot be in its place. */
  add({ value: { type }, path }: Placed): string | undefined {
    this.#types.set(path, type);
    const [, outer, member] = /^(.*)\.(components|accessory)(?:\[\d+\])?$/.exec(path) ?? [];
    const key = outer === undefined ? "" : `${this.#types.get(outer)}.${member}`;
    const allowed = INSIDE.get(key);
    if (allowed === undefined || allowed.includes(Number(type))) return undefined;
    const where = outer === undefined
      ? "at the top of a message"
      : `in ${member} of this component`;
    return `Type ${type} cannot be ${where}; expected ${allowed.join(", ")}`;
  }
}

/** Smallest and largest values of members: https://docs.discord.com/developers/components/reference#string-select */
const RANGES: readonly (readonly [member: string, least: number, most: number])[] = [
  ["min_values", 0, 25],
  ["max_values", 1, 25],
  ["accent_color", 0, 0xffffff],
  ["spacing", 1, 2],
];

/** Yields what is wrong with the numbers and addresses of a component. */
export function* wrongValues({ value }: Placed): Generator<string> {
  for (const [member, least, most] of RANGES) {
    const given = value[member];
    if (given === undefined || given === null) continue;
    if (Number.isInteger(given) && Number(given) >= least && Number(given) <= most) continue;
    yield `${member} is ${JSON.stringify(given)}; expected ${least} to ${most}`;
  }
  const { min_values: least = 1, max_values: most = 1, default_values: chosen, file } = value;
  if (Number(least) > Number(most)) yield `min_values is ${least}, above max_values of ${most}`;
  if (Array.isArray(chosen) && (chosen.length < Number(least) || chosen.length > Number(most))) {
    yield `${chosen.length} default_values; expected ${least} to ${most}`;
  }
  const url = (file as { readonly url?: unknown } | null | undefined)?.url;
  if (typeof url === "string" && !url.startsWith("attachment://")) {
    yield "A file component shows a file of the message only: attachment://name";
  }
}

/** Cuts values down to what a model can read at once. */

/** How much of a value is shown. */
interface Limits {
  /** Characters of a text. */
  readonly text: number;
  /** Items of a list, and members of an object. */
  readonly items: number;
  readonly depth: number;
}

/** From generous to strict; the first that makes the value short enough is used. */
const LIMITS: readonly Limits[] = [
  { text: 4000, items: 100, depth: 12 },
  { text: 1000, items: 30, depth: 8 },
  { text: 200, items: 10, depth: 6 },
  { text: 80, items: 5, depth: 3 },
];

/** Characters of the JSON of a result. */
const MOST = 20_000;

/** Characters that are left for a value; below zero, there are too many. */
interface Room {
  left: number;
}

/** Returns the value with long texts, lists and nesting cut, each with a note of its real length. */
export function shorten(value: unknown): unknown {
  let short: unknown;
  for (const limits of LIMITS) {
    const room = { left: MOST };
    short = cut(value, { limits, room, depth: 0 });
    if (room.left >= 0 && JSON.stringify(short ?? null).length <= MOST) break;
  }
  return short;
}

interface Place {
  readonly limits: Limits;
  readonly room: Room;
  readonly depth: number;
}

function cut(value: unknown, place: Place): unknown {
  const { limits, room, depth } = place;
  if (room.left < 0) return "…";
  if (typeof value === "string") return cutText(value, place);
  room.left -= 2;
  if (typeof value !== "object" || value === null) return value;
  if (depth === limits.depth) return Array.isArray(value) ? "[…]" : "{…}";
  const inside = { ...place, depth: depth + 1 };
  if (Array.isArray(value)) {
    const shown = value.slice(0, limits.items).map((item) => cut(item, inside));
    return value.length > shown.length ? [...shown, `… ${value.length} items in all`] : shown;
  }
  const members = Object.entries(value);
  const shown = members.slice(0, limits.items).map(([name, item]) =>
    [cutText(name, place), cut(item, inside)] as const
  );
  const rest = members.length > shown.length
    ? [["…", `${members.length} members in all`] as const]
    : [];
  return Object.fromEntries([...shown, ...rest]);
}

function cutText(text: string, { limits, room }: Place): string {
  room.left -= Math.min(text.length, limits.text);
  if (text.length <= limits.text) return text;
  return `${text.slice(0, limits.text).toWellFormed()}… (${text.length} characters in all)`;
}

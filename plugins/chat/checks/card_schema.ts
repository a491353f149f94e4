/** Microsoft's schema of Adaptive Cards 1.5, reduced to the rules for single objects. */
import type { Found } from "../../../core/plugin.ts";
import { suggest } from "../../../core/options/suggest.ts";
import schema from "./card_schema.json" with { type: "json" };

/** One type of the schema. */
interface CardType {
  readonly required: readonly string[];
  /**
   * Types of a member: `string`, `number`, `boolean`, `null`, `*` for anything, `=a|b` for words,
   * `#Type` or `#` for an object, `[a/b]` for a list, separated by spaces; then the first version
   * with it, as ` @1.2`.
   */
  readonly members: Readonly<Record<string, string>>;
}

const TYPES: Readonly<Record<string, CardType>> = schema.types;

/** Members that Teams adds: https://learn.microsoft.com/microsoftteams/platform/task-modules-and-cards/cards/cards-format */
const OF_HOST =
  /^(?:msteams|\$.*|type|targetWidth|roundedCorners|layouts|grid\.area|lang|labelPosition|speak)$/;

/** Maximum number of checked list elements, and of nested objects without a type. */
const MAX_ITEMS = 1000;
const MAX_DEPTH = 5;

/** Returns whether the schema has a type. */
export function hasType(type: string): boolean {
  return Object.hasOwn(TYPES, type);
}

/** An object of the card, with its path. */
interface ObjectAt {
  readonly type: string;
  readonly path: string;
  /** Version that the card states. */
  readonly version: string;
  readonly depth?: number;
}

/** Checks the members of an object, and nested objects with an implied type. */
export function* checkObject(
  value: Readonly<Record<string, unknown>>,
  { type, path, version, depth = 0 }: ObjectAt,
): Generator<Found> {
  const { required, members } = TYPES[type]!;
  for (const member of required) {
    if (value[member] !== undefined) continue;
    yield {
      id: "chat.card_required",
      message: `${type} needs ${member}`,
      where: { part: "card", path },
    };
  }
  for (const [name, inner] of Object.entries(value)) {
    const where = { part: "card", path: `${path}.${name}` };
    if (!Object.hasOwn(members, name)) {
      if (OF_HOST.test(name)) continue;
      const near = suggest(name, Object.keys(members));
      yield {
        id: "chat.card_member",
        ...(near === undefined ? {} : { level: "warning" as const }),
        message: `${type} has no ${JSON.stringify(name.slice(0, 100))}` +
          (near === undefined ? "" : `; did you mean ${JSON.stringify(near)}?`),
        where,
      };
      continue;
    }
    const [kinds = "", since] = members[name]!.split(" @");
    const allowed = kinds.split(" ");
    if (!allowed.some((kind) => fits(kind, inner))) {
      yield {
        id: "chat.card_value",
        message: `${type}.${name} is ${shown(inner)}; expected ${
          allowed.map(inWords).join(" or ")
        }`,
        where,
      };
    } else if (since !== undefined && isOlder(version, since)) {
      yield {
        id: "chat.card_newer",
        message: `${type}.${name} came with version ${since}; the card states ${version}`,
        where,
      };
    }
    if (depth < MAX_DEPTH) {
      yield* untyped(inner, allowed, { path: where.path, version, depth: depth + 1 });
    }
  }
}

/** Objects without a type have the type implied by the member. */
function* untyped(
  value: unknown,
  kinds: readonly string[],
  at: Omit<ObjectAt, "type">,
): Generator<Found> {
  const type = kinds.map((kind) => /^\[?#([\w.]+)/.exec(kind)?.[1]).find(Boolean);
  if (type === undefined || !hasType(type)) return;
  const items = Array.isArray(value) ? value.slice(0, MAX_ITEMS) : [value];
  for (const [index, item] of items.entries()) {
    if (typeof item !== "object" || item === null || Array.isArray(item) || "type" in item) {
      continue;
    }
    const path = Array.isArray(value) ? `${at.path}[${index}]` : at.path;
    yield* checkObject(item as Readonly<Record<string, unknown>>, { ...at, type, path });
  }
}

function fits(kind: string, value: unknown): boolean {
  if (kind === "*") return true;
  if (kind === "null") return value === null;
  if (kind.startsWith("=")) {
    return typeof value === "string" && kind.slice(1).split("|").includes(value.toLowerCase());
  }
  if (kind.startsWith("[")) {
    const inner = kind.slice(1, -1).split("/");
    return Array.isArray(value) &&
      value.slice(0, MAX_ITEMS).every((item) => inner.some((kind) => fits(kind, item)));
  }
  if (kind.startsWith("#")) {
    return typeof value === "object" && value !== null && !Array.isArray(value);
  }
  const own: string = typeof value;
  return own === kind;
}

function inWords(kind: string): string {
  if (kind.startsWith("=")) return kind.slice(1).replaceAll("|", ", ");
  if (kind.startsWith("[")) {
    return `a list of ${kind.slice(1, -1).split("/").map(inWords).join(" or ")}`;
  }
  return kind.startsWith("#") ? kind.slice(1) || "an object" : kind;
}

function shown(value: unknown): string {
  if (typeof value === "object" && value !== null) {
    return Array.isArray(value) ? "a list" : "an object";
  }
  return (JSON.stringify(value) ?? "nothing").slice(0, 100);
}

/** Compares versions such as `1.2`; anything else is not older. */
function isOlder(version: string, since: string): boolean {
  const [a, b] = [version, since].map((text) => /^(\d+)\.(\d+)$/.exec(text)?.slice(1).map(Number));
  if (a === undefined || b === undefined) return false;
  return a[0]! < b[0]! || (a[0] === b[0] && a[1]! < b[1]!);
}

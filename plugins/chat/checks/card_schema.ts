/**
 * Microsoft's schema of Adaptive Cards 1.5, as a schema for each type of object. `scripts/adaptive_cards.ts` makes
 * them: the complete schema tries every type for each element, and reports why each does not fit.
 */
import { type Schema, type ValidationError, Validator } from "jsonschema";
import type { Found } from "../../../core/plugin.ts";
import { suggest } from "../../../core/options/suggest.ts";
import data from "./card_schema.json" with { type: "json" };

/** A schema of one value. `title` is the implied type of an object without `type`. */
interface CardSchema extends Schema {
  /** First version with the member. */
  readonly version?: string;
  readonly properties?: Readonly<Record<string, CardSchema>>;
  readonly anyOf?: CardSchema[];
  readonly items?: CardSchema;
}

const TYPES = data.types as unknown as Readonly<Record<string, CardSchema>>;
const ADDRESS = "/card";
const validator = new Validator();
validator.addSchema({ definitions: TYPES as Record<string, Schema> }, ADDRESS);

/** Members that Teams adds: https://learn.microsoft.com/microsoftteams/platform/task-modules-and-cards/cards/cards-format */
const OF_HOST =
  /^(?:msteams|\$.*|type|targetWidth|roundedCorners|layouts|grid\.area|lang|labelPosition|speak)$/;

/** Maximum number of checked list elements, and of nested objects without a type. */
const MAX_ITEMS = 1000;
const MAX_DEPTH = 5;

type Json = Readonly<Record<string, unknown>>;

/**
 * Types that Teams adds to the schema, by Microsoft's own package for its cards, @microsoft/teams.cards:
 * https://adaptivecards.microsoft.com. Their members are not checked.
 */
const ADDED: ReadonlySet<string> = new Set([
  ...["Action.InsertImage", "Action.OpenUrlDialog", "Action.Popover", "Action.ResetInputs"],
  ...["Badge", "Carousel", "CarouselPage", "CodeBlock", "Component", "CompoundButton"],
  ...["Chart.Donut", "Chart.Gauge", "Chart.HorizontalBar", "Chart.HorizontalBar.Stacked"],
  ...["Chart.Line", "Chart.Pie", "Chart.VerticalBar", "Chart.VerticalBar.Grouped", "Data.Query"],
  ...["Icon", "IconRun", "ImageRun", "Input.Rating", "Layout.AreaGrid", "Layout.Flow"],
  ...["Layout.Stack", "ProgressBar", "ProgressRing", "Rating"],
]);

/** Returns whether Teams adds a type to the schema. */
export function isAdded(type: string): boolean {
  return ADDED.has(type);
}

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
export function* checkObject(value: Json, at: ObjectAt): Generator<Found> {
  const { type, path, version, depth = 0 } = at;
  const members = Object.entries(value).map(([name, inner]) =>
    [name, Array.isArray(inner) ? inner.slice(0, MAX_ITEMS) : inner] as const
  );
  const { errors } = validator.validate(
    Object.fromEntries(members),
    { $ref: `${ADDRESS}#/definitions/${type}` },
  );
  for (const error of errors) yield* toFound(error, at);
  const wrong = new Set(errors.map((error) => error.path[0]));
  const { properties = {} } = TYPES[type]!;
  for (const [name, inner] of members) {
    if (!Object.hasOwn(properties, name)) continue;
    const { version: since } = properties[name]!;
    if (since !== undefined && !wrong.has(name) && isOlder(version, since)) {
      yield {
        id: "chat.card_newer",
        message: `${type}.${name} came with version ${since}; the card states ${version}`,
        where: { part: "card", path: `${path}.${name}` },
      };
    }
    const own = impliedType(properties[name]!);
    if (own === undefined || depth >= MAX_DEPTH) continue;
    yield* untyped(inner, { type: own, path: `${path}.${name}`, version, depth: depth + 1 });
  }
}

/** The finding of an error; none for members that the host adds. */
function* toFound(error: ValidationError, { type, path }: ObjectAt): Generator<Found> {
  const name = String(error.argument);
  if (error.name === "required") {
    yield {
      id: "chat.card_required",
      message: `${type} needs ${name}`,
      where: { part: "card", path },
    };
  } else if (error.name === "additionalProperties") {
    if (OF_HOST.test(name)) return;
    const near = suggest(name, Object.keys(TYPES[type]!.properties ?? {}));
    yield {
      id: "chat.card_member",
      ...(near === undefined ? {} : { level: "warning" as const }),
      message: `${type} has no ${JSON.stringify(name.slice(0, 100))}` +
        (near === undefined ? "" : `; did you mean ${JSON.stringify(near)}?`),
      where: { part: "card", path: `${path}.${name}` },
    };
  } else {
    const place = error.path.map((one) => typeof one === "number" ? `[${one}]` : `.${one}`).join(
      "",
    );
    yield {
      id: "chat.card_value",
      message: `${type}${place} is ${shown(error.instance)}; expected ${
        inWords(error.schema as CardSchema)
      }`,
      where: { part: "card", path: `${path}${place}` },
    };
  }
}

/** The type of the objects in a member that need not have `type`. */
function impliedType({ title, anyOf = [], items }: CardSchema): string | undefined {
  return title ?? anyOf.map(impliedType).find(Boolean) ?? (items && impliedType(items));
}

function* untyped(value: unknown, { path, ...at }: ObjectAt): Generator<Found> {
  if (!hasType(at.type)) return;
  const items = Array.isArray(value) ? value : [value];
  for (const [index, item] of items.entries()) {
    if (typeof item !== "object" || item === null || Array.isArray(item) || "type" in item) {
      continue;
    }
    yield* checkObject(item as Json, {
      ...at,
      path: Array.isArray(value) ? `${path}[${index}]` : path,
    });
  }
}

/** What a schema asks for. */
function inWords({ type, title, pattern, anyOf, items }: CardSchema): string {
  if (anyOf !== undefined) return anyOf.map(inWords).join(" or ");
  if (pattern !== undefined) return String(pattern).slice(5, -2).replaceAll("|", ", ");
  if (type === "array") return `a list of ${items === undefined ? "anything" : inWords(items)}`;
  if (type === "object") return title ?? "an object";
  return String(type);
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

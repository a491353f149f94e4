import type { CapturedEvent, CheckTopic, Found } from "../../../core/plugin.ts";
import type { ChatMessage } from "../model.ts";
import { characters, entries, exceeded, type Limit } from "./limits.ts";
import { Places, wrongValues } from "./discord_places.ts";
import { lengthOf, type Placed, walkObjects } from "./walk.ts";

const REFERENCE = "https://docs.discord.com/developers/components/reference";

const CUSTOM_ID = characters("custom_id", 100, "anatomy-of-a-component");
const menu = (page: string): readonly Limit[] => [
  CUSTOM_ID,
  characters("placeholder", 150, page),
  entries("default_values", 25, page),
];

/** A kind of component. */
interface Kind {
  readonly name: string;
  readonly limits: readonly Limit[];
  /** Members that it must have. */
  readonly needs: readonly string[];
}

const kind = (
  name: string,
  limits: readonly Limit[] = [],
  needs: readonly string[] = [],
): Kind => ({ name, limits, needs });

/** Kinds for messages by type. The others are for modals only. */
const KINDS: Readonly<Record<number, Kind>> = {
  1: kind("An action row", [entries("components", 5, "action-row")], ["components"]),
  2: kind(
    "A button",
    [characters("label", 80, "button"), CUSTOM_ID, characters("url", 512, "button")],
    ["style"],
  ),
  3: kind(
    "A string select",
    [...menu("string-select"), entries("options", 25, "string-select")],
    ["custom_id", "options"],
  ),
  5: kind("A user select", menu("user-select"), ["custom_id"]),
  6: kind("A role select", menu("role-select"), ["custom_id"]),
  7: kind("A mentionable select", menu("mentionable-select"), ["custom_id"]),
  8: kind("A channel select", menu("channel-select"), ["custom_id"]),
  9: kind("A section", [entries("components", 3, "section")], ["components", "accessory"]),
  10: kind("A text display", [], ["content"]),
  11: kind("A thumbnail", [characters("description", 1024, "thumbnail")], ["media"]),
  12: kind("A media gallery", [entries("items", 10, "media-gallery")], ["items"]),
  13: kind("A file", [], ["file"]),
  14: kind("A separator"),
  17: kind("A container", [], ["components"]),
};
/** Options of a menu and items of a gallery have no type of their own. */
const OPTION = ["label", "value", "description"].map((member) =>
  characters(member, 100, "string-select")
);
const GALLERY_ITEM = [characters("description", 1024, "media-gallery")];

const [LINK, PREMIUM] = [5, 6];
const MENUS: ReadonlySet<unknown> = new Set([3, 5, 6, 7, 8]);
/** Components of a message, with and without the flag `IS_COMPONENTS_V2`. */
const MAX_COMPONENTS = 40;
const MAX_ROWS = 5;
/** Characters of all text displays of a message together. */
const MAX_TEXT = 4000;
const TEXT_DISPLAY = 10;
const IS_COMPONENTS_V2 = 1 << 15;

type Json = Readonly<Record<string, unknown>>;

/** Checks of Discord components, which the vendor refuses or drops. */
export const componentsTopic: CheckTopic<CapturedEvent<ChatMessage>> = {
  checks: [
    {
      id: "chat.component_limit",
      level: "error",
      about: "A Discord component is longer or has more entries than the vendor's reference allows",
      source: REFERENCE,
    },
    {
      id: "chat.component_member",
      level: "error",
      about:
        "A Discord component lacks a member that its type or style requires, has one that it forbids, " +
        "or has a value out of range",
      source: REFERENCE,
    },
    {
      id: "chat.component_type",
      level: "error",
      about: "A component is not allowed in Discord messages, or not in this place",
      source: `${REFERENCE}#component-object-component-types`,
    },
    {
      id: "chat.component_id",
      level: "error",
      about: "Two components of a message have the same custom_id",
      source: `${REFERENCE}#anatomy-of-a-component`,
    },
    {
      id: "chat.component_ignored",
      level: "warning",
      about:
        "The query has no with_components=true: Discord leaves the components out, unless an application owns the webhook",
      source: "https://docs.discord.com/developers/resources/webhook#execute-webhook",
    },
  ],
  *find({ payload: { contents = [] }, meta }) {
    for (const { format, json } of contents) {
      if (format !== "chat3.components" || !Array.isArray(json)) continue;
      if (meta.components_ignored !== undefined) {
        yield {
          id: "chat.component_ignored",
          message: "Add with_components=true to the address",
          where: { part: "components", path: "components" },
        };
      }
      const isNew = typeof meta.flags === "number" && (meta.flags & IS_COMPONENTS_V2) !== 0;
      if (!isNew) yield* legacy(json);
      yield* eachOf(json, isNew);
    }
  },
};

/** Without the flag a message has action rows only. */
function* legacy(components: readonly unknown[]): Generator<Found> {
  if (components.length > MAX_ROWS) {
    yield {
      id: "chat.component_limit",
      message: `${components.length} action rows; at most ${MAX_ROWS}`,
      where: { part: "components", path: "components" },
      source: `${REFERENCE}#legacy-message-component-behavior`,
    };
  }
  for (const [at, component] of components.entries()) {
    const { type } = (component ?? {}) as Json;
    if (type === 1) continue;
    yield {
      id: "chat.component_type",
      message:
        "Without the flag IS_COMPONENTS_V2 (32768), only action rows (type 1) are allowed here",
      where: { part: "components", path: `components[${at}]` },
    };
  }
}

function* eachOf(json: unknown, isNew: boolean): Generator<Found | undefined> {
  const seen = new Set<unknown>();
  const places = new Places();
  let count = 0;
  let characters = 0;
  for (const placed of walkObjects(json, "components")) {
    yield undefined;
    const { value, path } = placed;
    if (typeof value.type !== "number") {
      yield* untyped(placed);
      continue;
    }
    count++;
    if (value.type === TEXT_DISPLAY) characters += lengthOf(value.content);
    const misplaced = places.add(placed);
    // Without the flag, other types at the top have a finding already.
    if (misplaced !== undefined && (isNew || /\./.test(path))) {
      yield {
        id: "chat.component_type",
        message: misplaced,
        where: { part: "components", path: `${path}.type` },
      };
    }
    yield* ofComponent(placed);
    const { custom_id: id } = value;
    if (id === undefined) continue;
    if (seen.has(id)) {
      yield {
        id: "chat.component_id",
        message: `${JSON.stringify(id)} is also the custom_id of another component`,
        where: { part: "components", path: `${path}.custom_id` },
      };
    }
    seen.add(id);
  }
  if (characters > MAX_TEXT) {
    yield {
      id: "chat.component_limit",
      message: `${characters} characters in all text displays; at most ${MAX_TEXT}`,
      where: { part: "components", path: "components" },
      source: `${REFERENCE}#text-display`,
    };
  }
  if (isNew && count > MAX_COMPONENTS) {
    yield {
      id: "chat.component_limit",
      message: `${count} components, including nested ones; at most ${MAX_COMPONENTS}`,
      where: { part: "components", path: "components" },
    };
  }
}

function* untyped({ value, path }: Placed): Generator<Found> {
  if (/\.options\[\d+\]$/.test(path)) yield* overLimits(value, path, OPTION);
  if (/\.items\[\d+\]$/.test(path)) yield* overLimits(value, path, GALLERY_ITEM);
}

function* overLimits(value: Json, path: string, limits: readonly Limit[]): Generator<Found> {
  for (const { member, length, most, counts, page } of exceeded(value, limits)) {
    yield {
      id: "chat.component_limit",
      message: `${length} ${counts}; at most ${most}`,
      where: { part: "components", path: `${path}.${member}` },
      source: `${REFERENCE}#${page}`,
    };
  }
}

function* ofComponent({ value, path }: Placed): Generator<Found> {
  const type = value.type as number;
  const own = Object.hasOwn(KINDS, type) ? KINDS[type]! : undefined;
  if (own === undefined) {
    yield {
      id: "chat.component_type",
      message: `Type ${type} is not a component for messages`,
      where: { part: "components", path: `${path}.type` },
    };
    return;
  }
  yield* overLimits(value, path, own.limits);
  const member = (message: string): Found => ({
    id: "chat.component_member",
    message,
    where: { part: "components", path },
  });
  for (const name of own.needs) {
    if (isEmpty(value[name])) yield member(`${own.name} needs ${name}`);
  }
  for (const wrong of wrongValues({ value, path })) yield member(wrong);
  if (type === 2) yield* ofButton(value, member);
  if (type !== 1 || !Array.isArray(value.components)) return;
  const inner = value.components as readonly Json[];
  const menus = inner.filter((one) => MENUS.has(one?.type)).length;
  if (menus > 0 && inner.length > 1) {
    yield member("An action row has buttons, or a single select; put each select into its own row");
  }
}

/**
 * Members that each button style requires and excludes:
 * https://docs.discord.com/developers/components/reference#button
 */
function* ofButton(value: Json, member: (message: string) => Found): Generator<Found> {
  const { style } = value;
  if (typeof style !== "number") return;
  const [name, needed] = style === LINK
    ? ["link", "url"]
    : style === PREMIUM
    ? ["premium", "sku_id"]
    : ["coloured", "custom_id"];
  if (style < 1 || style > PREMIUM) {
    return yield member(`A button has no style ${style}; expected 1 to 6`);
  }
  if (isEmpty(value[needed])) yield member(`A ${name} button (style ${style}) needs ${needed}`);
  for (const other of ["url", "sku_id", "custom_id"]) {
    if (other === needed || isEmpty(value[other])) continue;
    yield member(`A ${name} button (style ${style}) cannot have ${other}`);
  }
  if (style !== PREMIUM && isEmpty(value.label) && isEmpty(value.emoji)) {
    yield member("A button is empty: it has neither a label nor an emoji");
  }
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === "" ||
    (Array.isArray(value) && value.length === 0);
}

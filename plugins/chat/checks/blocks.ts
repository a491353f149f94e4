import type { CapturedEvent, CheckTopic, Found } from "../../../core/plugin.ts";
import type { ChatMessage } from "../model.ts";
import { characters, entries, exceeded, type Limit } from "./limits.ts";
import { lengthOf, type Placed, walkObjects } from "./walk.ts";

const REFERENCE = "https://docs.slack.dev/reference/block-kit";

/** By the type of a block or element. */
const LIMITS: Readonly<Record<string, readonly Limit[]>> = {
  actions: [entries("elements", 25, "blocks/actions-block")],
  button: [
    characters("text", 75, "block-elements/button-element"),
    characters("url", 3000, "block-elements/button-element"),
    characters("value", 2000, "block-elements/button-element"),
    characters("accessibility_label", 75, "block-elements/button-element"),
  ],
  checkboxes: [entries("options", 10, "block-elements/checkboxes-element")],
  context: [entries("elements", 10, "blocks/context-block")],
  context_actions: [entries("elements", 5, "blocks/context-actions-block")],
  header: [characters("text", 150, "blocks/header-block")],
  image: [
    characters("alt_text", 2000, "blocks/image-block"),
    characters("title", 2000, "blocks/image-block"),
    characters("image_url", 3000, "blocks/image-block"),
  ],
  overflow: [entries("options", 5, "block-elements/overflow-menu-element")],
  radio_buttons: [entries("options", 10, "block-elements/radio-button-group-element")],
  section: [
    characters("text", 3000, "blocks/section-block"),
    entries("fields", 10, "blocks/section-block"),
  ],
  static_select: [
    entries("options", 100, "block-elements/select-menu-element"),
    entries("option_groups", 100, "block-elements/select-menu-element"),
    characters("placeholder", 150, "block-elements/select-menu-element"),
  ],
  video: [
    characters("title", 200, "blocks/video-block"),
    characters("alt_text", 2000, "blocks/video-block"),
  ],
};
/** Maximum characters of a field of a section, and of ids. */
const MAX_FIELD = 2000;
const MAX_ID = 255;
const MAX_BLOCKS = 50;

/** Limits of blocks that the vendor documents. */
export const blocksTopic: CheckTopic<CapturedEvent<ChatMessage>> = {
  checks: [
    {
      id: "chat.block_limit",
      level: "error",
      about: "A block or element is longer or has more entries than the vendor's reference allows",
      source: `${REFERENCE}/blocks`,
    },
    {
      id: "chat.image_alt",
      level: "warning",
      about: "An image of a block has no alt_text, which the vendor requires",
      source: `${REFERENCE}/blocks/image-block`,
    },
    {
      id: "chat.block_id",
      level: "warning",
      about: "Two blocks of a message have the same block_id",
      source: `${REFERENCE}/blocks`,
    },
  ],
  *find({ payload: { contents = [] } }) {
    for (const { format, json } of contents) {
      if (format !== "chat1.blocks") continue;
      if (Array.isArray(json) && json.length > MAX_BLOCKS) {
        yield {
          id: "chat.block_limit",
          message: `${json.length} blocks; at most ${MAX_BLOCKS}`,
          where: { part: "blocks", path: "blocks" },
        };
      }
      const seen = new Set<unknown>();
      for (const placed of walkObjects(json, "blocks")) {
        yield undefined;
        yield* overLimit(placed);
        const { value: { type, block_id: id, alt_text: alt }, path } = placed;
        if (type === "image" && !alt) {
          yield {
            id: "chat.image_alt",
            message: "alt_text is missing",
            where: { part: "blocks", path },
          };
        }
        if (id === undefined) continue;
        if (seen.has(id)) {
          yield {
            id: "chat.block_id",
            message: `${JSON.stringify(id)} is also the block_id of another block`,
            where: { part: "blocks", path },
          };
        }
        seen.add(id);
      }
    }
  },
};

function* overLimit({ value, path }: Placed): Generator<Found> {
  const report = (at: string, { length, most, counts }: {
    readonly length: number;
    readonly most: number;
    readonly counts: Limit["counts"];
  }, page = "blocks"): Found => ({
    id: "chat.block_limit",
    message: `${length} ${counts}; at most ${most}`,
    where: { part: "blocks", path: `${path}.${at}` },
    source: `${REFERENCE}/${page}`,
  });
  const type = String(value.type);
  for (const over of exceeded(value, Object.hasOwn(LIMITS, type) ? LIMITS[type]! : [])) {
    yield report(over.member, over, over.page);
  }
  if (type === "section" && Array.isArray(value.fields)) {
    for (const [at, field] of value.fields.entries()) {
      const length = lengthOf(field);
      if (length > MAX_FIELD) {
        yield report(
          `fields[${at}]`,
          { length, most: MAX_FIELD, counts: "characters" },
          "blocks/section-block",
        );
      }
    }
  }
  for (const name of ["block_id", "action_id"]) {
    const length = lengthOf(value[name]);
    if (length > MAX_ID) yield report(name, { length, most: MAX_ID, counts: "characters" });
  }
}

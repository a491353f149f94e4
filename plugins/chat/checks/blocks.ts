import type { CapturedEvent, CheckTopic, Found } from "../../../core/plugin.ts";
import type { ChatMessage } from "../model.ts";
import { limitsOf, MAX_BLOCKS, MAX_CELLS, MAX_FIELD, MAX_ID } from "./block_limits.ts";
import { exceeded, type Limit } from "./limits.ts";
import { lengthOf, type Placed, walkObjects } from "./walk.ts";

const REFERENCE = "https://docs.slack.dev/reference/block-kit";

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
  for (const over of exceeded(value, limitsOf({ value, path }))) {
    yield report(over.member, over, over.page);
  }
  const { type } = value;
  if (type === "table" && Array.isArray(value.rows)) {
    for (const [at, row] of value.rows.entries()) {
      const length = Array.isArray(row) ? row.length : 0;
      if (length <= MAX_CELLS) continue;
      const over = { length, most: MAX_CELLS, counts: "entries" } as const;
      yield report(`rows[${at}]`, over, "blocks/table-block");
    }
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

import type { CapturedEvent, CheckTopic, Found } from "../../../core/plugin.ts";
import type { ChatMessage } from "../model.ts";
import { limitsOf, MAX_BLOCKS, MAX_VIEW_BLOCKS } from "./block_limits.ts";
import { type Broken, brokenRules, misplaced, Together } from "./block_rules.ts";
import { exceeded } from "./limits.ts";
import { type Placed, walkObjects } from "./walk.ts";

const REFERENCE = "https://docs.slack.dev/reference/block-kit";

/** Contents with blocks, the name of their part, and most blocks. */
const CONTENTS: Readonly<
  Record<string, { readonly part: string; readonly surface: "message" | "view"; most: number }>
> = {
  "chat1.blocks": { part: "blocks", surface: "message", most: MAX_BLOCKS },
  "chat1.attachments": { part: "attachments", surface: "message", most: MAX_BLOCKS },
  "chat1.view": { part: "view", surface: "view", most: MAX_VIEW_BLOCKS },
};
/** Blocks of a message or view, and those inside attachments and containers. */
const LIST = /^(?:blocks|(?:view|attachments\[\d+\])\.blocks)$/;
const BLOCK = /^(?:blocks|(?:view|attachments\[\d+\])\.blocks)\[\d+\](?:\.child_blocks\[\d+\])?$/;
/** Old attachments have buttons and menus of their own, with other limits. */
const LEGACY = /^attachments\[\d+\](?!\.blocks)/;

/** Limits of blocks that the vendor documents. */
export const blocksTopic: CheckTopic<CapturedEvent<ChatMessage>> = {
  checks: [
    {
      id: "chat.block_limit",
      level: "error",
      about:
        "A block or element is longer or has more entries than the vendor's reference allows, or breaks another of its rules",
      source: `${REFERENCE}/blocks`,
    },
    {
      id: "chat.block_type",
      level: "error",
      about: "The vendor has no block of this type, or does not support it in messages",
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
    const together = new Together();
    for (const { format, json } of contents) {
      if (!Object.hasOwn(CONTENTS, format)) continue;
      const { part, surface, most } = CONTENTS[format]!;
      const seen = new Set<unknown>();
      const broken = ({ message, path, page }: Broken): Found => ({
        id: "chat.block_limit",
        message,
        where: { part, path },
        source: page.startsWith("https:") ? page : `${REFERENCE}/${page}`,
      });
      for (const placed of walkObjects({ [part]: json }, "")) {
        yield undefined;
        const { value, path: whole } = placed;
        const path = whole.slice(1);
        for (const [name, inner] of Object.entries(value)) {
          const at = path === "" ? name : `${path}.${name}`;
          if (!LIST.test(at) || !Array.isArray(inner) || inner.length <= most) continue;
          yield broken({
            message: `${inner.length} blocks; at most ${most}`,
            path: at,
            page: "blocks",
          });
        }
        if (path === "" || LEGACY.test(path)) continue;
        if (BLOCK.test(path)) {
          const why = misplaced(value.type, surface);
          if (why !== undefined) {
            yield { id: "chat.block_type", message: why, where: { part, path } };
          }
          if (surface === "message") yield* [...together.add({ value, path })].map(broken);
        }
        yield* [...ofObject({ value, path })].map(broken);
        const { type, block_id: id, alt_text: alt } = value;
        if (type === "image" && !alt) {
          yield { id: "chat.image_alt", message: "alt_text is missing", where: { part, path } };
        }
        if (id === undefined) continue;
        if (seen.has(id)) {
          yield {
            id: "chat.block_id",
            message: `${JSON.stringify(id)} is also the block_id of another block`,
            where: { part, path },
          };
        }
        seen.add(id);
      }
    }
  },
};

function* ofObject(placed: Placed): Generator<Broken> {
  const { value, path } = placed;
  for (const { member, length, counts, most, page } of exceeded(value, limitsOf(placed))) {
    yield { message: `${length} ${counts}; at most ${most}`, path: `${path}.${member}`, page };
  }
  yield* brokenRules(placed);
}

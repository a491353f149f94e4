/** Rich messages: https://core.telegram.org/bots/api#sendrichmessage */
import { isJsonObject } from "../../../core/codec/json_lenient.ts";
import type { Json } from "./fields.ts";
import { checkMedia } from "./input_media.ts";
import type { Params } from "./params.ts";
import { fail } from "./refusals.ts";

/** Blocks with a file, by the kind of the file: https://core.telegram.org/bots/api#inputrichblock */
export const RICH_MEDIA: Readonly<Record<string, string>> = {
  animation: "animation",
  audio: "audio",
  document: "document",
  photo: "photo",
  video: "video",
  voice_note: "voice",
};

/** Where a rich message comes from. */
export interface RichSource {
  readonly params: Params;
  /** Only a draft has a block `thinking`. */
  readonly isDraft?: boolean;
}

/** Types of blocks in messages. */
const BLOCKS: ReadonlySet<unknown> = new Set([
  ...["paragraph", "heading", "pre", "footer", "divider", "mathematical_expression", "anchor"],
  ...["list", "blockquote", "expandable_blockquote", "pullquote", "collage", "slideshow", "table"],
  ...["details", "map", "buttons"],
  ...Object.keys(RICH_MEDIA),
]);

/**
 * Parses an `InputRichMessage`, and returns a `RichMessage`. HTML and Markdown are not parsed: each
 * of their paragraphs is a block with its source as text.
 */
export function readRich(
  value: unknown,
  from: RichSource,
): Json {
  if (!isJsonObject(value)) return fail("can't parse InputRichMessage: expected an Object");
  const { html, markdown, blocks, is_rtl } = value;
  const source = html ?? markdown ?? blocks;
  if ([html, markdown, blocks].filter((one) => one !== undefined).length !== 1) {
    return fail("exactly one of html, markdown and blocks must be used in InputRichMessage");
  }
  const direction = is_rtl === true ? { is_rtl } : {};
  if (blocks !== undefined) return { blocks: readBlocks(blocks, from), ...direction };
  if (typeof source !== "string" || source.trim() === "") return fail("message text is empty");
  const paragraphs = source.trim().split(/\n\s*\n/);
  return { blocks: paragraphs.map((text) => ({ type: "paragraph", text })), ...direction };
}

/** Returns the source of a rich message, or the texts of its blocks in lines. */
export function richText({ html, markdown, blocks }: Json): string {
  return typeof (html ?? markdown) === "string" ? String(html ?? markdown) : textOf(blocks);
}

/** Members with texts: https://core.telegram.org/bots/api#richtext */
const TEXTS = ["text", "summary", "items", "blocks", "cells", "caption", "credit"];

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) {
    const isText = value.some((one) => typeof one === "string");
    return value.map(textOf).filter((one) => one !== "").join(isText ? "" : "\n");
  }
  if (!isJsonObject(value)) return "";
  return TEXTS.map((name) => textOf(value[name])).filter((one) => one !== "").join("\n");
}

function readBlocks(blocks: unknown, from: RichSource): readonly Json[] {
  if (!Array.isArray(blocks)) return fail("expected an Array of InputRichBlock");
  return blocks.length === 0
    ? fail("message text is empty")
    : blocks.map((block) => readBlock(block, from));
}

function readBlock(block: unknown, from: RichSource): Json {
  if (!isJsonObject(block)) return fail("expected an Object as InputRichBlock");
  const { type, blocks, items } = block;
  if (!BLOCKS.has(type) && !(from.isDraft === true && type === "thinking")) {
    return fail("inputRichBlock type is invalid");
  }
  const kind = RICH_MEDIA[String(type)];
  const media = block[String(type)];
  if (kind !== undefined) checkMedia(media, { params: from.params, types: [kind, String(type)] });
  return {
    ...block,
    ...(blocks !== undefined && { blocks: readBlocks(blocks, from) }),
    ...(type === "list" && { items: readItems(items, from) }),
  };
}

/** Returns the items with their labels: https://core.telegram.org/bots/api#richblocklistitem */
function readItems(items: unknown, from: RichSource): readonly Json[] {
  if (!Array.isArray(items)) return fail("expected an Array of InputRichBlockListItem");
  return items.map((item: unknown, index) => {
    if (!isJsonObject(item)) return fail("expected an Object as InputRichBlockListItem");
    const { value, type, blocks } = item;
    const isNumbered = value !== undefined || type !== undefined;
    const label = isNumbered ? `${value ?? index + 1}.` : "•";
    return { ...item, label, blocks: readBlocks(blocks, from) };
  });
}

/** Replaces the media of blocks; `toMedia` returns the object of one. */
export function withMedia(
  blocks: readonly Json[],
  toMedia: (kind: string, media: Json) => unknown,
): readonly Json[] {
  const inner = (value: unknown) => withMedia(value as readonly Json[], toMedia);
  return blocks.map((block) => {
    const { type } = block;
    const kind = RICH_MEDIA[String(type)];
    const media = block[String(type)];
    return {
      ...block,
      ...(Array.isArray(block.blocks) && { blocks: inner(block.blocks) }),
      ...(type === "list" && {
        items: (block.items as readonly Json[]).map((item) => ({
          ...item,
          blocks: inner(item.blocks),
        })),
      }),
      ...(kind !== undefined && isJsonObject(media) && { [String(type)]: toMedia(kind, media) }),
    };
  });
}

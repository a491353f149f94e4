/**
 * What is posted, by webhook or by `chat.postMessage` (https://docs.slack.dev/reference/methods/chat.postMessage).
 *
 * @module
 */
import { WireError } from "../../../core/bytes/decoder.ts";
import { isJsonObject, parseJson } from "../../../core/codec/json_lenient.ts";
import { scanJson, sliceJson } from "../../../core/codec/json_span.ts";
import type { DraftContent } from "../capture.ts";
import { type Arguments, readFlag } from "./arguments.ts";
import { textOfAttachments, textOfBlocks } from "./fallback.ts";

/** A structured argument: as sent, and parsed. */
export interface Structured {
  readonly json: string;
  readonly items: readonly unknown[];
}

/** A message to be captured. Empty texts mean absent. */
export interface Post {
  /** As sent. */
  readonly text: string;
  /** As sent, or made from what was sent instead. */
  readonly readable: string;
  readonly blocks?: Structured;
  readonly attachments?: Structured;
  readonly channel: string;
  readonly threadTs: string;
  readonly username: string;
  readonly iconUrl: string;
  readonly iconEmoji: string;
  /** Everything else that is documented. */
  readonly meta: Readonly<Record<string, unknown>>;
}

/** Why a post is refused, in the vendor's words. */
export interface PostFault {
  readonly error:
    | "no_text"
    | "invalid_blocks"
    | "invalid_blocks_format"
    | "invalid_attachments"
    | "too_many_attachments"
    | "msg_too_long"
    | "markdown_text_conflict"
    | "invalid_metadata_format";
  /** Places in the blocks, as the vendor words them. */
  readonly details?: readonly string[];
}

const MAX_TEXT = 40_000;
const MAX_MARKDOWN = 12_000;
const MAX_BLOCKS = 50;
const MAX_ATTACHMENTS = 100;
/** Longest texts of blocks, by block type (docs.slack.dev/reference/block-kit/blocks). */
const MAX_BLOCK_TEXT: Readonly<Record<string, number>> = { section: 3000, header: 150 };

const FLAGS = [
  "mrkdwn",
  "unfurl_links",
  "unfurl_media",
  "link_names",
  "as_user",
  "reply_broadcast",
  "replace_original",
  "delete_original",
] as const;
const WORDS = ["icon_emoji", "parse", "response_type", "markdown_text", "client_msg_id"] as const;

/** Reads what a post says. */
export function readPost(given: Arguments): Post | PostFault {
  const text = given.text("text") ?? "";
  const markdown = given.text("markdown_text") ?? "";
  const blocks = readItems(given.json("blocks"), "invalid_blocks");
  if ("error" in blocks) return blocks;
  const attachments = readItems(given.json("attachments"), "invalid_attachments");
  if ("error" in attachments) return attachments;
  const metadata = readMetadata(given);
  if ("error" in metadata) return metadata;
  const fault = check({ text, markdown, blocks, attachments });
  if (fault !== undefined) return fault;
  return {
    text,
    readable: text || markdown || textOfBlocks(blocks.items) ||
      textOfAttachments(attachments.items),
    ...(blocks.items.length > 0 ? { blocks } : {}),
    ...(attachments.items.length > 0 ? { attachments } : {}),
    channel: given.text("channel")?.trim() ?? "",
    threadTs: given.text("thread_ts") ?? "",
    username: given.text("username") ?? "",
    iconUrl: given.text("icon_url") ?? "",
    iconEmoji: given.text("icon_emoji") ?? "",
    meta: { ...readSettings(given), ...metadata },
  };
}

/** The structured parts, unchanged. */
export function contentsOf({ blocks, attachments }: Post): readonly DraftContent[] {
  return [
    ...(blocks === undefined ? [] : [{ format: "chat1.blocks", json: blocks.json } as const]),
    ...(attachments === undefined
      ? []
      : [{ format: "chat1.attachments", json: attachments.json } as const]),
  ];
}

function check(post: {
  readonly text: string;
  readonly markdown: string;
  readonly blocks: Structured;
  readonly attachments: Structured;
}): PostFault | undefined {
  const { text, markdown, blocks, attachments } = post;
  if (blocks.items.length > MAX_BLOCKS) {
    return {
      error: "invalid_blocks",
      details: [`no more than ${MAX_BLOCKS} items allowed [json-pointer:/blocks]`],
    };
  }
  const details = blocks.items.flatMap((block, index) => blockFault(block, `/blocks/${index}`));
  if (details.length > 0) return { error: "invalid_blocks", details };
  if (!attachments.items.every(isJsonObject)) return { error: "invalid_attachments" };
  if (attachments.items.length > MAX_ATTACHMENTS) return { error: "too_many_attachments" };
  if (markdown !== "" && (text !== "" || blocks.items.length > 0)) {
    return { error: "markdown_text_conflict" };
  }
  if (text.length > MAX_TEXT || markdown.length > MAX_MARKDOWN) return { error: "msg_too_long" };
  const empty = blocks.items.length === 0 && attachments.items.length === 0;
  return text === "" && markdown === "" && empty ? { error: "no_text" } : undefined;
}

function blockFault(block: unknown, pointer: string): string[] {
  if (!isJsonObject(block)) return [`must be an object [json-pointer:${pointer}]`];
  if (typeof block.type !== "string") {
    return [`missing required field: type [json-pointer:${pointer}]`];
  }
  const max = MAX_BLOCK_TEXT[block.type];
  const text = isJsonObject(block.text) ? block.text.text : undefined;
  if (max === undefined || typeof text !== "string" || text.length <= max) return [];
  return [`must be less than ${max + 1} characters [json-pointer:${pointer}/text/text]`];
}

function readItems(
  json: string | undefined,
  error: "invalid_blocks" | "invalid_attachments",
): Structured | PostFault {
  if (json === undefined || json.trim() === "") return { json: "", items: [] };
  try {
    const items = parseJson(json);
    if (!Array.isArray(items)) return { error };
    return { json: sliceJson(json, scanJson(json)), items };
  } catch (fault) {
    if (!(fault instanceof WireError)) throw fault;
    return { error: error === "invalid_blocks" ? "invalid_blocks_format" : error };
  }
}

function readMetadata(given: Arguments): PostFault | { readonly metadata?: unknown } {
  const json = given.json("metadata");
  if (json === undefined || json.trim() === "") return {};
  try {
    const metadata = parseJson(json);
    return isJsonObject(metadata) ? { metadata } : { error: "invalid_metadata_format" };
  } catch (fault) {
    if (fault instanceof WireError) return { error: "invalid_metadata_format" };
    throw fault;
  }
}

function readSettings(given: Arguments): Record<string, unknown> {
  const meta: Record<string, unknown> = {};
  for (const name of FLAGS) {
    const text = given.text(name);
    // What is no flag in any spelling is kept as it was sent.
    if (text !== undefined) meta[name] = readFlag(text) ?? text;
  }
  for (const name of WORDS) {
    const text = given.text(name);
    if (text !== undefined) meta[name] = text;
  }
  return meta;
}

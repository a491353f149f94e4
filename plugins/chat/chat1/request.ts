/**
 * What is posted, by webhook or by `chat.postMessage` (https://docs.slack.dev/reference/methods/chat.postMessage).
 *
 * @module
 */
import { WireError } from "../../../core/bytes/decoder.ts";
import { isJsonObject, parseJson } from "../../../core/codec/json_lenient.ts";
import { scanJson, sliceJson } from "../../../core/codec/json_span.ts";
import { failure, type Result, success } from "../../../core/result.ts";
import type { DraftContent } from "../capture.ts";
import { type Arguments, readFlag } from "./arguments.ts";
import { textOfAttachments, textOfBlocks } from "./readable_text.ts";
import type { VendorRefusal } from "./refusals.ts";

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
export function readPost(given: Arguments): Result<Post, VendorRefusal> {
  const text = given.text("text") ?? "";
  const markdown = given.text("markdown_text") ?? "";
  const blocks = readItems(given.json("blocks"), "invalid_blocks");
  if (!blocks.ok) return blocks;
  const attachments = readItems(given.json("attachments"), "invalid_attachments");
  if (!attachments.ok) return attachments;
  const metadata = readMetadata(given);
  if (!metadata.ok) return metadata;
  const parts = { text, markdown, blocks: blocks.value, attachments: attachments.value };
  const refusal = check(parts);
  if (refusal !== undefined) return failure(refusal);
  return success({
    text,
    readable: text || markdown || textOfBlocks(parts.blocks.items) ||
      textOfAttachments(parts.attachments.items),
    ...(parts.blocks.items.length > 0 ? { blocks: parts.blocks } : {}),
    ...(parts.attachments.items.length > 0 ? { attachments: parts.attachments } : {}),
    channel: given.text("channel")?.trim() ?? "",
    threadTs: given.text("thread_ts") ?? "",
    username: given.text("username") ?? "",
    iconUrl: given.text("icon_url") ?? "",
    iconEmoji: given.text("icon_emoji") ?? "",
    meta: { ...readSettings(given), ...metadata.value },
  });
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
}): VendorRefusal | undefined {
  const { text, markdown, blocks, attachments } = post;
  if (blocks.items.length > MAX_BLOCKS) {
    return {
      error: "invalid_blocks",
      details: [`no more than ${MAX_BLOCKS} items allowed [json-pointer:/blocks]`],
    };
  }
  const details = blocks.items.flatMap((block, index) => blockProblems(block, `/blocks/${index}`));
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

function blockProblems(block: unknown, pointer: string): string[] {
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
): Result<Structured, VendorRefusal> {
  if (json === undefined || json.trim() === "") return success({ json: "", items: [] });
  try {
    const items = parseJson(json);
    if (!Array.isArray(items)) return failure({ error });
    return success({ json: sliceJson(json, scanJson(json)), items });
  } catch (cause) {
    if (!(cause instanceof WireError)) throw cause;
    return failure({ error: error === "invalid_blocks" ? "invalid_blocks_format" : error });
  }
}

function readMetadata(
  given: Arguments,
): Result<{ readonly metadata?: unknown }, VendorRefusal> {
  const json = given.json("metadata");
  if (json === undefined || json.trim() === "") return success({});
  const refusal = { error: "invalid_metadata_format" };
  try {
    const metadata = parseJson(json);
    return isJsonObject(metadata) ? success({ metadata }) : failure(refusal);
  } catch (error) {
    if (error instanceof WireError) return failure(refusal);
    throw error;
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

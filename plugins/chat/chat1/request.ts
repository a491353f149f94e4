/** Posts, by webhook or by `chat.postMessage` (https://docs.slack.dev/reference/methods/chat.postMessage). */
import { WireError } from "../../../core/bytes/decoder.ts";
import { isJsonObject, parseJson } from "../../../core/codec/json_lenient.ts";
import { scanJson, sliceJson } from "../../../core/codec/json_span.ts";
import { ownValue } from "../../../core/own.ts";
import { attempt, type Result } from "../../../core/result.ts";
import type { DraftContent } from "../capture.ts";
import { type Arguments, readFlag } from "./arguments.ts";
import { textOfAttachments, textOfBlocks } from "./readable_text.ts";
import { fail, type VendorRefusal } from "./refusals.ts";

/** A structured argument: as sent, and parsed. */
export interface Structured {
  readonly json: string;
  readonly items: readonly unknown[];
}

/** A post. Empty texts mean absent. */
export interface Post {
  /** As sent. */
  readonly text: string;
  /** As sent, or derived from blocks and attachments. */
  readonly readable: string;
  readonly blocks?: Structured;
  readonly attachments?: Structured;
  readonly channel: string;
  readonly threadTs: string;
  readonly username: string;
  readonly iconUrl: string;
  readonly iconEmoji: string;
  /** All other documented members. */
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

/** Reads a post. */
export function readPost(given: Arguments): Result<Post, VendorRefusal> {
  return attempt(() => parsePost(given));
}

function parsePost(given: Arguments): Post {
  const text = given.text("text") ?? "";
  const markdown = given.text("markdown_text") ?? "";
  const blocks = readItems(given, "blocks");
  const attachments = readItems(given, "attachments");
  const metadata = readMetadata(given);
  check({ text, markdown, blocks, attachments });
  return {
    text,
    readable: text || markdown || textOfBlocks(blocks.items) ||
      textOfAttachments(attachments.items),
    ...(blocks.items.length > 0 && { blocks }),
    ...(attachments.items.length > 0 && { attachments }),
    channel: given.text("channel")?.trim() ?? "",
    threadTs: given.text("thread_ts") ?? "",
    username: given.text("username") ?? "",
    iconUrl: given.text("icon_url") ?? "",
    iconEmoji: given.text("icon_emoji") ?? "",
    meta: { ...readSettings(given), ...metadata },
  };
}

/** Returns the structured contents, unchanged. */
export function contentsOf({ blocks, attachments }: Post): readonly DraftContent[] {
  return [
    ...(blocks === undefined ? [] : [{ format: "chat1.blocks", json: blocks.json } as const]),
    ...(attachments === undefined
      ? []
      : [{ format: "chat1.attachments", json: attachments.json } as const]),
  ];
}

function check({ text, markdown, blocks, attachments }: {
  readonly text: string;
  readonly markdown: string;
  readonly blocks: Structured;
  readonly attachments: Structured;
}): void {
  if (blocks.items.length > MAX_BLOCKS) {
    fail("invalid_blocks", [`no more than ${MAX_BLOCKS} items allowed [json-pointer:/blocks]`]);
  }
  const details = blocks.items.flatMap((block, index) => blockProblems(block, `/blocks/${index}`));
  if (details.length > 0) fail("invalid_blocks", details);
  if (!attachments.items.every(isJsonObject)) fail("invalid_attachments");
  if (attachments.items.length > MAX_ATTACHMENTS) fail("too_many_attachments");
  if (markdown !== "" && (text !== "" || blocks.items.length > 0)) fail("markdown_text_conflict");
  if (text.length > MAX_TEXT || markdown.length > MAX_MARKDOWN) fail("msg_too_long");
  const empty = blocks.items.length === 0 && attachments.items.length === 0;
  if (text === "" && markdown === "" && empty) fail("no_text");
}

function blockProblems(block: unknown, pointer: string): string[] {
  if (!isJsonObject(block)) return [`must be an object [json-pointer:${pointer}]`];
  if (typeof block.type !== "string") {
    return [`missing required field: type [json-pointer:${pointer}]`];
  }
  const max = ownValue(MAX_BLOCK_TEXT, block.type);
  const text = isJsonObject(block.text) ? block.text.text : undefined;
  if (max === undefined || typeof text !== "string" || text.length <= max) return [];
  return [`must be less than ${max + 1} characters [json-pointer:${pointer}/text/text]`];
}

function readItems(given: Arguments, name: "blocks" | "attachments"): Structured {
  const json = given.json(name) ?? "";
  if (json.trim() === "") return { json: "", items: [] };
  const parsed = parse(json, name === "blocks" ? "invalid_blocks_format" : "invalid_attachments");
  return Array.isArray(parsed.value)
    ? { json: parsed.json, items: parsed.value }
    : fail(`invalid_${name}`);
}

function readMetadata(given: Arguments): { readonly metadata?: unknown } {
  const json = given.json("metadata") ?? "";
  if (json.trim() === "") return {};
  const { value } = parse(json, "invalid_metadata_format");
  return isJsonObject(value) ? { metadata: value } : fail("invalid_metadata_format");
}

function parse(json: string, error: string): { readonly json: string; readonly value: unknown } {
  try {
    return { value: parseJson(json), json: sliceJson(json, scanJson(json)) };
  } catch (cause) {
    if (cause instanceof WireError) fail(error);
    throw cause;
  }
}

function readSettings(given: Arguments): Record<string, unknown> {
  const meta: Record<string, unknown> = {};
  for (const name of FLAGS) {
    const text = given.text(name);
    // Other values are stored as sent.
    if (text !== undefined) meta[name] = readFlag(text) ?? text;
  }
  for (const name of WORDS) {
    const text = given.text(name);
    if (text !== undefined) meta[name] = text;
  }
  return meta;
}

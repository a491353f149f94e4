/**
 * Readable text of a message without one, made from its blocks (https://docs.slack.dev/reference/block-kit) or
 * its attachments (https://docs.slack.dev/reference/messaging/secondary-message-attachments).
 */
import { isJsonObject } from "../../../core/codec/json_lenient.ts";

type Json = Readonly<Record<string, unknown>>;

/** Longest text, in UTF-16 code units. */
const MAX_LENGTH = 4000;

/** Members with text inside, in reading order. */
const CONTAINERS = ["title", "label", "text", "fields", "elements", "accessory", "rows"] as const;

/** Returns the readable text of a list of blocks. */
export function textOfBlocks(blocks: readonly unknown[]): string {
  return join(blocks, textOfBlock);
}

/** Returns the readable text of a list of attachments. */
export function textOfAttachments(attachments: readonly unknown[]): string {
  return join(attachments, (item) => {
    if (!isJsonObject(item)) return "";
    const blocks = Array.isArray(item.blocks) ? textOfBlocks(item.blocks) : "";
    return asText(item.fallback) || asText(item.title) || asText(item.text) ||
      asText(item.pretext) || blocks;
  });
}

function textOfBlock(block: unknown): string {
  if (Array.isArray(block)) return block.map(textOfBlock).filter(Boolean).join(" ");
  if (!isJsonObject(block)) return asText(block);
  const inline = textOfInline(block);
  if (inline !== undefined) return inline;
  const between = block.type === "rich_text_section" ? "" : block.type === "section" ? "\n" : " ";
  const parts = CONTAINERS.flatMap((name) => {
    const value = block[name];
    return Array.isArray(value) ? value.map(textOfBlock) : [textOfBlock(value)];
  }).filter((part) => part !== "");
  return parts.join(between) || asText(block.alt_text);
}

/** Inline elements of rich text. */
function textOfInline(element: Json): string | undefined {
  switch (element.type) {
    case "link":
      return asText(element.text) || asText(element.url);
    case "emoji":
      return `:${asText(element.name)}:`;
    case "user":
      return `<@${asText(element.user_id)}>`;
    case "usergroup":
      return `<!subteam^${asText(element.usergroup_id)}>`;
    case "channel":
      return `<#${asText(element.channel_id)}>`;
    case "broadcast":
      return `@${asText(element.range)}`;
    case "date":
      return asText(element.fallback);
    default:
      return undefined;
  }
}

function join(items: readonly unknown[], textOf: (item: unknown) => string): string {
  let text = "";
  for (const item of items) {
    const part = textOf(item);
    if (part !== "") text += text === "" ? part : `\n${part}`;
    if (text.length > MAX_LENGTH) return text.slice(0, MAX_LENGTH).toWellFormed();
  }
  return text;
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

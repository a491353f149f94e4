/**
 * Formatted texts: https://core.telegram.org/bots/api#formatting-options. Offsets count UTF-16 code
 * units of the text without its marks. What is refused, and in what words, is that of
 * https://github.com/tdlib/td/blob/master/td/telegram/MessageEntity.cpp
 */
import { bytesAt, type Formatted } from "./entities.ts";
import { readHtml } from "./html.ts";
import { readMarkdown } from "./markdown.ts";
import { readMarkdownV2 } from "./markdown_v2.ts";
import { fail } from "./refusals.ts";

/** Longest text with its marks, in bytes. */
const MAX_BYTES = 32_768;

/** Parses a text in a parse mode. Throws `Refused`. */
export function readFormatted(text: string, parseMode: string): Formatted {
  if (text.length > MAX_BYTES || bytesAt(text, text.length) > MAX_BYTES) {
    return fail("text is too long");
  }
  // The vendor's server does not look at the mode of an empty text.
  if (text === "") return { text, entities: [] };
  switch (parseMode.toLowerCase()) {
    case "":
    case "none":
      return { text, entities: [] };
    case "html":
      return readHtml(text);
    case "markdownv2":
      return readMarkdownV2(text);
    case "markdown":
      return readMarkdown(text);
    default:
      return fail("unsupported parse_mode");
  }
}

import { placeIn } from "../../../core/checks/place.ts";
import type { CapturedEvent, CheckTopic, Found } from "../../../core/plugin.ts";
import type { ChatMessage } from "../model.ts";
import { keyboardFindings } from "./telegram_keyboard.ts";
import { contentFindings } from "./telegram_values.ts";
import { lengthOf } from "./walk.ts";

const API = "https://core.telegram.org/bots/api";

type Json = Readonly<Record<string, unknown>>;

/** Bytes of an upload: https://core.telegram.org/bots/api#sending-files */
const MAX_PHOTO = 10_000_000;
const MAX_FILE = 50_000_000;
const MAX_QUOTE = 1024;

const TAG =
  /<\/?(?:b|strong|i|em|u|ins|s|strike|del|code|pre|a|blockquote|tg-spoiler)(?:\s[^<>]{0,500})?>/gi;
const MARKDOWN =
  /\*\*[^*\n]{1,200}\*\*|(?<![\w*])\*[^*\s][^*\n]{0,198}\*(?![\w*])|\[[^\]\n]{1,200}\]\(https?:[^)\s]{1,500}\)/g;

/**
 * Checks of Telegram messages: marks that are shown literally, and values that the vendor refuses.
 */
export const telegramTopic: CheckTopic<CapturedEvent<ChatMessage>> = {
  checks: [
    {
      id: "chat.parse_mode",
      level: "warning",
      about:
        "The text has tags or marks that its parse_mode does not read: they are shown literally",
      source: `${API}#formatting-options`,
    },
    {
      id: "chat.entities",
      level: "error",
      about: "An entity is outside the text, or is given beside parse_mode, which replaces it",
      source: `${API}#messageentity`,
    },
    {
      id: "chat.keyboard_button",
      level: "error",
      about:
        "A button of an inline keyboard does not do exactly one thing, or its address is not one that " +
        "Telegram opens",
      source: `${API}#inlinekeyboardbutton`,
    },
    {
      id: "chat.keyboard_limit",
      level: "error",
      about: "A part of a keyboard is longer than Telegram allows",
      source: `${API}#inlinekeyboardmarkup`,
    },
    {
      id: "chat.telegram_poll",
      level: "error",
      about:
        "A Telegram poll has too long a text, too many options, or a time outside the range that Telegram allows",
      source: `${API}#sendpoll`,
    },
    {
      id: "chat.telegram_value",
      level: "error",
      about:
        "A place, a contact, a checklist, an invoice, a die or a quote has a value that Telegram does not allow",
      source: `${API}#available-methods`,
    },
    {
      id: "chat.telegram_file",
      level: "error",
      about: "A file is larger than bots can upload: 10 MB for photos, 50 MB for others",
      source: `${API}#sending-files`,
    },
  ],
  *find({ payload, provider, meta, received_at }) {
    const { text, contents = [], files = [], change } = payload;
    if (provider !== "chat4" || (change !== undefined && change.kind !== "edit")) return;
    if (meta.derived_text !== true) {
      yield* unread(text, meta);
      yield* ofEntities(meta);
    }
    yield* ofQuote(meta.reply_parameters);
    for (const { format, json } of contents) {
      if (format === "chat4.reply_markup") yield* keyboardFindings(json);
      if (format === "chat4.content") yield* contentFindings(json as Json | null, received_at);
    }
    const most = meta.kind === "photo" ? MAX_PHOTO : MAX_FILE;
    for (const [at, { size, filename = "file" }] of files.entries()) {
      if (size <= most) continue;
      yield {
        id: "chat.telegram_file",
        message: `${JSON.stringify(filename.slice(-100))} has ${size} bytes; at most ${most}`,
        where: { part: "files", path: `files[${at}]` },
      };
    }
  },
};

/** Marks of a mode other than the parse mode of the text. */
function* unread(text: string, meta: Json): Generator<Found> {
  const mode = String(meta.parse_mode ?? "").toLowerCase();
  // With explicit entities, the text contains no marks.
  if (mode === "" && (meta.entities !== undefined || meta.caption_entities !== undefined)) return;
  const report = (start: number, found: string, advice: string): Found => ({
    id: "chat.parse_mode",
    message: advice,
    where: () => placeIn("text", text, { start, end: start + found.length }),
  });
  if (mode !== "html") {
    for (const { 0: found, index } of text.matchAll(TAG)) {
      yield report(index, found, "Tags are only read with parse_mode=HTML");
    }
  }
  if (mode === "" || mode === "html") {
    for (const { 0: found, index } of text.matchAll(MARKDOWN)) {
      yield report(index, found, "Markdown is only read with parse_mode=MarkdownV2");
    }
  }
}

function* ofEntities(meta: Json): Generator<Found> {
  const plain = typeof meta.plain === "string" ? meta.plain : "";
  const isParsed = meta.parse_mode !== undefined;
  for (const name of ["entities", "caption_entities"]) {
    const list = meta[name];
    if (!Array.isArray(list)) continue;
    // Entities from a parse mode are in the text.
    if (isParsed && name === "caption_entities") {
      yield {
        id: "chat.entities",
        message: `${name} are ignored with parse_mode`,
        where: { part: name, path: name },
      };
    }
    for (const [at, entity] of list.entries()) {
      const { type, offset, length } = (entity ?? {}) as Json;
      const end = Number(offset) + Number(length);
      if (Number(offset) >= 0 && Number(length) > 0 && end <= plain.length) continue;
      yield {
        id: "chat.entities",
        message:
          `${name}[${at}] (${String(type).slice(0, 40)}) begins at ${offset} and has a length of ` +
          `${length}, in a text of ${plain.length} UTF-16 units`,
        where: { part: name, path: `${name}[${at}]` },
      };
    }
  }
}

/** The quoted part of the message that is replied to. */
function* ofQuote(reply: unknown): Generator<Found> {
  const { quote } = (reply ?? {}) as Json;
  const length = lengthOf(quote);
  if (length <= MAX_QUOTE) return;
  yield {
    id: "chat.telegram_value",
    message: `The quote has ${length} characters; at most ${MAX_QUOTE}`,
    where: { part: "reply_parameters", path: "reply_parameters.quote" },
    source: `${API}#replyparameters`,
  };
}

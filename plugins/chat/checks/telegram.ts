import { placeIn } from "../../../core/checks/place.ts";
import type { CapturedEvent, CheckTopic, Found } from "../../../core/plugin.ts";
import type { ChatMessage } from "../model.ts";
import { keyboardFindings } from "./telegram_keyboard.ts";
import { lengthOf } from "./walk.ts";

const API = "https://core.telegram.org/bots/api";

type Json = Readonly<Record<string, unknown>>;

/** Bytes of an upload: https://core.telegram.org/bots/api#sending-files */
const MAX_PHOTO = 10_000_000;
const MAX_FILE = 50_000_000;
/** https://core.telegram.org/bots/api#sendpoll */
const POLL_LIMITS = { question: 300, options: 12, option: 100 };

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
      about: "A poll of Telegram has a text that is too long, or too many options",
      source: `${API}#sendpoll`,
    },
    {
      id: "chat.telegram_value",
      level: "error",
      about: "A place, a contact or an invoice has a value out of the range that Telegram allows",
      source: `${API}#available-methods`,
    },
    {
      id: "chat.telegram_file",
      level: "error",
      about: "A file is larger than bots can upload: 10 MB for photos, 50 MB for others",
      source: `${API}#sending-files`,
    },
  ],
  *find({ payload: { text, contents = [], files = [], change }, provider, meta }) {
    if (provider !== "chat4" || (change !== undefined && change.kind !== "edit")) return;
    if (meta.derived_text !== true) {
      yield* unread(text, meta);
      yield* ofEntities(meta);
    }
    for (const { format, json } of contents) {
      if (format === "chat4.reply_markup") yield* keyboardFindings(json);
      if (format === "chat4.content") yield* ofContent(json as Json | null);
    }
    const most = meta.kind === "photo" ? MAX_PHOTO : MAX_FILE;
    for (const { size, filename = "file" } of files) {
      if (size <= most) continue;
      yield {
        id: "chat.telegram_file",
        message: `${JSON.stringify(filename.slice(-100))} has ${size} bytes; at most ${most}`,
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
      yield { id: "chat.entities", message: `${name} are ignored beside parse_mode` };
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
      };
    }
  }
}

function* ofContent(json: Json | null): Generator<Found> {
  for (const [kind, value] of Object.entries(json ?? {})) {
    if (typeof value !== "object" || value === null) continue;
    if (kind === "poll") yield* ofPoll(value as Json);
    else yield* ofValues(kind, value as Json);
  }
}

function* ofPoll({ question, options }: Json): Generator<Found> {
  const over = (at: string, message: string): Found => ({
    id: "chat.telegram_poll",
    message,
    where: { part: "content", path: `content.poll.${at}` },
  });
  const asked = lengthOf(question);
  if (asked > POLL_LIMITS.question) {
    yield over("question", `${asked} characters; at most ${POLL_LIMITS.question}`);
  }
  const list: readonly unknown[] = Array.isArray(options) ? options : [];
  if (list.length === 0) yield over("options", "There are no options");
  if (list.length > POLL_LIMITS.options) {
    yield over("options", `${list.length} options; at most ${POLL_LIMITS.options}`);
  }
  for (const [at, option] of list.entries()) {
    const length = lengthOf(option);
    if (length >= 1 && length <= POLL_LIMITS.option) continue;
    yield over(`options[${at}]`, `${length} characters; expected 1 to ${POLL_LIMITS.option}`);
  }
}

/** Smallest and largest value, or length of a text, in characters or bytes. */
const RANGES: Readonly<
  Record<string, readonly (readonly [string, number, number, "is" | "characters" | "bytes"])[]>
> = {
  location: [
    ["latitude", -90, 90, "is"],
    ["longitude", -180, 180, "is"],
    ["horizontal_accuracy", 0, 1500, "is"],
  ],
  venue: [["latitude", -90, 90, "is"], ["longitude", -180, 180, "is"]],
  contact: [["vcard", 0, 2048, "bytes"]],
  invoice: [
    ["title", 1, 32, "characters"],
    ["description", 1, 255, "characters"],
    ["payload", 1, 128, "bytes"],
  ],
};

function* ofValues(kind: string, value: Json): Generator<Found> {
  for (const [name, least, most, counts] of Object.hasOwn(RANGES, kind) ? RANGES[kind]! : []) {
    const given = value[name];
    if (given === undefined) continue;
    const number = counts === "is"
      ? Number(given)
      : counts === "bytes"
      ? new TextEncoder().encode(String(given)).length
      : [...String(given)].length;
    if (number >= least && number <= most) continue;
    yield {
      id: "chat.telegram_value",
      message: counts === "is"
        ? `${name} is ${JSON.stringify(given)}; expected ${least} to ${most}`
        : `${name} has ${number} ${counts}; expected ${least} to ${most}`,
      where: { part: "content", path: `content.${kind}.${name}` },
    };
  }
}

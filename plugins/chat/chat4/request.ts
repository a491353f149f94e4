/**
 * Parameters of the methods that send messages:
 * https://core.telegram.org/bots/api#available-methods
 */
import { isJsonObject } from "../../../core/codec/json_lenient.ts";
import type { DraftContent } from "../capture.ts";
import type { DraftFile } from "../files.ts";
import { type Formatted, readFormatted } from "./formats.ts";
import { Params } from "./params.ts";
import { fail } from "./refusals.ts";

type Json = Readonly<Record<string, unknown>>;

/** One message to send. */
export interface Post {
  /** Member of the vendor's message: `text`, `photo`, `location`. */
  readonly kind: string;
  /** Text or caption as sent, and without its marks. */
  readonly given: string;
  readonly formatted: Formatted;
  readonly parseMode: string;
  readonly file?: DraftFile | undefined;
  /** URL or file id given instead of a file; never fetched. */
  readonly reference: string;
  /** Other content of the message, such as a location. */
  readonly content?: Json | undefined;
  readonly contents: readonly DraftContent[];
  /** Id of the message that it replies to. */
  readonly replyTo: string;
  readonly markup?: Json | undefined;
  readonly meta: Readonly<Record<string, unknown>>;
}

const MAX_TEXT = 4096;
const MAX_CAPTION = 1024;

/** Methods that send a file, by the member that holds it. */
const FILES: Readonly<Record<string, string>> = {
  sendphoto: "photo",
  senddocument: "document",
  sendaudio: "audio",
  sendvideo: "video",
  sendanimation: "animation",
  sendvoice: "voice",
  sendvideonote: "video_note",
  sendsticker: "sticker",
};

/** Methods that send values, by the member that holds them, with the required ones first. */
const VALUES: Readonly<
  Record<string, { readonly kind: string; readonly names: readonly string[] }>
> = {
  sendlocation: {
    kind: "location",
    names: [
      ...["latitude", "longitude", "horizontal_accuracy", "live_period", "heading"],
      "proximity_alert_radius",
    ],
  },
  sendvenue: { kind: "venue", names: ["latitude", "longitude", "title", "address"] },
  sendcontact: { kind: "contact", names: ["phone_number", "first_name", "last_name", "vcard"] },
  senddice: { kind: "dice", names: ["emoji"] },
  sendpoll: {
    kind: "poll",
    names: [
      ...["question", "options", "type", "is_anonymous", "allows_multiple_answers"],
      ...["allows_revoting", "correct_option_id", "correct_option_ids", "explanation"],
      ...["open_period", "close_date", "is_closed", "description"],
    ],
  },
  sendgame: { kind: "game", names: ["game_short_name"] },
  sendinvoice: {
    kind: "invoice",
    names: [
      ...["title", "description", "payload", "currency", "prices", "max_tip_amount"],
      "suggested_tip_amounts",
    ],
  },
};

/** Parameters kept beside the message. */
const SETTINGS = [
  ...["message_thread_id", "business_connection_id", "disable_notification", "protect_content"],
  ...["parse_mode", "link_preview_options", "disable_web_page_preview", "message_effect_id"],
  ...["has_spoiler", "show_caption_above_media", "caption_entities", "entities"],
  "reply_parameters",
];

/** Names of the methods that send one message. */
export const SENDING = ["sendmessage", ...Object.keys(FILES), ...Object.keys(VALUES)];

/** Parses the message of a method, named in lower case. Throws `Refused`. */
export function readPost(method: string, params: Params): Post {
  const kind = FILES[method];
  if (kind !== undefined) return readFile(kind, params);
  const values = VALUES[method];
  if (values !== undefined) return readValues(values, params);
  return { ...common(params), kind: "text", ...readText(params), reference: "" };
}

/** Returns a text: `text`, or another parameter. */
export function readText(params: Params): Pick<Post, "given" | "formatted" | "parseMode"> {
  const given = params.text("text");
  const parseMode = params.text("parse_mode");
  const formatted = readFormatted(given, parseMode);
  if (formatted.text.trim() === "") fail("message text is empty");
  if (formatted.text.length > MAX_TEXT) fail("message is too long");
  return { given, formatted, parseMode };
}

/** Returns a caption, which may be empty. */
export function readCaption(params: Params): Pick<Post, "given" | "formatted" | "parseMode"> {
  const given = params.text("caption");
  const parseMode = params.text("parse_mode");
  const formatted = readFormatted(given, parseMode);
  if (formatted.text.length > MAX_CAPTION) fail("message caption is too long");
  return { given, formatted, parseMode };
}

function readFile(kind: string, params: Params): Post {
  const file = params.file(kind);
  const reference = file === undefined ? params.text(kind) : "";
  if (file === undefined && (reference === "" || reference.startsWith("attach://"))) {
    return fail(`there is no ${kind.replace("_", " ")} in the request`);
  }
  const base = common(params);
  return {
    ...base,
    ...readCaption(params),
    kind,
    reference,
    file: file && { bytes: file.bytes, filename: file.filename, content_type: file.contentType },
    contents: [...(reference === "" ? [] : contentOf({ [kind]: reference })), ...base.contents],
  };
}

function readValues(
  { kind, names }: { readonly kind: string; readonly names: readonly string[] },
  params: Params,
): Post {
  const content: Record<string, unknown> = {};
  for (const [index, name] of names.entries()) {
    const text = params.text(name);
    // The first parameter identifies the content; a dice needs none.
    if (text === "" && index === 0 && kind !== "dice") return fail(`${name} is empty`);
    if (text !== "") content[name] = valueOf(text);
  }
  const base = common(params);
  return {
    ...base,
    given: "",
    formatted: { text: "", entities: [] },
    parseMode: "",
    kind,
    reference: "",
    content,
    contents: [...contentOf({ [kind]: content }), ...base.contents],
  };
}

/** Converts lists, objects and numbers from text. */
function valueOf(text: string): unknown {
  if (!/^[[{]|^-?\d{1,15}(\.\d+)?$|^(true|false)$/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function contentOf(value: Json): readonly DraftContent[] {
  return [{ format: "chat4.content", json: JSON.stringify(value) }];
}

/** Parameters of every method: the message replied to, the keyboard and settings. */
function common(params: Params): Pick<Post, "contents" | "replyTo" | "markup" | "meta"> {
  const markup = readMarkup(params);
  const reply = params.json("reply_parameters", "reply parameters");
  if (reply !== undefined && !isJsonObject(reply)) {
    return fail("object expected as reply parameters");
  }
  const replyTo = reply?.message_id ?? params.text("reply_to_message_id");
  const settings = SETTINGS.filter((name) => params.text(name) !== "")
    .map((name) => [name, valueOf(params.text(name))] as const);
  return {
    contents: markup === undefined
      ? []
      : [{ format: "chat4.reply_markup", json: params.text("reply_markup").trim() }],
    replyTo: String(replyTo),
    markup,
    meta: Object.fromEntries(settings),
  };
}

/** https://core.telegram.org/bots/api#inlinekeyboardmarkup */
export function readMarkup(params: Params): Json | undefined {
  const markup = params.json("reply_markup", "reply keyboard markup");
  if (markup === undefined) return undefined;
  if (!isJsonObject(markup)) return fail("object expected as reply markup");
  const { inline_keyboard: rows } = markup;
  if (rows === undefined) return markup;
  if (!Array.isArray(rows)) {
    return fail('field "inline_keyboard" of the InlineKeyboardMarkup must be an Array');
  }
  for (const row of rows) {
    if (!Array.isArray(row)) {
      return fail('field "inline_keyboard" of the InlineKeyboardMarkup must be an Array of Arrays');
    }
    for (const button of row) checkButton(button);
  }
  return markup;
}

function checkButton(button: unknown): void {
  if (!isJsonObject(button)) return fail("inlineKeyboardButton must be an Object");
  const { text, callback_data: data, style: _, icon_custom_emoji_id: __, ...actions } = button;
  if (typeof text !== "string" || text === "") {
    return fail('can\'t find field "text"');
  }
  if (data === undefined && Object.keys(actions).length === 0) {
    return fail("text buttons are unallowed in the inline keyboard");
  }
  if (data === undefined) return;
  const { length } = new TextEncoder().encode(String(data));
  if (length < 1 || length > 64) fail("BUTTON_DATA_INVALID");
}

/** Limits of an album: https://core.telegram.org/bots/api#sendmediagroup */
const [MIN_ALBUM, MAX_ALBUM] = [2, 10];

/** Parses the messages of an album. Throws `Refused`. */
export function readAlbum(params: Params): readonly Post[] {
  const media = params.json("media", "media");
  if (!Array.isArray(media)) return fail("expected an Array of InputMedia");
  if (media.length < MIN_ALBUM) return fail("album must contain at least two items");
  if (media.length > MAX_ALBUM) return fail("too many messages to send as an album");
  const base = common(params);
  return media.map((item: unknown) => ({ ...readMedia(item, params), ...base }));
}

/** Reads an `InputMedia`. */
export function readMedia(item: unknown, params: Params): Post {
  if (!isJsonObject(item)) return fail("expected an Object as InputMedia");
  const { type, media, caption, parse_mode } = item;
  if (typeof type !== "string" || !Object.values(FILES).includes(type)) {
    return fail("inputMedia type is invalid");
  }
  // Each item is parsed like a single message.
  const own = new Params(
    new Map([
      [type, String(media ?? "")],
      ["caption", typeof caption === "string" ? caption : ""],
      ["parse_mode", typeof parse_mode === "string" ? parse_mode : ""],
    ]),
    params.files,
  );
  return readFile(type, own);
}

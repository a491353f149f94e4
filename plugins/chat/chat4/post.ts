/** What all messages to send have in common: https://core.telegram.org/bots/api#available-methods */
import { isJsonObject } from "../../../core/codec/json_lenient.ts";
import type { DraftContent } from "../capture.ts";
import type { DraftFile } from "../files.ts";
import { charactersOf, entitiesOf, type FieldType, type Json, readFields } from "./fields.ts";
import type { Formatted } from "./entities.ts";
import { readFormatted } from "./formats.ts";
import { readMarkup } from "./markup.ts";
import type { Params } from "./params.ts";
import { fail } from "./refusals.ts";

/** A file of a message, with the name of its part in the form. */
export interface PostFile extends DraftFile {
  readonly part: string;
}

/** One message to send. */
export interface Post {
  /** Member of the vendor's message: `text`, `photo`, `location`. */
  readonly kind: string;
  /** Text or caption as sent, and without its marks. */
  readonly given: string;
  readonly formatted: Formatted;
  readonly parseMode: string;
  /** Uploads; the first one is the file of the message, unless a reference is given instead. */
  readonly files: readonly PostFile[];
  /** URL or file id given instead of a file; never fetched. */
  readonly reference: string;
  /** What the call says of the file: its duration, its size. */
  readonly details?: Json | undefined;
  /** Other content of the message, such as a location, as sent. */
  readonly content?: Json | undefined;
  /** The same as a member of the vendor's message, without values that a server adds. */
  readonly result?: Json | undefined;
  readonly contents: readonly DraftContent[];
  /** Id of the message that it replies to. */
  readonly replyTo: string;
  readonly markup?: Json | undefined;
  readonly meta: Readonly<Record<string, unknown>>;
}

/** The text of a message. */
export type PostText = Pick<Post, "given" | "formatted" | "parseMode">;

const MAX_TEXT = 4096;
const MAX_CAPTION = 1024;

/** A message without text or caption. */
export const NO_TEXT: PostText = {
  given: "",
  formatted: { text: "", entities: [] },
  parseMode: "",
};

/** Parameters kept beside the message. */
const SETTINGS: Readonly<Record<string, FieldType>> = {
  message_thread_id: "number",
  direct_messages_topic_id: "number",
  business_connection_id: "text",
  receiver_user_id: "number",
  callback_query_id: "text",
  disable_notification: "flag",
  protect_content: "flag",
  allow_paid_broadcast: "flag",
  message_effect_id: "text",
  parse_mode: "text",
  entities: "json",
  caption_entities: "json",
  link_preview_options: "json",
  disable_web_page_preview: "flag",
  has_spoiler: "flag",
  show_caption_above_media: "flag",
  suggested_post_parameters: "json",
  reply_parameters: "json",
  allow_sending_without_reply: "flag",
  ephemeral_message_parameters: "json",
  video_start_timestamp: "number",
};

/** Returns the settings of a message. Throws `Refused`. */
export function readSettings(params: Params): Readonly<Record<string, unknown>> {
  const settings = readFields(params, SETTINGS);
  for (const name of ["entities", "caption_entities"]) {
    if (settings[name] !== undefined) entitiesOf(settings[name]);
  }
  checkObjects(settings);
  return settings;
}

/** Parameters with an object, by the vendor's names of them. */
const OBJECTS = {
  link_preview_options: "link preview options",
  suggested_post_parameters: "suggested post parameters",
};

/** A price in TON is a multiple of these. */
const NANOTONCOINS = 10_000_000;

/** Refusals are those of https://github.com/tdlib/telegram-bot-api (Client.cpp) */
function checkObjects(settings: Json): void {
  for (const [name, what] of Object.entries(OBJECTS)) {
    const value = settings[name];
    if (value !== undefined && !isJsonObject(value)) fail(`object expected as ${what}`);
  }
  const { price } = (settings.suggested_post_parameters ?? {}) as Json;
  if (price === undefined || price === null) return;
  if (!isJsonObject(price)) return fail('field "price" must be of type Object');
  const { currency, amount } = price;
  for (const name of ["currency", "amount"]) {
    if (price[name] === undefined) fail(`can't find field "${name}"`);
  }
  if (currency !== "XTR" && currency !== "TON") {
    fail("invalid suggested post price currency specified");
  }
  if (currency === "TON" && Number(amount) % NANOTONCOINS !== 0) {
    fail(`suggested post price must be divisible by ${NANOTONCOINS} nanotoncoins`);
  }
}

/** Returns the text of a message. */
export function readText(params: Params): PostText {
  const text = readMarkedText(params, "text");
  const { formatted } = text;
  if (formatted.text.trim() === "") fail("message text is empty");
  if (charactersOf(formatted.text) > MAX_TEXT) fail("message is too long");
  return text;
}

/** Returns a caption, which may be empty. */
export function readCaption(params: Params): PostText {
  const caption = readMarkedText(params, "caption");
  if (charactersOf(caption.formatted.text) > MAX_CAPTION) fail("message caption is too long");
  return caption;
}

function readMarkedText(params: Params, name: string): PostText {
  const given = params.text(name);
  const parseMode = params.text("parse_mode");
  return { given, formatted: readFormatted(given, parseMode), parseMode };
}

/** Returns content in the form of events. */
export function contentOf(value: Json): readonly DraftContent[] {
  return [{ format: "chat4.content", json: JSON.stringify(value) }];
}

/** Parameters of every method: the message replied to, the keyboard and settings. */
export function readCommon(
  params: Params,
): Pick<Post, "contents" | "replyTo" | "markup" | "meta"> {
  const markup = readMarkup(params);
  const reply = params.json("reply_parameters", "reply parameters");
  if (reply !== undefined) {
    if (!isJsonObject(reply)) return fail("object expected as reply parameters");
    // An empty object is no reply; an ephemeral message has an id of its own.
    const { message_id: id, ephemeral_message_id: ephemeral, chat_id: chat } = reply;
    if (Object.keys(reply).length > 0 && id === undefined && ephemeral === undefined) {
      return fail('can\'t find field "message_id"');
    }
    if (chat !== undefined && !["string", "number"].includes(typeof chat)) {
      return fail('field "chat_id" must be of type String');
    }
  }
  return {
    contents: markup === undefined
      ? []
      : [{ format: "chat4.reply_markup", json: params.text("reply_markup").trim() }],
    replyTo: String(reply?.message_id ?? params.text("reply_to_message_id")),
    markup,
    meta: readSettings(params),
  };
}

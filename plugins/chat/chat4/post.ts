/** What all messages to send have in common: https://core.telegram.org/bots/api#available-methods */
import { isJsonObject } from "../../../core/codec/json_lenient.ts";
import type { DraftContent } from "../capture.ts";
import type { DraftFile } from "../files.ts";
import { entitiesOf, type FieldType, type Json, readFields } from "./fields.ts";
import { type Formatted, readFormatted } from "./formats.ts";
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
  return settings;
}

/** Returns the text of a message. */
export function readText(params: Params): PostText {
  const text = readMarkedText(params, "text");
  const { formatted } = text;
  if (formatted.text.trim() === "") fail("message text is empty");
  if (formatted.text.length > MAX_TEXT) fail("message is too long");
  return text;
}

/** Returns a caption, which may be empty. */
export function readCaption(params: Params): PostText {
  const caption = readMarkedText(params, "caption");
  if (caption.formatted.text.length > MAX_CAPTION) fail("message caption is too long");
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
  if (reply !== undefined && !isJsonObject(reply)) {
    return fail("object expected as reply parameters");
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

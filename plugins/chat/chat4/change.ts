/**
 * Methods that change messages. A captured message never changes: each change is a separate event,
 * and only the vendor's responses reflect it (Decision 0008).
 */
import { isJsonObject } from "../../../core/codec/json_lenient.ts";
import type { CapturedEvent } from "../../../core/plugin.ts";
import { captureChat, type DraftContent } from "../capture.ts";
import { storeFiles } from "../files.ts";
import type { Entry } from "../ledger.ts";
import type { ChatChange, ChatFile, ChatMessage } from "../model.ts";
import { botOf, chatIn } from "./chats.ts";
import { type Method, type MethodCall, notesOf } from "./methods.ts";
import { fail } from "./refusals.ts";
import { toMessage } from "./reply.ts";
import { type Post, readCaption, readMarkup, readMedia, readText } from "./request.ts";
import { contentNotes, idsIn, toKnownChat } from "./send.ts";

/** https://core.telegram.org/bots/api#editmessagetext */
export const editText: Method = (call) => {
  const text = readText(call.params);
  const entry = entryIn(call, "edit");
  if (entry.first.meta.kind !== "text") fail("there is no text in the message to edit");
  return edit(call, entry, { ...text, kind: "text", reference: "" });
};

/** https://core.telegram.org/bots/api#editmessagecaption */
export const editCaption: Method = (call) => {
  const caption = readCaption(call.params);
  const entry = entryIn(call, "edit");
  const { kind, reference = "" } = entry.last.meta;
  if (kind === "text") fail("there is no caption in the message to edit");
  return edit(call, entry, { ...caption, kind: String(kind), reference: String(reference) });
};

/** https://core.telegram.org/bots/api#editmessagereplymarkup */
export const editMarkup: Method = (call) => edit(call, entryIn(call, "edit"), undefined);

/** https://core.telegram.org/bots/api#editmessagemedia */
export const editMedia: Method = async (call) => {
  const post = readMedia(call.params.json("media", "media"), call.params);
  const entry = entryIn(call, "edit");
  const files = await storeFiles(call.env.ctx, post.file === undefined ? [] : [post.file]);
  return edit(call, entry, post, files);
};

/** Returns the message that a call names, which must be the bot's own. */
function entryIn({ params, env }: MethodCall, verb: "edit" | "delete" | "react"): Entry {
  if (params.text("inline_message_id") !== "") return fail("MESSAGE_ID_INVALID");
  const chat = chatIn(params);
  const id = params.integer("message_id");
  if (id === 0) return fail("message identifier is not specified");
  return env.store.messages.find(String(chat.id), String(id), env.ctx) ??
    fail(`message to ${verb} not found`);
}

const NOT_MODIFIED = "message is not modified: specified new message content and reply markup " +
  "are exactly the same as a current content and reply markup of the message";

/**
 * Captures an edit of a text, a caption or a file, and of the keyboard, which is removed unless it
 * is given again.
 */
function edit(
  call: MethodCall,
  entry: Entry,
  post: Pick<Post, "given" | "formatted" | "kind" | "reference"> | undefined,
  files?: readonly ChatFile[],
): unknown {
  const { first, last } = entry;
  const markup = readMarkup(call.params);
  const contents: DraftContent[] = [
    ...kept(last, "chat4.content"),
    ...(markup === undefined
      ? []
      : [{ format: "chat4.reply_markup" as const, json: call.params.text("reply_markup").trim() }]),
  ];
  const { kind, plain, entities, reference, content, media_group_id } = last.meta;
  const before = { kind, plain, entities, reference, content };
  const notes = post === undefined ? before : { ...contentNotes(post), ...rest(post, before) };
  const now = files ?? last.payload.files ?? [];
  const isSame = files === undefined && JSON.stringify(pickSame(notes)) ===
      JSON.stringify(pickSame(before)) &&
    JSON.stringify(kept(last, "chat4.reply_markup")) ===
      JSON.stringify(contents.filter(({ format }) => format === "chat4.reply_markup"));
  if (isSame) fail(NOT_MODIFIED);
  // Retained, because the event of the edit names them, too.
  if (files === undefined) { for (const { blob } of now) call.env.ctx.blobs.retain(blob.id); }
  const event = capture(call, first, {
    kind: "edit",
    text: post?.given || (post === undefined ? last.payload.text : ""),
    contents,
    files: now,
    meta: { ...notes, ...(media_group_id === undefined ? {} : { media_group_id }) },
  });
  return toMessage({ first, last: event }, { token: call.token, chat: toKnownChat(first) });
}

/** Parts that a new caption leaves unchanged. */
function rest(
  { kind }: Pick<Post, "kind">,
  { kind: own, content }: { readonly kind: unknown; readonly content: unknown },
): Readonly<Record<string, unknown>> {
  return kind === own && content !== undefined ? { content } : {};
}

function pickSame({ kind, plain, entities = [], reference = "" }: Record<string, unknown>) {
  return { kind, plain, entities, reference };
}

/** Returns the contents of one format, as sent. */
function kept(
  { payload: { contents = [] } }: CapturedEvent<ChatMessage>,
  wanted: DraftContent["format"],
): DraftContent[] {
  return contents.filter(({ format }) => format === wanted).map(({ format, data }) => ({
    format,
    json: new TextDecoder().decode(Uint8Array.fromBase64(data)),
  }));
}

/** https://core.telegram.org/bots/api#deletemessage */
export const deleteMessage: Method = (call) => {
  const { first, last } = entryIn(call, "delete");
  capture(call, first, { kind: "deletion", text: last.payload.text });
  return true;
};

/** https://core.telegram.org/bots/api#deletemessages: unknown messages are skipped. */
export const deleteMessages: Method = (call) => {
  const { params, env } = call;
  const chat = chatIn(params);
  for (const id of new Set(idsIn(call))) {
    const entry = env.store.messages.find(String(chat.id), String(id), env.ctx);
    if (entry === undefined) continue;
    capture(call, entry.first, { kind: "deletion", text: entry.last.payload.text });
  }
  return true;
};

/**
 * https://core.telegram.org/bots/api#setmessagereaction: a bot sets at most one; an empty list
 * removes it.
 */
export const setReaction: Method = (call) => {
  const given = call.params.json("reaction", "reaction types") ?? [];
  if (!Array.isArray(given)) return fail("expected an Array of ReactionType");
  const { first } = entryIn(call, "react");
  const [reaction] = given;
  if (reaction !== undefined && !isJsonObject(reaction)) return fail("expected an Object");
  const emoji = reaction?.emoji ?? reaction?.custom_emoji_id ?? reaction?.type;
  capture(call, first, {
    kind: emoji === undefined ? "reaction_removed" : "reaction_added",
    reaction: typeof emoji === "string" ? emoji.slice(0, 100) : "",
  });
  return true;
};

/** Records a change, in the chat and the thread of its message. */
function capture(
  call: MethodCall,
  first: CapturedEvent<ChatMessage>,
  { kind, reaction, text = "", contents = [], files = [], meta = {} }: {
    readonly kind: ChatChange["kind"];
    readonly reaction?: string;
    readonly text?: string;
    readonly contents?: readonly DraftContent[];
    readonly files?: readonly ChatFile[];
    readonly meta?: Readonly<Record<string, unknown>>;
  },
): CapturedEvent<ChatMessage> {
  const { channel, ts, thread_ts } = first.payload;
  return captureChat(call.env, {
    channel,
    author: { id: botOf(call.token).username, name: "", icon_url: "", bot: true },
    text,
    contents,
    files,
    ts,
    thread_ts,
    change: { kind, event_id: first.id, ...(reaction === undefined ? {} : { reaction }) },
  }, {
    raw: call.call.raw,
    meta: {
      ...notesOf(call),
      ...(call.params.text("parse_mode") !== "" && { parse_mode: call.params.text("parse_mode") }),
      ...meta,
    },
  });
}

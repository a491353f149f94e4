/** Methods that edit messages: https://core.telegram.org/bots/api#updating-messages */
import { isJsonObject } from "../../../core/codec/json_lenient.ts";
import { compact } from "../../../core/compact.ts";
import type { CapturedEvent } from "../../../core/plugin.ts";
import type { DraftContent } from "../capture.ts";
import { storeFiles } from "../files.ts";
import type { Entry } from "../ledger.ts";
import type { ChatFile, ChatMessage } from "../model.ts";
import { entryIn, recordChange } from "./change.ts";
import { toKnownChat } from "./chats.ts";
import { type Content, readContent } from "./content.ts";
import type { Json } from "./fields.ts";
import { readMarkup } from "./markup.ts";
import { readMedia } from "./media.ts";
import type { Method, MethodCall } from "./methods.ts";
import { contentOf, NO_TEXT, type Post, readCaption, readSettings, readText } from "./post.ts";
import { fail } from "./refusals.ts";
import { toMessage } from "./reply.ts";
import { readPost } from "./request.ts";
import { contentNotes, labelOf, originOf } from "./send.ts";

/** What an edit replaces. */
type Change =
  & Pick<Post, "given" | "formatted" | "kind" | "reference" | "files">
  & Partial<Pick<Post, "details" | "content" | "result" | "contents" | "meta">>;

/** https://core.telegram.org/bots/api#editmessagetext: a text, or a rich message. */
export const editText: Method = async (call) => {
  const { params } = call;
  const isRich = params.text("rich_message") !== "";
  const post = isRich ? readPost("sendrichmessage", params) : undefined;
  const text: Change = post ?? { ...readText(params), kind: "text", reference: "", files: [] };
  const entry = entryIn(call, "message to edit");
  if (!["text", "rich_message"].includes(String(entry.last.meta.kind))) {
    fail("there is no text in the message to edit");
  }
  const files = post === undefined ? undefined : await storeFiles(call.env.ctx, post.files);
  return editOf(call, entry, { change: text, ...compact({ files }) });
};

/** https://core.telegram.org/bots/api#editmessagecaption */
export const editCaption: Method = (call) => {
  const caption = readCaption(call.params);
  const entry = entryIn(call, "message to edit");
  const { kind, reference = "", content } = entry.last.meta;
  if (kind === "text" || (content !== undefined && kind !== "paid_media")) {
    fail("there is no caption in the message to edit");
  }
  const change = { ...caption, kind: String(kind), reference: String(reference), files: [] };
  return editOf(call, entry, { change });
};

/** https://core.telegram.org/bots/api#editmessagereplymarkup */
export const editMarkup: Method = (call) => editOf(call, entryIn(call, "message to edit"), {});

/** https://core.telegram.org/bots/api#editmessagemedia */
export const editMedia: Method = async (call) => {
  const change = readMedia(call.params.json("media", "media"), call.params);
  const entry = entryIn(call, "message to edit");
  const files = await storeFiles(call.env.ctx, change.files);
  return editOf(call, entry, { change, files });
};

/** https://core.telegram.org/bots/api#editmessagechecklist */
export const editChecklist: Method = (call) => {
  const { given, result } = readContent("sendchecklist", call.params)!;
  return editOf(call, ofKind(call, "checklist"), {
    change: contentChange("checklist", { given, result }),
  });
};

/** https://core.telegram.org/bots/api#editmessagelivelocation */
export const editLocation: Method = (call) => {
  const { given, result } = readContent("sendlocation", call.params)!;
  const entry = liveLocation(call);
  const { live_period } = entry.last.meta.content as Json;
  const content = { given, result: { ...compact({ live_period }), ...result } };
  return editOf(call, entry, { change: contentChange("location", content) });
};

/** https://core.telegram.org/bots/api#stopmessagelivelocation */
export const stopLocation: Method = (call) => {
  const entry = liveLocation(call);
  const { latitude, longitude } = entry.last.meta.content as Json;
  const result = { latitude, longitude };
  return editOf(call, entry, { change: contentChange("location", { given: result, result }) });
};

/** Returns a location that can change, which one without `live_period` cannot. */
function liveLocation(call: MethodCall): Entry {
  const entry = ofKind(call, "location");
  const { live_period } = entry.last.meta.content as Json;
  return live_period === undefined ? fail("message can't be edited") : entry;
}

function ofKind(call: MethodCall, kind: string): Entry {
  const entry = entryIn(call, "message to edit");
  return entry.last.meta.kind === kind ? entry : fail("message can't be edited");
}

/** https://core.telegram.org/bots/api#stoppoll; refusals are those of https://github.com/tdlib/td */
export const stopPoll: Method = (call) => {
  const entry = entryIn(call, "message with poll to stop");
  const { kind, content } = entry.last.meta;
  if (kind !== "poll" || !isJsonObject(content)) return fail("message is not a poll");
  if (content.is_closed === true) return fail("poll has already been closed");
  const result = { ...content, is_closed: true };
  // Times are those of the poll when it was sent.
  const { open_period: _, close_date: __, ...sent } = sentIn(entry.last, "poll");
  const given = { ...sent, is_closed: true };
  editOf(call, entry, { change: contentChange("poll", { given, result }) });
  return result;
};

/** Returns content as it was sent. */
function sentIn({ payload: { contents = [] } }: Entry["last"], kind: string): Json {
  const json = contents.find(({ format }) => format === "chat4.content")?.json;
  const sent = isJsonObject(json) ? json[kind] : undefined;
  return isJsonObject(sent) ? sent : {};
}

function contentChange(kind: string, { given, result }: Content): Change {
  const contents = contentOf({ [kind]: given });
  return { ...NO_TEXT, kind, reference: "", files: [], content: given, result, contents };
}

const NOT_MODIFIED = "message is not modified: specified new message content and reply markup " +
  "are exactly the same as a current content and reply markup of the message";

/** Notes of what a message shows. */
const SHOWN = ["kind", "plain", "entities", "caption_entities", "reference", "details", "content"];

/**
 * Captures an edit of a text, a caption, a file or other content, and of the keyboard, which is
 * removed unless it is given again. Without `change`, only the keyboard changes.
 */
function editOf(
  call: MethodCall,
  { first, last }: Entry,
  { change, files }: { readonly change?: Change; readonly files?: readonly ChatFile[] },
): unknown {
  const { payload: { files: had = [], text }, meta } = last;
  const markup = readMarkup(call.params);
  const others = ["keyboard", "remove_keyboard", "force_reply"];
  if (markup?.inline_keyboard === undefined && others.some((name) => markup?.[name])) {
    return fail("inline keyboard expected");
  }
  const contents: DraftContent[] = [
    ...(change?.contents?.filter(({ format }) => format === "chat4.content") ??
      (change?.kind === "text" ? [] : kept(last, "chat4.content"))),
    ...(markup === undefined
      ? []
      : [{ format: "chat4.reply_markup" as const, json: call.params.text("reply_markup").trim() }]),
  ];
  const before = pick(meta, SHOWN);
  const notes = change === undefined
    ? before
    : notesOfChange(call, change, { before, first, files: files ?? [] });
  const isSame = files === undefined && same(pick(notes, SHOWN), before) &&
    same(
      kept(last, "chat4.reply_markup"),
      contents.filter(({ format }) => format === "chat4.reply_markup"),
    );
  if (isSame) fail(NOT_MODIFIED);
  // A message that becomes a text has no files.
  const now = files ?? (change?.kind === "text" ? [] : had);
  // Retained, because the event of the edit names them, too.
  if (files === undefined) { for (const { blob } of now) call.env.ctx.blobs.retain(blob.id); }
  const { media_group_id } = meta;
  const event = recordChange(call, first, {
    kind: "edit",
    text: change === undefined ? text : change.given || labelOf(change),
    contents,
    files: now,
    meta: { ...notes, ...compact({ media_group_id }) },
  });
  const chat = toKnownChat(first.payload.channel);
  return toMessage({ first, last: event }, { call, chat });
}

/** Returns the notes of a changed message: a new caption leaves the file and other content. */
function notesOfChange(
  call: MethodCall,
  change: Change,
  { before, first, files }: {
    readonly before: Json;
    readonly first: CapturedEvent<ChatMessage>;
    readonly files: readonly ChatFile[];
  },
): Json {
  const { channel, ts } = first.payload;
  const origin = originOf(call, { seed: `${channel.id} ${ts}`, post: change, files });
  const isCaption = change.contents === undefined && change.kind === before.kind;
  return {
    ...(isCaption && pick(before, ["details", "content"])),
    ...readSettings(call.params),
    ...change.meta,
    ...contentNotes({ ...change, details: change.details, result: change.result }, origin),
  };
}

function pick(values: Json, names: readonly string[]): Json {
  return compact(Object.fromEntries(names.map((name) => [name, values[name]])));
}

/** Whether two values have the same parts, in any order of their members. */
function same(one: unknown, other: unknown): boolean {
  const sorted = (_: string, value: unknown): unknown =>
    isJsonObject(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => a < b ? -1 : 1))
      : value;
  return JSON.stringify(one, sorted) === JSON.stringify(other, sorted);
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

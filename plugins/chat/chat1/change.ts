/**
 * Methods that change messages and the workspace. A captured message never changes: each change is
 * a separate event, and only the vendor's responses reflect it (Decision 0008).
 */
import { presentedCredentials } from "../../../core/http/auth.ts";
import { compact } from "../../../core/compact.ts";
import type { CapturedEvent } from "../../../core/plugin.ts";
import { captureChat, type DraftContent } from "../capture.ts";
import type { ChatChange, ChatMessage } from "../model.ts";
import { channelIdOf, directIdOf, groupIdOf, IDENTITY, isConversation, isUser } from "./ids.ts";
import { messageIn, type Method, type MethodCall, roomIn } from "./methods.ts";
import { contentOf, toMessage, toRoom } from "./objects.ts";
import { reactable } from "./fetch.ts";
import { fail } from "./refusals.ts";
import { toChannel } from "./reply.ts";
import { contentsOf, readPost } from "./request.ts";
import type { Message } from "./workspace.ts";

/** Longest text of an update, in characters. */
const MAX_UPDATE = 4000;

/** https://docs.slack.dev/reference/methods/chat.update */
export const updateMessage: Method = (call) => {
  const { given, ctx } = call;
  const message = messageIn(call, "ts");
  if (message.foreign) fail("cant_update_message");
  const read = readPost(given);
  if (!read.ok) return fail(read.refusal.error, read.refusal.details);
  const post = read.value;
  if (post.text.length > MAX_UPDATE) fail("msg_too_long");
  const before = contentOf(message, ctx);
  const edited_ts = call.env.store.nextTs(call.nowMs);
  const hasText = post.text !== "" || given.text("markdown_text") !== undefined;
  const contents = [
    // Blocks are kept only if neither blocks nor a text are given; attachments are kept unless
    // given.
    ...(given.json("blocks") === undefined && !hasText ? kept(before.payload, "chat1.blocks") : []),
    ...contentsOf(post),
    ...(given.json("attachments") === undefined ? kept(before.payload, "chat1.attachments") : []),
  ];
  const { metadata = before.meta.metadata, ...meta } = post.meta;
  const last = capture(call, message, {
    kind: "edit",
    text: post.readable,
    contents,
    meta: { ...meta, ...compact({ metadata }), edited_ts },
  });
  const edited = { ...message, edit: { eventId: last.id, ts: edited_ts } };
  return {
    channel: message.channel,
    ts: message.ts,
    text: post.readable,
    message: toMessage(edited, { replies: new Map(), ctx, last }),
  };
};

/** Returns the contents of one format, as sent. */
function kept({ contents = [] }: ChatMessage, wanted: DraftContent["format"]): DraftContent[] {
  return contents.filter(({ format }) => format === wanted).map(({ format, data }) => ({
    format,
    json: new TextDecoder().decode(Uint8Array.fromBase64(data)),
  }));
}

/** https://docs.slack.dev/reference/methods/chat.delete */
export const deleteMessage: Method = (call) => {
  const message = messageIn(call, "ts");
  if (message.foreign) fail("cant_delete_message");
  const { text } = contentOf(message, call.ctx).payload;
  capture(call, message, { kind: "deletion", text });
  return { channel: message.channel, ts: message.ts };
};

/** https://docs.slack.dev/reference/methods/chat.deleteScheduledMessage */
export const deleteScheduled: Method = (call) => {
  const { id: channel } = roomIn(call);
  const id = call.given.text("scheduled_message_id") ?? "";
  const message = call.workspace.scheduled(call.ctx)
    .find((one) => one.channel === channel && one.scheduled?.id === id) ??
    fail("invalid_scheduled_message_id");
  const { text } = contentOf(message, call.ctx).payload;
  capture(call, message, { kind: "deletion", text, meta: { scheduled_message_id: id } });
  return {};
};

/**
 * Names of emoji, with an optional skin tone:
 * https://docs.slack.dev/reference/methods/reactions.add
 */
const EMOJI = /^[\p{Ll}\p{Lo}\p{N}_+'-]{1,100}(::skin-tone-[2-6])?$/u;

/** Reactions of one user to one message: https://slack.com/help/articles/202931348 */
const MAX_REACTIONS = 23;

/** https://docs.slack.dev/reference/methods/reactions.add */
export const addReaction: Method = (call) => {
  const { name, message } = reactionIn(call);
  if (message.reactions.has(name)) fail("already_reacted");
  if (message.reactions.size >= MAX_REACTIONS) fail("too_many_reactions");
  capture(call, message, { kind: "reaction_added", reaction: name });
  return {};
};

/** https://docs.slack.dev/reference/methods/reactions.remove */
export const removeReaction: Method = (call) => {
  const { name, message } = reactionIn(call);
  if (!message.reactions.has(name)) fail("no_reaction");
  capture(call, message, { kind: "reaction_removed", reaction: name });
  return {};
};

function reactionIn(call: MethodCall): { readonly name: string; readonly message: Message } {
  const name = call.given.text("name") ?? "";
  if (!EMOJI.test(name)) fail("invalid_name");
  return { name, message: reactable(call) };
}

/** Records a change, in the conversation and the thread of its message. */
function capture(
  { env, call, ctx, workspace, given }: MethodCall,
  message: Message,
  { kind, reaction, text = "", contents = [], meta = {} }: {
    readonly kind: ChatChange["kind"];
    readonly reaction?: string;
    readonly text?: string;
    readonly contents?: readonly DraftContent[];
    readonly meta?: Readonly<Record<string, unknown>>;
  },
): CapturedEvent<ChatMessage> {
  const { author } = contentOf(message, ctx).payload;
  const room = workspace.room(message.channel)!;
  return captureChat(env, {
    channel: toChannel(room),
    author: { id: IDENTITY.bot_id, name: author.name ?? "", icon_url: "", bot: true },
    text,
    contents,
    ts: message.ts,
    thread_ts: message.threadTs,
    change: { kind, event_id: message.eventId, ...compact({ reaction }) },
  }, {
    raw: call.raw,
    meta: {
      surface: "web_api",
      ...compact({ token: given.text("token") }),
      ...meta,
      ...presentedCredentials(call.headers),
    },
  });
}

/** Maximum number of users in a conversation, and of characters in a name. */
const MAX_USERS = 8;
const MAX_NAME = 80;

/** https://docs.slack.dev/reference/methods/conversations.open */
export const openRoom: Method = (call) => {
  const { given, workspace, nowMs } = call;
  const created = Math.floor(nowMs / 1000);
  const named = given.text("channel")?.trim() ?? "";
  const users = [...new Set((given.text("users") ?? "").split(",").map((one) => one.trim()))]
    .filter((one) => one !== "");
  if (named === "" && users.length === 0) fail("users_list_not_supplied");
  if (users.length > MAX_USERS) fail("too_many_users");
  if (!users.every(isUser)) fail("user_not_found");
  const [first = ""] = users;
  const id = named !== ""
    ? roomIn(call).id
    : users.length === 1
    ? directIdOf(first)
    : groupIdOf(users);
  const known = workspace.room(id);
  const name = users.length === 1
    ? workspace.person(first)?.name ?? first
    : `mpdm-${users.map((user) => user.toLowerCase()).join("--")}-1`;
  const room = known ?? workspace.addRoom({ id, name, users, created });
  const isWhole = ["true", "1"].includes(given.text("return_im")?.toLowerCase() ?? "");
  return {
    ...(known !== undefined && { no_op: true, already_open: true }),
    channel: isWhole ? toRoom(room) : { id },
  };
};

/**
 * https://docs.slack.dev/reference/methods/conversations.join: any channel with an id can be
 * joined.
 */
export const joinRoom: Method = ({ given, workspace, nowMs }) => {
  const id = given.text("channel")?.trim() ?? "";
  if (!isConversation(id)) fail("channel_not_found");
  if (id.startsWith("D")) fail("method_not_supported_for_channel_type");
  const room = workspace.room(id) ??
    workspace.addRoom({ id, name: id, users: [], created: Math.floor(nowMs / 1000) });
  return {
    channel: toRoom(room),
    warning: "already_in_channel",
    response_metadata: { warnings: ["already_in_channel"] },
  };
};

/** https://docs.slack.dev/reference/methods/conversations.create */
export const createRoom: Method = ({ given, workspace, nowMs }) => {
  const name = given.text("name")?.trim() ?? "";
  if (name === "") fail("invalid_name_required");
  if ([...name].length > MAX_NAME) fail("invalid_name_maxlength");
  if (!/^[\p{Ll}\p{Lo}\p{N}_-]+$/u.test(name)) fail("invalid_name_specials");
  if (/^[_-]+$/.test(name)) fail("invalid_name_punctuation");
  const id = channelIdOf(name);
  if (workspace.room(id) !== undefined) fail("name_taken");
  const created = Math.floor(nowMs / 1000);
  return { channel: toRoom(workspace.addRoom({ id, name, users: [], created })) };
};

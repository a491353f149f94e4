/** Methods that send messages. */
import { compact } from "../../../core/compact.ts";
import type { CapturedEvent } from "../../../core/plugin.ts";
import { captureChat, type ChatDraft } from "../capture.ts";
import { storeFiles } from "../files.ts";
import type { ChatFile, ChatMessage } from "../model.ts";
import { botOf, type Chat, chatIn, chatOf, toChannel } from "./chats.ts";
import { type Method, type MethodCall, notesOf } from "./methods.ts";
import { fail } from "./refusals.ts";
import { toMessage } from "./reply.ts";
import { type Post, readAlbum, readPost } from "./request.ts";

/** The methods that send one message. */
export const sendOne: Method = async (call) => {
  const chat = chatIn(call.params);
  const post = readPost(call.method, call.params);
  const files = await storeFiles(call.env.ctx, post.file === undefined ? [] : [post.file]);
  const event = record(call, { chat, post, files });
  return toMessage({ first: event, last: event }, { token: call.token, chat });
};

/** https://core.telegram.org/bots/api#sendmediagroup */
export const sendAlbum: Method = async (call) => {
  const chat = chatIn(call.params);
  const posts = readAlbum(call.params);
  const drafts = posts.flatMap(({ file }) => file === undefined ? [] : [file]);
  const stored = [...await storeFiles(call.env.ctx, drafts)];
  const media_group_id = String(BigInt(`0x${call.env.ctx.uuid().slice(0, 8)}`));
  return posts.map((post) => {
    const files = post.file === undefined ? [] : stored.splice(0, 1);
    const event = record(call, { chat, post, files, more: { media_group_id } });
    return toMessage({ first: event, last: event }, { token: call.token, chat });
  });
};

/** https://core.telegram.org/bots/api#forwardmessage and #copymessage: messages of the bot itself can be read. */
export const forward: Method = (call) => {
  const { params, method, env } = call;
  const chat = chatIn(params);
  const from = chatIn(params, "from_chat_id");
  const isCopy = method.startsWith("copy");
  const isMany = method.endsWith("s");
  const ids = isMany ? idsIn(call) : [params.integer("message_id")];
  const passed = ids.map((id) => {
    const found = env.store.messages.find(String(from.id), String(id), env.ctx);
    const last = found?.last;
    const { files = [], text = `message ${id} of ${from.id}`, contents = [] } = last?.payload ?? {};
    for (const { blob } of files) env.ctx.blobs.retain(blob.id);
    const post: Post = {
      kind: String(last?.meta.kind ?? "text"),
      given: text,
      formatted: { text: String(last?.meta.plain ?? text), entities: [] },
      parseMode: "",
      reference: String(last?.meta.reference ?? ""),
      contents: contents.map(({ format, json }) => ({ format, json: JSON.stringify(json) })),
      replyTo: "",
      meta: {},
    };
    const more = { forwarded: `${from.id}/${id}`, ...compact({ content: last?.meta.content }) };
    return record(call, { chat, post, files, more });
  });
  const shown = passed.map((event) =>
    isCopy || isMany
      ? { message_id: Number(event.payload.ts) }
      : toMessage({ first: event, last: event }, { token: call.token, chat })
  );
  return isMany ? shown : shown[0];
};

/** Ids of several messages: at most 100. */
export function idsIn({ params }: MethodCall): readonly number[] {
  const ids = params.json("message_ids", "message identifiers");
  if (ids === undefined) return fail("message identifiers are not specified");
  if (!Array.isArray(ids) || !ids.every((id) => Number.isSafeInteger(Number(id)))) {
    return fail("expected an Array of message identifiers");
  }
  if (ids.length === 0) return fail("message identifiers are not specified");
  return ids.length > 100 ? fail("too many message identifiers specified") : ids.map(Number);
}

/** Returns the message that a call would capture first. Throws `Refused`. */
export function draftOf({ method, params }: Pick<MethodCall, "method" | "params">): ChatDraft {
  const chat = chatIn(params);
  const post = method === "sendmediagroup" ? readAlbum(params)[0]! : readPost(method, params);
  return toDraft(post, { chat, ts: "", files: [], name: "" });
}

function toDraft(
  post: Post,
  { chat, ts, files, name }: { chat: Chat; ts: string; files: readonly ChatFile[]; name: string },
): ChatDraft {
  return {
    channel: toChannel(chat),
    author: { id: name, name: "", icon_url: "", bot: true },
    text: post.given || labelOf(post),
    contents: post.contents,
    files,
    ts,
    thread_ts: post.replyTo,
  };
}

/** Returns a text for content without one. */
function labelOf({ kind, content, reference, file }: Post): string {
  if (content !== undefined) {
    const [first] = Object.values(content).filter((value) => typeof value !== "object");
    return first === undefined ? `[${kind}]` : `[${kind}] ${first}`;
  }
  return file === undefined ? `[${kind}] ${reference}` : "";
}

function record(
  call: MethodCall,
  { chat, post, files, more = {} }: {
    chat: Chat;
    post: Post;
    files: readonly ChatFile[];
    more?: Readonly<Record<string, unknown>>;
  },
): CapturedEvent<ChatMessage> {
  const { env, token } = call;
  const ts = String(env.store.nextId(env.ctx.now().getTime()));
  const draft = toDraft(post, { chat, ts, files, name: botOf(token).username });
  return captureChat(env, draft, {
    raw: call.call.raw,
    meta: { ...notesOf(call), ...contentNotes(post), ...post.meta, ...more },
  });
}

/** Data that the vendor's responses need besides the message. */
export function contentNotes(
  { kind, formatted, reference, content }: Pick<
    Post,
    "kind" | "formatted" | "reference" | "content"
  >,
): Readonly<Record<string, unknown>> {
  const { text, entities } = formatted;
  return {
    kind,
    plain: text,
    ...(entities.length > 0 && { entities }),
    ...(reference !== "" && { reference }),
    ...compact({ content }),
  };
}

/** Returns the chat of a captured message, with the name that the sender used. */
export function toKnownChat({ payload: { channel } }: CapturedEvent<ChatMessage>): Chat {
  const username = /^@(.+)$/.exec(channel.name ?? "")?.[1];
  const chat = chatOf(Number(channel.id));
  return username === undefined
    ? chat
    : { id: chat.id, type: "channel", title: username, username };
}

/** Methods that send messages. */
import { compact } from "../../../core/compact.ts";
import type { CapturedEvent } from "../../../core/plugin.ts";
import { captureChat, type ChatDraft } from "../capture.ts";
import { storeFiles } from "../files.ts";
import type { ChatFile, ChatMessage } from "../model.ts";
import { botOf, type Chat, chatIn, toChannel } from "./chats.ts";
import { type Method, type MethodCall, notesOf } from "./methods.ts";
import { complete, type Origin } from "./objects.ts";
import type { Post } from "./post.ts";
import { toMessage } from "./reply.ts";
import { readPost, readPosts } from "./request.ts";
import { readAlbum } from "./media.ts";

/** The methods that send one message. */
export const sendOne: Method = async (call) => {
  const chat = chatIn(call.params);
  const post = readPost(call.method, call.params);
  const files = await storeFiles(call.env.ctx, post.files);
  const event = record(call, { chat, post, files });
  return toMessage({ first: event, last: event }, { call, chat });
};

/** https://core.telegram.org/bots/api#sendmediagroup */
export const sendAlbum: Method = async (call) => {
  const chat = chatIn(call.params);
  const posts = readAlbum(call.params);
  const stored = [...await storeFiles(call.env.ctx, posts.flatMap(({ files }) => files))];
  const media_group_id = posts.length === 1
    ? undefined
    : String(BigInt(`0x${call.env.ctx.uuid().slice(0, 8)}`));
  return posts.map((post) => {
    const files = stored.splice(0, post.files.length);
    const event = record(call, { chat, post, files, more: compact({ media_group_id }) });
    return toMessage({ first: event, last: event }, { call, chat });
  });
};

/** Returns the message that a call would capture first. Throws `Refused`. */
export function draftOf({ method, params }: Pick<MethodCall, "method" | "params">): ChatDraft {
  const chat = chatIn(params);
  return toDraft(readPosts(method, params)[0]!, { chat, ts: "", files: [], name: "" });
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
export function labelOf(
  { kind, content, reference }: Pick<Post, "kind" | "content" | "reference">,
): string {
  if (content !== undefined) {
    const [first] = Object.values(content).filter((value) => typeof value !== "object");
    return first === undefined ? `[${kind}]` : `[${kind}] ${first}`;
  }
  return reference === "" ? "" : `[${kind}] ${reference}`;
}

/** Captures a message. */
export function record(
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
  const origin = originOf(call, { seed: `${chat.id} ${ts}`, post, files });
  return captureChat(env, draft, {
    raw: call.call.raw,
    meta: { ...notesOf(call), ...contentNotes(post, origin), ...post.meta, ...more },
  });
}

/** Returns what the values of a message are made from. */
export function originOf(
  { env }: MethodCall,
  { seed, post, files }: {
    readonly seed: string;
    readonly post: Pick<Post, "files">;
    readonly files: readonly ChatFile[];
  },
): Origin {
  const parts = post.files.flatMap(({ part }, index) => {
    const file = files[index];
    return file === undefined ? [] : [[part, file] as const];
  });
  const seconds = Math.floor(env.ctx.now().getTime() / 1000);
  return { seed, seconds, attached: new Map(parts) };
}

/** Data that the vendor's responses need besides the message. */
export function contentNotes(
  { kind, formatted, reference, details, result }: Pick<
    Post,
    "kind" | "formatted" | "reference" | "details" | "result"
  >,
  origin: Origin,
): Readonly<Record<string, unknown>> {
  const { text, entities } = formatted;
  return {
    kind,
    plain: text,
    ...(entities.length > 0 && { entities }),
    ...(reference !== "" && { reference }),
    ...compact({ details, content: result && complete(kind, result, origin) }),
  };
}

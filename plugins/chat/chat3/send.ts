/** Calls that send messages. */
import { compact } from "../../../core/compact.ts";
import { presentedCredentials } from "../../../core/http/auth.ts";
import type { CapturedEvent, IngressCall } from "../../../core/plugin.ts";
import { captureChat, type ChatDraft } from "../capture.ts";
import { storeFiles } from "../files.ts";
import type { ChannelRef, ChatFile, ChatMessage } from "../model.ts";
import { isSnowflake } from "./ids.ts";
import type { Env } from "./options.ts";
import { fail, REFUSALS } from "./refusals.ts";
import { answer, answerSlack, channelOf, toMessage } from "./reply.ts";
import { type Post, readBody, readGithub, readPost, readSlack } from "./request.ts";

/** `POST /webhooks/{webhook}/{token}` */
export async function execute(call: IngressCall, env: Env): Promise<Response> {
  const post = readPost(await readBody(call.body, call.headers.get("content-type")));
  if (isEmpty(post)) fail(REFUSALS.empty);
  const event = await record(post, call, env);
  return readFlag(call, "wait", false)
    ? answer(toMessage({ first: event, last: event }, nameOf(call, env)))
    : answer();
}

/** `POST /webhooks/{webhook}/{token}/slack` */
export async function executeSlack(call: IngressCall, env: Env): Promise<Response> {
  const type = call.headers.get("content-type") ?? "application/json";
  const post = readSlack(await readBody(call.body, type));
  if (isEmpty(post)) fail(REFUSALS.empty);
  await record(post, call, env);
  return readFlag(call, "wait", true) ? answerSlack() : answer();
}

/** `POST /webhooks/{webhook}/{token}/github` */
export async function executeGithub(call: IngressCall, env: Env): Promise<Response> {
  const event = call.headers.get("x-github-event") ?? "event";
  const post = readGithub(await readBody(call.body, call.headers.get("content-type")), event);
  await record(post, call, env);
  return answer();
}

/** Returns the message that a call would capture; `undefined` for another or an unreadable one. */
export async function draftOf(call: IngressCall): Promise<ChatDraft | undefined> {
  const { webhook = "", message } = call.params;
  if (!isSnowflake(webhook) || call.method !== "POST" || message !== undefined) return undefined;
  const body = await readBody(call.body, call.headers.get("content-type"));
  const post = call.path.endsWith("/slack")
    ? readSlack(body)
    : call.path.endsWith("/github")
    ? readGithub(body, "event")
    : readPost(body);
  return toDraft(post, placeOf(call, post), { ts: "", files: [] });
}

/** Flags of the query: https://docs.discord.com/developers/reference#boolean-query-strings */
function readFlag({ query }: IngressCall, name: string, standard: boolean): boolean {
  const value = query.get(name);
  return value === null ? standard : ["true", "1"].includes(value.toLowerCase());
}

function isEmpty({ content, contents, files }: Post): boolean {
  return !content?.trim() && contents.length === 0 && files.length === 0;
}

/** The webhook, and its display name for the post. */
export function nameOf({ params: { webhook = "" } }: IngressCall, { store }: Env) {
  return { webhook, name: store.webhook(webhook).name };
}

/** Channel of a webhook, or a thread in it. */
export function placeOf(
  { params: { webhook = "" }, query }: IngressCall,
  { threadName }: Pick<Post, "threadName">,
  newThread = "",
): ChannelRef {
  const name = `Discord ${webhook.slice(-6)}`;
  const thread = query.get("thread_id") ?? "";
  if (thread !== "") return { id: thread, name: `${name} › ${thread.slice(-6)}` };
  if (threadName !== "") return { id: newThread || threadName, name: `${name} › ${threadName}` };
  return { id: channelOf(webhook), name };
}

async function record(
  post: Post,
  call: IngressCall,
  env: Env,
): Promise<CapturedEvent<ChatMessage>> {
  const thread = call.query.get("thread_id") ?? "";
  if (thread !== "" && post.threadName !== "") fail(REFUSALS.bothThreads);
  const nowMs = env.ctx.now().getTime();
  const newThread = post.threadName === "" ? "" : env.store.nextId(nowMs);
  const channel = placeOf(call, post, newThread);
  const files = await storeFiles(env.ctx, post.files);
  const ts = env.store.nextId(nowMs);
  const own = env.store.webhook(call.params.webhook ?? "").name;
  const draft = toDraft(post, channel, { ts, files, ...compact({ own }) });
  return captureChat(env, draft, { raw: call.raw, meta: metaOf(post, call) });
}

function toDraft(
  post: Post,
  channel: ChannelRef,
  { ts, files, own = "" }: { ts: string; files: readonly ChatFile[]; own?: string },
): ChatDraft {
  return {
    channel,
    author: { id: "", name: post.username || own, icon_url: post.avatarUrl, bot: true },
    text: post.readable,
    contents: post.contents,
    files,
    ts,
  };
}

/** Notes of a call: the parts of its address, and parameters other than the message. */
export function metaOf(
  { content, readable, meta, contents }: Post,
  { params, query, headers }: IngressCall,
): Readonly<Record<string, unknown>> {
  const { webhook, token } = params;
  const isIgnored = contents.some(({ format }) => format === "chat3.components") &&
    !["true", "1"].includes(query.get("with_components")?.toLowerCase() ?? "");
  return {
    webhook_id: webhook,
    webhook_token: token,
    ...compact({ thread_id: query.get("thread_id") ?? undefined, content }),
    ...meta,
    ...(readable !== (content ?? "") && { derived_text: true }),
    ...(isIgnored && { components_ignored: "The query has no with_components=true" }),
    ...presentedCredentials(headers),
  };
}

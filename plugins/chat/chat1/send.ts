/** Posts by the Web API, by webhooks, and as responses. */
import { compact } from "../../../core/compact.ts";
import { presentedCredentials } from "../../../core/http/auth.ts";
import type { IngressCall } from "../../../core/plugin.ts";
import { captureChat, type ChatAbout, type ChatDraft } from "../capture.ts";
import { readArguments } from "./arguments.ts";
import { IDENTITY, isUser, newId } from "./ids.ts";
import { argumentsOf, type Method, type MethodCall } from "./methods.ts";
import type { Json } from "./objects.ts";
import type { Env } from "./options.ts";
import { fail, failMissing } from "./refusals.ts";
import { answerWebhook, refuse, refuseWebhook, toAuthTest, toChannel, toPosted } from "./reply.ts";
import { contentsOf, type Post, readPost } from "./request.ts";
import type { Room } from "./workspace.ts";

/** https://docs.slack.dev/reference/methods/chat.postMessage */
export const postMessage: Method = (call) => {
  const { post, room, meta } = postIn(call);
  const ts = call.env.store.nextTs(call.nowMs);
  recordPost(call.env, post, {
    call: call.call,
    room,
    botId: IDENTITY.bot_id,
    ts,
    meta: { surface: "web_api", ...meta },
  });
  return toPosted(post, { ts, channel: room.id });
};

/** https://docs.slack.dev/reference/methods/chat.postEphemeral */
export const postEphemeral: Method = (call) => {
  const user = call.given.text("user")?.trim() ?? "";
  const { post, room, meta } = postIn(call);
  if (user === "") failMissing("user");
  if (!isUser(user)) fail("user_not_in_channel");
  const ts = call.env.store.nextTs(call.nowMs);
  recordPost(call.env, post, {
    call: call.call,
    room,
    botId: IDENTITY.bot_id,
    ts,
    visibleTo: user,
    meta: { surface: "ephemeral", ...meta },
  });
  return { message_ts: ts };
};

/** Maximum time that a message can be scheduled ahead, in seconds. */
const MAX_AHEAD = 120 * 86_400;

/** https://docs.slack.dev/reference/methods/chat.scheduleMessage */
export const scheduleMessage: Method = (call) => {
  const { given, nowMs, env, ctx } = call;
  const { post, room, meta } = postIn(call);
  const at = given.text("post_at")?.trim() ?? "";
  if (at === "") failMissing("post_at");
  if (!/^\d{1,12}$/.test(at)) fail("invalid_time");
  const postAt = Number(at);
  if (postAt * 1000 <= nowMs) fail("time_in_past");
  if (postAt > nowMs / 1000 + MAX_AHEAD) fail("time_too_far");
  const id = newId("Q", ctx.uuid());
  // In the history it appears at its time, after others of that second.
  const ts = `${postAt}.${env.store.nextTs(nowMs).slice(-6)}`;
  recordPost(env, post, {
    call: call.call,
    room,
    botId: IDENTITY.bot_id,
    ts,
    type: "chat.scheduled",
    meta: { surface: "web_api", scheduled_message_id: id, post_at: postAt, ...meta },
  });
  const { message } = toPosted(post, { ts, channel: room.id });
  const { ts: _ts, ...rest } = message as Json;
  return {
    channel: room.id,
    scheduled_message_id: id,
    post_at: postAt,
    message: { ...rest, type: "delayed_message", subtype: "bot_message" },
  };
};

/** A post, its destination, and the token in its arguments. */
function postIn({ given, workspace, nowMs }: MethodCall) {
  const channel = given.text("channel")?.trim() ?? "";
  if (channel === "") fail("channel_not_found");
  const read = readPost(given);
  if (!read.ok) return fail(read.refusal.error, read.refusal.details);
  return {
    post: read.value,
    room: workspace.roomFor(channel, nowMs),
    meta: compact({ token: given.text("token") }),
  };
}

/** `POST /services/{team}/{bot}/{token}`: https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks */
export async function takeWebhook(call: IngressCall, env: Env): Promise<Response> {
  const { team = "", bot = "", token = "" } = call.params;
  const given = await hookArguments(call);
  if (!given.ok) return refuseWebhook({ error: "invalid_payload" });
  const post = readPost(given.value);
  if (!post.ok) return refuseWebhook(post.refusal);
  recordPost(env, post.value, {
    call,
    ...webhookPosting(call, post.value, env),
    meta: { surface: "webhook", team, bot, webhook_token: token },
  });
  return answerWebhook();
}

/** Returns where a webhook posts: the named channel, or its own, whose name is unknown. */
function webhookPosting({ params }: IngressCall, post: Post, env: Env): Posting {
  const { team = "", bot = "" } = params;
  if (post.channel === "") return { room: nameless(`webhook:${team}/${bot}`), botId: bot };
  const nowMs = env.ctx.now().getTime();
  const room = env.store.workspace(env.ctx).roomFor(post.channel, nowMs);
  return { room, botId: bot, ts: env.store.nextTs(nowMs) };
}

function nameless(id: string): Room {
  return { id, name: id, users: [], created: 0 };
}

/** Methods that post. */
const POSTING = ["chat.postMessage", "chat.postEphemeral", "chat.scheduleMessage", "chat.update"]
  .map((method) => `/api/${method}`);

/** Returns the message that a post would capture; `undefined` for another or an unreadable call. */
export async function draftOf(call: IngressCall, env: Env): Promise<ChatDraft | undefined> {
  const isHook = call.path.startsWith("/services/");
  if (!isHook && !POSTING.includes(call.path)) return undefined;
  const given = isHook ? await hookArguments(call) : await argumentsOf(call);
  const read = given.ok ? readPost(given.value) : given;
  if (!read.ok) return undefined;
  const post = read.value;
  if (isHook) return toDraft(post, webhookPosting(call, post, env));
  const room = env.store.workspace(env.ctx).roomFor(post.channel, env.ctx.now().getTime());
  return toDraft(post, { room, botId: IDENTITY.bot_id });
}

/**
 * `POST` to a `response_url`: https://docs.slack.dev/interactivity/handling-user-interaction#message_responses. Also
 * the response of a slash command.
 */
export async function takeResponse(call: IngressCall, env: Env): Promise<Response> {
  const target = env.store.takeTarget(call.params.token ?? "", env.ctx.now().getTime());
  if (target === undefined) return refuseWebhook({ error: "used_url", status: 404 });
  const given = await hookArguments(call);
  if (!given.ok) return refuseWebhook({ error: "invalid_payload" });
  const post = readPost(given.value);
  if (!post.ok) return refuseWebhook(post.refusal);
  recordPost(env, post.value, {
    call,
    room: env.store.workspace(env.ctx).room(target.channel) ?? nameless(target.channel),
    botId: IDENTITY.bot_id,
    meta: { surface: "response_url", ...compact({ in_response_to: target.eventId }) },
  });
  return answerWebhook();
}

/** https://docs.slack.dev/reference/methods/auth.test: the owner of the token. */
export const testAuth: Method = () => toAuthTest();

/** https://docs.slack.dev/reference/methods/api.test: fails with the `error` in its arguments. */
export const testApi: Method = ({ given }) => {
  const error = given.text("error");
  return error ? fail(error.slice(0, 100)) : { args: {} };
};

export function refuseUnknown(_call: IngressCall, env: Env): Response {
  return refuse({ error: "unknown_method" }, env);
}

function hookArguments({ body, headers }: IngressCall): ReturnType<typeof readArguments> {
  return readArguments(body, headers.get("content-type"), { fields: false });
}

/** The poster and the destination of a post. */
interface Posting {
  readonly room: Room;
  readonly botId: string;
  readonly ts?: string;
  readonly visibleTo?: string;
}

function toDraft(post: Post, { room, botId, ts, visibleTo }: Posting): ChatDraft {
  return {
    channel: toChannel(room),
    author: { id: botId, name: post.username, icon_url: post.iconUrl, bot: true },
    text: post.readable,
    contents: contentsOf(post),
    ts,
    thread_ts: post.threadTs,
    visible_to: visibleTo,
  };
}

function recordPost(
  env: Env,
  post: Post,
  about: Posting & Pick<ChatAbout, "type"> & {
    readonly call: IngressCall;
    readonly meta: Readonly<Record<string, unknown>>;
  },
): void {
  const { call, room, type } = about;
  captureChat(env, toDraft(post, about), {
    ...(type !== undefined && { type }),
    raw: call.raw,
    meta: {
      ...about.meta,
      ...post.meta,
      ...presentedCredentials(call.headers),
      ...compact({ ts: about.ts }),
      ...(room.users.length === 1 && { direct_to: room.users[0] }),
    },
  });
}

import { compact } from "../../../core/compact.ts";
import { presentedCredentials } from "../../../core/http/auth.ts";
import type { IngressCall } from "../../../core/plugin.ts";
import { type Result, success } from "../../../core/result.ts";
import { captureChat } from "../capture.ts";
import type { ChannelRef } from "../model.ts";
import { type Arguments, readArguments } from "./arguments.ts";
import type { Env } from "./options.ts";
import type { VendorRefusal } from "./refusals.ts";
import {
  answer,
  answerWebhook,
  IDENTITY,
  refuse,
  refuseWebhook,
  toAuthTest,
  toPosted,
} from "./reply.ts";
import { contentsOf, type Post, readPost } from "./request.ts";

/** `POST /api/chat.postMessage` */
export async function postMessage(call: IngressCall, env: Env): Promise<Response> {
  const given = await argumentsOf(call);
  if (!given.ok) return refuse(given.refusal, env);
  if (!given.value.text("channel")?.trim()) return refuse({ error: "channel_not_found" }, env);
  const read = readPost(given.value);
  if (!read.ok) return refuse(read.refusal, env);
  const post = read.value;
  const ts = env.store.nextTs(env.ctx.now().getTime());
  const token = given.value.text("token");
  recordPost(env, post, {
    call,
    channelId: post.channel,
    botId: IDENTITY.bot_id,
    ts,
    meta: { surface: "web_api", ...compact({ token }) },
  });
  return answer(toPosted(post, ts));
}

/** `POST /services/{team}/{bot}/{token}`: https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks */
export async function takeWebhook(call: IngressCall, env: Env): Promise<Response> {
  const { team = "", bot = "", token = "" } = call.params;
  const type = call.headers.get("content-type");
  const given = await readArguments(call.body, type, { fields: false });
  if (!given.ok) return refuseWebhook({ error: "invalid_payload" });
  const post = readPost(given.value);
  if (!post.ok) return refuseWebhook(post.refusal);
  recordPost(env, post.value, {
    call,
    channelId: post.value.channel || `webhook:${team}/${bot}`,
    botId: bot,
    meta: { surface: "webhook", team, bot, webhook_token: token },
  });
  return answerWebhook();
}

/** `auth.test`: the owner of the token. */
export function testAuth(): Response {
  return answer(toAuthTest());
}

/** `api.test`: fails with the `error` it is given. */
export async function testApi(call: IngressCall, env: Env): Promise<Response> {
  const given = await argumentsOf(call);
  const error = given.ok ? given.value.text("error") : undefined;
  return error ? refuse({ error: error.slice(0, 100) }, env) : answer({ ok: true, args: {} });
}

export function refuseUnknown(_call: IngressCall, env: Env): Response {
  return refuse({ error: "unknown_method" }, env);
}

/** Arguments of the body, else of the query. */
export async function argumentsOf(call: IngressCall): Promise<Result<Arguments, VendorRefusal>> {
  const given = await readArguments(call.body, call.headers.get("content-type"));
  if (!given.ok) return given;
  const inQuery = (name: string): string | undefined => call.query.get(name) ?? undefined;
  const { text, json } = given.value;
  return success({
    text: (name: string) => text(name) ?? inQuery(name),
    json: (name: string) => json(name) ?? inQuery(name),
  });
}

/** Channel, user and group ids of the vendor; anything else is a name. */
const ID = /^[CDGUW][A-Z0-9]{2,}$/;

function recordPost(
  env: Env,
  post: Post,
  about: {
    readonly call: IngressCall;
    readonly channelId: string;
    readonly botId: string;
    readonly ts?: string;
    readonly meta: Readonly<Record<string, unknown>>;
  },
): void {
  captureChat(env, {
    channel: toChannel(about.channelId, post.channel),
    author: { id: about.botId, name: post.username, icon_url: post.iconUrl, bot: true },
    text: post.readable,
    contents: contentsOf(post),
    ts: about.ts,
    thread_ts: post.threadTs,
  }, {
    raw: about.call.raw,
    meta: {
      ...about.meta,
      ...post.meta,
      ...presentedCredentials(about.call.headers),
      ...compact({ ts: about.ts }),
    },
  });
}

function toChannel(id: string, given: string): ChannelRef {
  return given === "" || ID.test(given) ? { id } : { id, name: given };
}
